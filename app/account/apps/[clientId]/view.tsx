import type { ReactNode } from 'react';
import type { Locale } from '#lib/messages/locales.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { isReservedClaim } from '#lib/oauth/reserved-claims.ts';
import { AppLinks } from '../../../ui/app-links.tsx';
import { AppMark } from '../../../ui/app-mark.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Day } from '../../../ui/day.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Icon } from '../../../ui/line-icon.tsx';
import { describeScope, ScopeList, saidOf } from '../../../ui/scope-list.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import type { ConnectedAppSummary, ScopeLine } from '../../../ui/view-models.ts';
import { Acting, Through } from '../../ui/acting.tsx';
import { AgentLine } from '../../ui/agent-line.tsx';
import { AppFacts } from '../../ui/app-facts.tsx';
import { RemoveApp } from '../../ui/remove-app.tsx';
import { Unverified } from '../../ui/unverified.tsx';

type AppProps = {
  csrf: string;
  app: ConnectedAppSummary;
  /** The claims the app would receive now. */
  claims: Readonly<Record<string, unknown>>;
  locale: Locale;
};

/** One connected app: what it may do, and what it sees. */
export function AppView({ csrf, app, claims, locale }: AppProps) {
  const text = textIn(locale);
  return (
    <>
      <Card>
        <div className="flex gap-4">
          <AppMark id={app.id} name={app.name} image={app.logo} className="size-14 text-xl" />
          <div className="grid min-w-0 flex-1 gap-2">
            {app.description && (
              <p>
                <UserText text={app.description} />
              </p>
            )}
            <Unverified app={app} locale={locale} />
            <AgentLine agent={app.agent} locale={locale} />
            <AppFacts app={app} locale={locale} />
            <Through app={app} locale={locale} />
            <Acting lines={app.acting ?? []} locale={locale} />
            <AppLinks
              app={app}
              className="flex flex-wrap gap-x-4 gap-y-1 text-sm"
              locale={locale}
            />
          </div>
        </div>
      </Card>
      <Card id="may" title={text('apps.may')} text={text('apps.mayText')}>
        <p className="mb-3 flex gap-3">
          <Icon name="at" className="mt-0.5 size-5 text-accent" />
          {text(`home.shares.${app.shares}`)}
        </p>
        <ScopeList scopes={app.scopes} locale={locale} />
        {app.scopes.length > 0 && <Removing csrf={csrf} app={app} locale={locale} />}
      </Card>
      <Card id="sees" title={text('apps.sees')} text={text('apps.seesText')}>
        <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[minmax(8rem,auto)_1fr]">
          {inOrder(claims).map(([name, value]) => (
            <div key={name} className="grid gap-x-6 sm:col-span-2 sm:grid-cols-subgrid">
              <dt className="text-sm text-ink-soft sm:pt-0.5">{claimLabel(name, locale)}</dt>
              <dd className="min-w-0 wrap-anywhere">
                <ClaimValue name={name} value={value} locale={locale} />
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card id="end" title={text('apps.end')} text={text('apps.endText')}>
        <RemoveApp
          clientId={app.id}
          name={app.name}
          acting={(app.acting ?? []).length > 0}
          csrf={csrf}
          locale={locale}
        />
      </Card>
    </>
  );
}

/** Identity first, then contact details, then the rest in the server's order. */
const firstClaims = [
  'sub',
  'username',
  'preferred_username',
  'name',
  'picture',
  'email',
  'email_verified',
];

function inOrder(claims: AppProps['claims']): [string, unknown][] {
  const first = firstClaims
    .filter((name) => name in claims)
    .map((name): [string, unknown] => [name, claims[name]]);
  return [...first, ...Object.entries(claims).filter(([name]) => !firstClaims.includes(name))];
}

/** The operator's custom claims have no label of ours, so their names are shown. */
function claimLabel(name: string, locale: Locale): ReactNode {
  const label = isReservedClaim(name) ? sayIn(locale)(`claim.${name}`) : undefined;
  return label ?? <UserText className="break-all" text={name} />;
}

type RemovingProps = Pick<AppProps, 'csrf' | 'app' | 'locale'>;

/** Each permission with a button to remove it. Folded, because it is seldom needed. */
function Removing({ csrf, app, locale }: RemovingProps) {
  return (
    <details className="mt-5">
      <summary className="w-fit cursor-pointer py-1 font-semibold text-accent">
        {textIn(locale)('apps.removeSome')}
      </summary>
      <ul className="mt-2 divide-y divide-line">
        {app.scopes.map((scope) => (
          <ScopeRow key={scope.name} scope={scope} app={app} csrf={csrf} locale={locale} />
        ))}
      </ul>
    </details>
  );
}

function ScopeRow({
  scope,
  app,
  csrf,
  locale,
}: {
  scope: ScopeLine;
  app: ConnectedAppSummary;
  csrf: string;
  locale: Locale;
}) {
  const text = textIn(locale);
  return (
    <li className="py-2 last:pb-0">
      <form
        method="post"
        action="/account/apps/submit"
        className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2"
      >
        <Hidden fields={{ csrf, client_id: app.id, scope: scope.name }} />
        <span className="min-w-0 flex-1 basis-52 wrap-anywhere">{saidOf(scope, locale)}</span>
        <Button
          kind="secondary"
          size="small"
          aria-label={text('home.removeScopeLabel', {
            app: stripBidi(app.name),
            scope: describeScope(scope, locale),
          })}
        >
          {text('home.removeScope')}
        </Button>
      </form>
    </li>
  );
}

function ClaimValue({ name, value, locale }: { name: string; value: unknown; locale: Locale }) {
  const text = textIn(locale);
  if (typeof value === 'boolean') return text(value ? 'claim.yes' : 'claim.no');
  if (name === 'updated_at')
    return <Day at={new Date(Number(value) * 1000).toISOString()} locale={locale} />;
  if (name === 'picture')
    return <Avatar id="" name="" image={new URL(String(value)).pathname} className="size-14" />;
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).map((line) => (
      <UserText key={String(line)} className="block whitespace-pre-line" text={String(line)} />
    ));
  }
  return (
    <UserText className={name === 'sub' ? 'font-mono text-sm' : undefined} text={String(value)} />
  );
}
