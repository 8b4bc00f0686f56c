import { countIn, formatsOf } from './formats.ts';
import type { Locale } from './locales.ts';
import { chosenPieces, type Message } from './message.ts';

/** A language as the reader sees it. */
export type Reading = { locale: Locale; direction: 'ltr' | 'rtl' };

/** The text of a message with what it is told. Without a catalogue, so that scripts in the browser can use it. */
export function fillMessage(
  message: Message,
  values: Readonly<Record<string, string | number>>,
  reading: Reading,
): string {
  const pieces = chosenPieces(message, values, formatsOf(reading.locale)).map((piece) => {
    if (typeof piece === 'string') return piece;
    if ('hole' in piece) return isolated(String(values[piece.hole] ?? ''), reading);
    return isolated(countIn(reading.locale, Number(values[piece.number])), reading);
  });
  return pieces.join('');
}

const isolates = /[\u2066-\u2069]/g;

/** Isolates names, hosts and numbers, which keep their direction in right-to-left sentences. */
function isolated(value: string, { direction }: Reading): string {
  if (direction === 'ltr' || value === '') return value;
  return `\u2068${value.replace(isolates, '')}\u2069`;
}
