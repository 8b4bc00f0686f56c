import { momentIn, shortMomentIn } from '#lib/messages/format.ts';
import type { Locale } from '#lib/messages/locales.ts';

/** To the second in a time zone, with UTC in the title; marked as UTC if that is it. */
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
