import { brandNow } from '../brand.ts';
import { en } from './en.ts';

export type MessageKey = keyof typeof en;
export type Messages = Record<MessageKey, string>;

/** The names between braces in a message, so that a forgotten value does not compile. */
type Holes<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never;
export type Values<K extends MessageKey, V> = { [N in Holes<(typeof en)[K]>]: V };
export type ValueArguments<K extends MessageKey, V> = Holes<(typeof en)[K]> extends never ? [] : [values: Values<K, V>];

export type Text = <K extends MessageKey>(key: K, ...values: ValueArguments<K, string>) => string;

const languages: Record<string, Messages> = { en };
export const defaultLocale = 'en';

/** A message as written, its `{name}` holes still open. The product has the name that an admin gave it. */
export function messageIn(locale: string, key: MessageKey): string {
  return (key === 'product.name' && brandNow().name) || (languages[locale] ?? en)[key];
}

/** The translating function of one language: `textIn('en')('signIn.title')`. */
export function textIn(locale: string = defaultLocale): Text {
  return (key, ...values) => {
    const given: Record<string, string> = values[0] ?? {};
    return piecesOf(messageIn(locale, key))
      .map((piece) => ('hole' in piece ? (given[piece.hole] ?? '') : piece.text))
      .join('');
  };
}

export type Piece = { text: string } | { hole: string };

/** Splits a message at its holes, for callers that fill in more than plain text. */
export function piecesOf(message: string): Piece[] {
  return message
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? { hole: part } : { text: part }))
    .filter((piece) => 'hole' in piece || piece.text !== '');
}

/** The message of a key that travelled as text, with its values; undefined for none. */
export function sayKey(key: string | undefined, values: Record<string, string> = {}, locale = defaultLocale): string | undefined {
  if (key === undefined || !(key in en)) return undefined;
  return piecesOf(messageIn(locale, key as MessageKey))
    .map((piece) => ('hole' in piece ? (values[piece.hole] ?? '') : piece.text))
    .join('');
}
