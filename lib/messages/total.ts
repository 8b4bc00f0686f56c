import type { Total } from '../store/engine/page.ts';
import { countIn } from './formats.ts';
import type { Locale } from './locales.ts';

/** What a message is told that counts no further than a list does: "10,000+ events". */
export const ofTotal = ({ count, more }: Total) => ({ count, more: String(more) });

/** The same without what was counted. */
export function totalIn(locale: Locale, { count, more }: Total): string {
  return `${countIn(locale, count)}${more ? '+' : ''}`;
}
