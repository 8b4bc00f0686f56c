import type { Total } from '../store/engine/page.ts';
import { countIn } from './formats.ts';
import type { Locale } from './locales.ts';

/** The values of a message with a count that stops at a limit, as in "10,000+ events". */
export const ofTotal = ({ count, more }: Total) => ({ count, more: String(more) });

/** Such a count alone, as in "10,000+". */
export function totalIn(locale: Locale, { count, more }: Total): string {
  return `${countIn(locale, count)}${more ? '+' : ''}`;
}
