import type { PageNotice } from '#lib/interaction/flash.ts';
import { minutesIn } from '#lib/messages/format.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { longestPause } from '#lib/store/throttles.ts';

/** How long whoever was refused has to wait, in words; where nobody knows, the longest it may be. */
export function waitIn(locale: Locale, notice: PageNotice | null): string {
  return minutesIn(locale, notice?.wait ?? longestPause / 60_000);
}
