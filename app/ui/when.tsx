import { agoIn, momentsIn, untilIn } from '#lib/messages/format.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { pageZone } from '../zone.ts';

/** How long ago, or how soon, with the exact time in the title; or never. */
export async function When({
  at,
  never,
  locale,
}: {
  at: Date | null;
  never?: string;
  locale: Locale;
}) {
  if (at === null) return never;
  const now = new Date();
  return (
    <time dateTime={at.toISOString()} title={momentsIn(locale, at, await pageZone())}>
      {at > now ? untilIn(locale, at, now) : agoIn(locale, at, now)}
    </time>
  );
}
