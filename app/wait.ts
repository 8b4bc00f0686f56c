import type { Flash } from '#lib/interaction/flash.ts';
import { minutesIn } from '#lib/messages/format.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { longestPause } from '#lib/store/throttles.ts';

/** The remaining wait in words; the longest possible wait if it is unknown. */
export function waitIn(locale: Locale, notice: Flash | null): string {
  return minutesIn(locale, notice?.wait ?? longestPause / 60_000);
}

/** The values that the messages of a flash can contain: the wait, and the tries or seconds left. */
export function toldBy(locale: Locale, notice: Flash | null) {
  const count = (name: string) => Number(notice?.values?.[name] ?? 0);
  return { wait: waitIn(locale, notice), left: count('left'), seconds: count('seconds') };
}
