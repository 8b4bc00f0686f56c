import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { rich } from '../../ui/rich.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { ConnectedAppSummary } from '../../ui/view-models.ts';

/** Says that an app registered itself, and what it calls itself; nothing for other apps. */
export function Unverified({ app, locale }: { app: ConnectedAppSummary; locale: Locale }) {
  if (!app.host) return null;
  return (
    <p className="text-sm wrap-anywhere text-ink-soft">
      <Badge>{textIn(locale)('consent.unverifiedBadge')}</Badge>{' '}
      {app.calledItself &&
        rich('consent.unverifiedName', { name: <UserText text={app.calledItself} /> }, locale)}
    </p>
  );
}
