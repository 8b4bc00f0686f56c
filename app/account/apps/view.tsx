import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { AppMark } from '../../ui/app-mark.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/line-icon.tsx';
import { ScopeList } from '../../ui/scope-list.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';
import type { ConnectedAppSummary } from '../../ui/view-models.ts';
import { Acting, Through } from '../ui/acting.tsx';
import { AgentLine } from '../ui/agent-line.tsx';
import { AppFacts } from '../ui/app-facts.tsx';
import { RemoveApp } from '../ui/remove-app.tsx';
import { Unverified } from '../ui/unverified.tsx';

type AppsProps = {
  csrf: string;
  apps: readonly (ConnectedAppSummary & {
    href: string;
  })[];
  locale: Locale;
};

/** The connected apps, each with a button to remove it. */
export function AppsView({ csrf, apps, locale }: AppsProps) {
  const text = textIn(locale);
  return (
    <Card id="apps" title={text('home.apps')}>
      {apps.length === 0 ? (
        <EmptyState title={text('home.appsNone')} text={text('home.appsNoneText')} />
      ) : (
        <ul className="divide-y divide-line">
          {apps.map((app) => (
            <li key={app.id} className="flex gap-4 py-5 first:pt-0 last:pb-0">
              <AppMark id={app.id} name={app.name} image={app.logo} className="size-11 text-lg" />
              <div className="min-w-0 flex-1">
                <h3 className="font-semibold wrap-anywhere">
                  <UserText text={app.name} />
                </h3>
                <Unverified app={app} locale={locale} />
                <AgentLine agent={app.agent} locale={locale} />
                <AppFacts app={app} locale={locale} />
                <Through app={app} locale={locale} />
                <div className="mt-3 grid gap-3 text-sm">
                  <p className="flex gap-3">
                    <Icon name="at" className="mt-0.5 size-5 text-accent" />
                    {text(`home.shares.${app.shares}`)}
                  </p>
                  {app.scopes.length > 0 && <ScopeList scopes={app.scopes} locale={locale} />}
                </div>
                <Acting lines={app.acting ?? []} locale={locale} />
                <div className="mt-3 flex flex-wrap items-start gap-3">
                  <ButtonLink
                    kind="secondary"
                    size="small"
                    href={app.href}
                    aria-label={text('apps.detailsLabel', { app: stripBidi(app.name) })}
                  >
                    {text('apps.details')}
                  </ButtonLink>
                  <RemoveApp
                    clientId={app.id}
                    name={app.name}
                    acting={(app.acting ?? []).length > 0}
                    csrf={csrf}
                    locale={locale}
                  />
                </div>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
