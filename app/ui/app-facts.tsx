import { textIn } from '#lib/messages/text.ts';
import { Ago } from './ago.tsx';
import { Day } from './day.tsx';
import { rich } from './rich.tsx';
import type { ConnectedAppFace } from './views/types.ts';

/** Since when an app has access, when it last used it, and how often it is signed in. */
export function AppFacts({ app, locale }: { app: ConnectedAppFace; locale?: string }) {
  const text = textIn(locale);
  return (
    <p className="text-sm text-ink-soft">
      {rich('home.approved', { date: <Day at={app.approvedAt} locale={locale} /> }, locale)}
      {' · '}
      {app.lastUsedAt
        ? rich('home.lastUsed', { date: <Ago at={app.lastUsedAt} locale={locale} /> }, locale)
        : text('home.neverUsed')}
      {' · '}
      {app.places === 0
        ? text('apps.placesNone')
        : app.places === 1
          ? text('apps.placesOne')
          : text('apps.places', { count: String(app.places) })}
    </p>
  );
}
