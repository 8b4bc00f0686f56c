import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Day } from '../../ui/day.tsx';
import { rich } from '../../ui/rich.tsx';
import type { ConnectedAppSummary } from '../../ui/view-models.ts';
import { Ago } from './ago.tsx';

/** When an app was allowed, when it was last used, and in how many places it is signed in. */
export function AppFacts({ app, locale }: { app: ConnectedAppSummary; locale: Locale }) {
  const text = textIn(locale);
  const isNew = app.places === 0 && !app.lastUsedAt;
  // Nobody was asked about an app that acts through another one.
  const wasAsked = !app.acted && (app.through ?? []).length === 0;
  return (
    <p className="text-sm text-ink-soft">
      {wasAsked && (
        <>
          {rich('home.approved', { date: <Day at={app.approvedAt} locale={locale} /> }, locale)}
          {' · '}
        </>
      )}
      {app.lastUsedAt
        ? rich('home.lastUsed', { date: <Ago at={app.lastUsedAt} locale={locale} /> }, locale)
        : text(isNew ? 'home.tileAllowed' : 'home.neverUsed')}
      {app.endsAt && (
        <>
          {' · '}
          {rich('apps.until', { date: <Day at={app.endsAt} locale={locale} /> }, locale)}
        </>
      )}
      {!isNew && (
        <>
          {' · '}
          {app.places === 0 ? text('apps.placesNone') : text('apps.places', { count: app.places })}
        </>
      )}
    </p>
  );
}
