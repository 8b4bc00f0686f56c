import type { ReactNode } from 'react';
import type { FacedApp } from '#lib/interaction/app-page.ts';
import { textIn } from '#lib/messages/text.ts';
import { AppLinks } from '../ui/app-links.tsx';
import { AppMark } from '../ui/app-mark.tsx';
import { Button } from '../ui/button.tsx';
import { Destination, type DestinationFace } from '../ui/destination.tsx';
import { Gate } from '../ui/gate.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { Icon } from '../ui/line-icon.tsx';
import { Mark } from '../ui/mark.tsx';
import { AppLine, OwnWords, type PageWords, pageWords } from '../ui/own-words.tsx';
import { rich } from '../ui/rich.tsx';
import { ScopeList } from '../ui/scope-list.tsx';
import { stripBidi, UserText } from '../ui/user-text.tsx';
import type { AccountSummary, ScopeLine, ScreenProps } from '../ui/view-models.ts';
import { AccountSwitch } from './account-switch.tsx';
import { AskedHead, AskedNotes } from './asked-head.tsx';
import { PeriodChoice } from './period-choice.tsx';

type ConsentProps = ScreenProps & {
  csrf: string;
  flow: string;
  /** The sealed copy of what the page shows. */
  seen: string;
  app: FacedApp;
  account: AccountSummary;
  destination: DestinationFace;
  scopes: readonly ScopeLine[];
  /**
   * The lifetime of an access token in seconds, if the user may choose how long the app has access.
   */
  life?: number;
  /** Why the page is shown again. */
  error?: string;
};

/** The consent page: app, scopes, account, destination, and the two buttons. */
export function ConsentView(props: ConsentProps) {
  const { app, account, locale } = props;
  const text = textIn(locale);
  const { unregistered, insecure } = props.destination;
  return (
    <Gate
      title={text('consent.title', { app: stripBidi(app.name) })}
      refused={Boolean(props.error)}
      host={props.host}
      accent={app.accent}
      locale={locale}
    >
      <ConsentCard
        {...props}
        words={pageWords('consent', locale)}
        accountLine={
          <AccountSwitch account={account} csrf={props.csrf} flow={props.flow} locale={locale} />
        }
        decision={
          <form method="post" action="/consent/submit">
            <Hidden fields={{ csrf: props.csrf, flow: props.flow, seen: props.seen }} />
            {props.life !== undefined && <PeriodChoice life={props.life} locale={locale} />}
            <div className={decisionClass}>
              <Button name="decision" value="deny" kind="secondary">
                {text('consent.deny')}
              </Button>
              {/* No one is nudged towards an address that might be a trap. */}
              <Button
                name="decision"
                value="allow"
                kind={unregistered || insecure || app.unverified ? 'secondary' : 'primary'}
              >
                {text('consent.allow')}
              </Button>
            </div>
          </form>
        }
      />
    </Gate>
  );
}

/** The style for placing the two buttons side by side, or below each other if a word needs it. */
export const decisionClass = 'flex flex-wrap gap-3 *:min-w-fit *:grow *:basis-[calc(50%-0.375rem)]';

type ConsentCardProps = Pick<
  ConsentProps,
  'app' | 'account' | 'destination' | 'scopes' | 'error' | 'locale'
> & {
  words: PageWords;
  accountLine: ReactNode;
  decision: ReactNode;
  /** As in `AskedHead`. */
  heading?: 'h1' | 'p';
};

/** The content of the card, with slots for its controls. */
export function ConsentCard({ app, account, scopes, locale, ...props }: ConsentCardProps) {
  return (
    <>
      <AskedHead
        app={app}
        face={<Face app={app} />}
        into={<Mark className="size-7" />}
        question="consent.title"
        heading={props.heading}
        locale={locale}
      />
      <div className="mt-5 grid gap-5">
        <AskedNotes app={app} error={props.error} locale={locale} />
        <OwnWords words={props.words.lead} />
        <AppLine app={app} locale={locale} />
        {props.accountLine}
        <Asked app={app} account={account} scopes={scopes} locale={locale} />
        <Destination to={props.destination} locale={locale} />
        {props.decision}
      </div>
      <div className="mt-5 grid gap-1 text-center text-sm text-ink-soft">
        <p>{textIn(locale)('consent.undo')}</p>
        <AppLinks app={app} className="flex flex-wrap justify-center gap-x-4" locale={locale} />
      </div>
      <OwnWords words={props.words.help} />
    </>
  );
}

/** The picture of the app. A monogram of an unverified name would mean nothing. */
function Face({ app }: Pick<ConsentProps, 'app'>) {
  if (!app.unverified || app.logo)
    return <AppMark id={app.id} name={app.name} image={app.logo} className="size-13 text-2xl" />;
  return (
    <span className="grid size-13 place-items-center rounded-[28%] border border-line bg-sunken text-ink-soft">
      <Icon name="globe" className="size-7" />
    </span>
  );
}

type AskedProps = Pick<ConsentProps, 'app' | 'account' | 'scopes' | 'locale'>;

/**
 * What the app asks for, in one list. If it asks for more than before, the new part comes first.
 */
export function Asked({ app, account, scopes, locale }: AskedProps) {
  const added = scopes.filter((scope) => scope.added);
  const name = { app: <UserText text={app.name} /> };
  const heading = (
    its: 'consent.scopesIts' | 'consent.scopesItsNew',
    named: 'consent.scopes' | 'consent.scopesNew',
  ) => (app.unverified ? textIn(locale)(its) : rich(named, name, locale));
  if (added.length === 0)
    return (
      <section>
        <Heading>{heading('consent.scopesIts', 'consent.scopes')}</Heading>
        <div className="grid gap-3">
          <Shared account={account} locale={locale} />
          {scopes.length > 0 && <ScopeList scopes={scopes} locale={locale} />}
        </div>
      </section>
    );
  const before = scopes.filter((scope) => !scope.added);
  return (
    <section>
      <Heading>{heading('consent.scopesItsNew', 'consent.scopesNew')}</Heading>
      <ScopeList scopes={added} locale={locale} />
      <details className="mt-4 border-t border-line pt-3">
        <summary className="w-fit cursor-pointer py-1 text-sm font-semibold text-ink-soft">
          {textIn(locale)('consent.scopesBefore')}
        </summary>
        <div className="mt-2.5 grid gap-3">
          <Shared account={account} locale={locale} />
          {before.length > 0 && <ScopeList scopes={before} locale={locale} />}
        </div>
      </details>
    </section>
  );
}

function Heading({ children }: { children: React.ReactNode }) {
  return <h2 className="mb-2.5 text-sm font-semibold wrap-anywhere text-ink-soft">{children}</h2>;
}

/** What every app sees, with the user's values. */
function Shared({ account, locale }: Pick<AskedProps, 'account' | 'locale'>) {
  return (
    <div className="flex gap-3">
      <Icon name="at" className="mt-0.5 size-5 text-accent" />
      <p className="min-w-0 wrap-anywhere">
        {textIn(locale)('consent.sharedText')}
        <span className="block text-sm text-ink-soft">
          {rich(
            'consent.sharedValues',
            {
              username: <UserText text={account.username} />,
              email: <UserText text={account.email} />,
            },
            locale,
          )}
        </span>
      </p>
    </div>
  );
}
