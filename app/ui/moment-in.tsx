import { momentIn, shortMomentIn } from '#lib/messages/format.ts';
import type { Locale } from '#lib/messages/locales.ts';

/**
 * Date and time to the second in a time zone, with UTC in the title. Marked as UTC if that is the
 * zone.
 */
export function MomentIn({ at, locale, zone }: { at: Date; locale: Locale; zone: string }) {
  return (
    <time
      dateTime={at.toISOString()}
      title={momentIn(locale, at)}
      className="tabular-nums sm:whitespace-nowrap"
    >
      {shortMomentIn(locale, at, zone)}
    </time>
  );
}
