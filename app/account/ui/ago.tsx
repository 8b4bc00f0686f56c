import { agoIn } from '#lib/messages/format.ts';
import type { Locale } from '#lib/messages/locales.ts';

/** A relative time, which needs no time zone. */
export function Ago({ at, now = new Date(), locale }: { at: string; now?: Date; locale: Locale }) {
  return (
    <time dateTime={at}>
      <bdi>{agoIn(locale, new Date(at), now)}</bdi>
    </time>
  );
}
