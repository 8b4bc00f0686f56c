import type { Unverified } from '#lib/interaction/app-page.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Badge } from '../ui/badge.tsx';
import { rich } from '../ui/rich.tsx';
import { UserText } from '../ui/user-text.tsx';

/** Who an app that registered itself is: first what we know about it, then what it claims. */
export function UnverifiedNote({ app, locale }: { app: Unverified; locale: Locale }) {
  const text = textIn(locale);
  const { origin, host, calledItself } = app;
  return (
    <div className="grid justify-items-start gap-2 rounded-xl border border-line bg-sunken px-4 py-3 text-sm">
      <Badge>{text('consent.unverifiedBadge')}</Badge>
      <p className="wrap-anywhere">
        {origin === 'document'
          ? rich(
              'consent.unverifiedDocument',
              { host: <UserText className="font-semibold" text={host} /> },
              locale,
            )
          : text('consent.unverifiedRegistered')}
      </p>
      <p className="wrap-anywhere text-ink-soft">
        {calledItself === null
          ? text('consent.unverifiedNameless')
          : rich('consent.unverifiedName', { name: <UserText text={calledItself} /> }, locale)}
      </p>
    </div>
  );
}
