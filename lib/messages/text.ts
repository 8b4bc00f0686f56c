import { brandNow } from '../brand.ts';
import { en } from './compiled/en.ts';
import { fillMessage } from './fill.ts';
import { formatsOf } from './formats.ts';
import type { MessageKey, ValueArguments } from './keys.ts';
import { attributesOf, type Locale, messageOf } from './locales.ts';
import { type Chosen, chosenPieces, type Message } from './message.ts';
import type { Sentence } from './sentence.ts';

/**
 * Renders messages in one language. Code that formats dates or numbers next to them takes the
 * language from `locale`.
 */
export type Text = {
  <K extends MessageKey>(key: K, ...values: ValueArguments<K>): string;
  readonly locale: Locale;
};

/** The product name: as branded, else the default. The same in every language. */
export function productName(): string {
  return brandNow().name || en['product.name'];
}

/**
 * The pieces of a message, with the variants that the values select, for callers that insert more
 * than plain text.
 */
export function piecesIn(
  locale: Locale,
  key: MessageKey,
  values: Readonly<Record<string, unknown>> = {},
): Chosen[] {
  return chosenPieces(messageIn(locale, key), values, formatsOf(locale));
}

function messageIn(locale: Locale, key: MessageKey): Message {
  return key === 'product.name' ? productName() : messageOf(locale, key);
}

/** The translating function of one language: `textIn('en')('signIn.title')`. */
export function textIn(locale: Locale): Text {
  return Object.assign(
    <K extends MessageKey>(key: K, ...values: ValueArguments<K>) =>
      fill(locale, key, values[0] ?? {}),
    { locale },
  );
}

export type Say = (key: string | undefined, values?: Sentence['values']) => string | undefined;

/** Renders messages whose keys arrived as strings; undefined if there is no such key. */
export function sayIn(locale: Locale): Say {
  return (key, values = {}) =>
    key !== undefined && isMessageKey(key) ? fill(locale, key, values) : undefined;
}

/** Whether there is a message of this name. */
export const isMessageKey = (key: string): key is MessageKey => Object.hasOwn(en, key);

/** Renders a sentence, and the sentences within it. */
export function sentenceIn(locale: Locale, { key, values }: Sentence): string {
  return fill(locale, key, values);
}

/** Renders several sentences, by field. */
export const sentencesIn = (locale: Locale, said: Readonly<Record<string, Sentence>>) =>
  Object.fromEntries(
    Object.entries(said).map(([field, each]) => [field, sentenceIn(locale, each)]),
  );

function fill(locale: Locale, key: MessageKey, values: Sentence['values']): string {
  const { dir } = attributesOf(locale);
  return fillMessage(messageIn(locale, key), values, {
    locale,
    direction: dir,
    say: (within) => sentenceIn(locale, within),
  });
}
