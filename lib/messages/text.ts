import { brandNow } from '../brand.ts';
import { en } from './en.ts';
import { formatsOf, type Locale, languages } from './locales.ts';

export type MessageKey = keyof typeof en;
export type Messages = Record<MessageKey, string>;

/** The placeholder names of a message, so a missing value does not compile. */
type Holes<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Holes<Rest>
  : never;
export type Values<K extends MessageKey, V> = { [N in Holes<(typeof en)[K]>]: V };
type ValueArguments<K extends MessageKey, V> =
  Holes<(typeof en)[K]> extends never ? [] : [values: Values<K, V>];

/** Messages that have a variant for each plural category of their language. */
type CountedKey = {
  [K in MessageKey]: (typeof en)[K] extends `${'one' | 'other'}: ${string}` ? K : never;
}[MessageKey];
export type PlainKey = Exclude<MessageKey, CountedKey>;

export type Text = <K extends PlainKey>(key: K, ...values: ValueArguments<K, string>) => string;

/** The product name: as branded, else the default. The same in every language. */
export function productName(): string {
  return brandNow().name || en['product.name'];
}

/** A message with its `{name}` placeholders unfilled. */
export function messageIn(locale: Locale, key: MessageKey): string {
  return key === 'product.name' ? productName() : languages[locale].messages[key];
}

/** The translating function of one language: `textIn('en')('signIn.title')`. */
export function textIn(locale: Locale): Text {
  return (key, ...values) => fill(locale, key, values[0] ?? {});
}

/** Formats messages with a count, in the matching plural variant. */
export function countedIn(locale: Locale): (key: CountedKey, count: number) => string {
  return (key, count) => {
    const variants = variantsOf(messageIn(locale, key));
    const category = new Intl.PluralRules(formatsOf(locale)).select(count);
    const written = new Intl.NumberFormat(formatsOf(locale)).format(count);
    return fillIn(locale, variants.get(category) ?? variants.get('other') ?? '', {
      count: written,
    });
  };
}

/** The variants of a message with a count, by plural category. */
export function variantsOf(message: string): Map<string, string> {
  return new Map(
    message
      .split(' | ')
      .map((variant) => [variant.split(': ', 1)[0] ?? '', variant.replace(/^\w+: /, '')]),
  );
}

type Piece = { text: string } | { hole: string };

/** Splits a message at its placeholders, for callers that insert more than plain text. */
export function piecesOf(message: string): Piece[] {
  return message
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? { hole: part } : { text: part }))
    .filter((piece) => 'hole' in piece || piece.text !== '');
}

export type Say = (key: string | undefined, values?: Record<string, string>) => string | undefined;

/** Looks up messages whose keys arrived as strings; undefined if there is no such key. */
export function sayIn(locale: Locale): Say {
  return (key, values = {}) =>
    key !== undefined && Object.hasOwn(en, key)
      ? fill(locale, key as MessageKey, values)
      : undefined;
}

function fill(locale: Locale, key: MessageKey, values: Record<string, string>): string {
  return fillIn(locale, messageIn(locale, key), values);
}

function fillIn(locale: Locale, message: string, values: Record<string, string>): string {
  const given = (hole: string) => isolatedIn(locale, values[hole] ?? '');
  return piecesOf(message)
    .map((piece) => ('hole' in piece ? given(piece.hole) : piece.text))
    .join('');
}

const isolates = /[\u2066-\u2069]/g;

/** Isolates names, hosts and numbers, which keep their direction in right-to-left sentences. */
function isolatedIn(locale: Locale, value: string): string {
  if (languages[locale].direction === 'ltr' || value === '') return value;
  return `\u2068${value.replace(isolates, '')}\u2069`;
}
