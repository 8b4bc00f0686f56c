import { brandNow } from '../brand.ts';
import { en, type MessageValues } from './compiled/en.ts';
import { formatsOf, type Locale, languages } from './locales.ts';
import { type Chosen, chosenPieces } from './message.ts';

export type MessageKey = keyof typeof en;

/** What a message is told, so a missing value does not compile. */
export type Values<K extends MessageKey, V> = K extends keyof MessageValues<V>
  ? MessageValues<V>[K]
  : Record<never, never>;
type ValueArguments<K extends MessageKey> = K extends keyof MessageValues<string>
  ? [values: MessageValues<string>[K]]
  : [];
/** Messages that are told nothing. */
export type PlainKey = Exclude<MessageKey, keyof MessageValues<string>>;

export type Text = <K extends MessageKey>(key: K, ...values: ValueArguments<K>) => string;

/** The product name: as branded, else the default. The same in every language. */
export function productName(): string {
  return brandNow().name || en['product.name'];
}

/** The pieces of a message in the variant that the values choose, for callers that insert more than plain text. */
export function piecesIn(
  locale: Locale,
  key: MessageKey,
  values: Readonly<Record<string, unknown>> = {},
): Chosen[] {
  const message = key === 'product.name' ? productName() : languages[locale].messages[key];
  return chosenPieces(message, values, formatsOf(locale));
}

/** The translating function of one language: `textIn('en')('signIn.title')`. */
export function textIn(locale: Locale): Text {
  return (key, ...values) => fill(locale, key, values[0] ?? {});
}

export type Say = (key: string | undefined, values?: Record<string, string>) => string | undefined;

/** Looks up messages whose keys arrived as strings; undefined if there is no such key. */
export function sayIn(locale: Locale): Say {
  return (key, values = {}) =>
    key !== undefined && Object.hasOwn(en, key)
      ? fill(locale, key as MessageKey, values)
      : undefined;
}

function fill(
  locale: Locale,
  key: MessageKey,
  values: Readonly<Record<string, string | number>>,
): string {
  const pieces = piecesIn(locale, key, values).map((piece) => {
    if (typeof piece === 'string') return piece;
    if ('hole' in piece) return isolatedIn(locale, String(values[piece.hole] ?? ''));
    return isolatedIn(locale, countIn(locale, Number(values[piece.number])));
  });
  return pieces.join('');
}

/** A count as the language writes it. */
export function countIn(locale: Locale, count: number): string {
  return new Intl.NumberFormat(formatsOf(locale)).format(count);
}

const isolates = /[\u2066-\u2069]/g;

/** Isolates names, hosts and numbers, which keep their direction in right-to-left sentences. */
function isolatedIn(locale: Locale, value: string): string {
  if (languages[locale].direction === 'ltr' || value === '') return value;
  return `\u2068${value.replace(isolates, '')}\u2069`;
}
