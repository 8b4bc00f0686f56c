import type { Stranger } from '#lib/interaction/app-page.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Badge } from '../ui/badge.tsx';
import { rich } from '../ui/rich.tsx';
import { UserText } from '../ui/user-text.tsx';

/** Who an app that introduced itself is: first what is known of it, below it what it says. */
export function StrangerNote({ stranger, locale }: { stranger: Stranger; locale: Locale }) {
  const text = textIn(locale);
  const { origin, host, calledItself } = stranger;
  return (
    <div className="grid justify-items-start gap-2 rounded-xl border border-line bg-sunken px-4 py-3 text-sm">
      <Badge>{text('consent.strangerBadge')}</Badge>
      <p className="wrap-anywhere">
        {origin === 'document'
          ? rich(
              'consent.strangerDocument',
              { host: <UserText className="font-semibold" text={host} /> },
              locale,
            )
          : text('consent.strangerRegistered')}
      </p>
      <p className="wrap-anywhere text-ink-soft">
        {calledItself === null
          ? text('consent.strangerNameless')
          : rich('consent.strangerName', { name: <UserText text={calledItself} /> }, locale)}
      </p>
    </div>
  );
}
