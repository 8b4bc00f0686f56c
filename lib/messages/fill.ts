import { countIn, formatsOf } from './formats.ts';
import type { Locale } from './locales.ts';
import { chosenPieces, type Message } from './message.ts';
import type { Sentence } from './sentence.ts';

/** A language as the reader sees it. */
export type Reading = {
  locale: Locale;
  direction: 'ltr' | 'rtl';
  /** Renders a sentence that is a value of another. Missing in browsers, where there are none. */
  say?: (within: Sentence) => string;
};

/** The text of a message with its values. Needs no catalogue, so browser scripts can use it. */
export function fillMessage(
  message: Message,
  values: Sentence['values'],
  reading: Reading,
): string {
  const pieces = chosenPieces(message, values, formatsOf(reading.locale)).map((piece) => {
    if (typeof piece === 'string') return piece;
    if ('hole' in piece) return told(values[piece.hole] ?? '', reading);
    return isolated(countIn(reading.locale, Number(values[piece.number])), reading);
  });
  return pieces.join('');
}

function told(value: Sentence['values'][string], reading: Reading): string {
  if (typeof value !== 'object') return isolated(String(value), reading);
  const within = 'key' in value ? [value] : value;
  return within.map((each) => reading.say?.(each) ?? '').join(', ');
}

const isolates = /[\u2066-\u2069]/g;

/**
 * Isolates names, hosts and numbers, so that they keep their direction in right-to-left sentences.
 */
function isolated(value: string, { direction }: Reading): string {
  if (direction === 'ltr' || value === '') return value;
  return `\u2068${value.replace(isolates, '')}\u2069`;
}
