import type { MessageKey, ValueArguments } from './keys.ts';

/*
 * What is to be said to somebody whose language is not known yet, or who reads it elsewhere: rules
 * give it, notices carry it, and `sentenceIn` (text.ts) says it. Nothing here loads the messages.
 */

/** What a message is told: a text, a count, another message, or several of them. */
type Told = string | number | Sentence | readonly Sentence[];

/** A message and what it is told. */
export type Sentence = {
  readonly key: MessageKey;
  readonly values: Readonly<Record<string, Told>>;
};

/** A message and what it is told: `sentence('refused.group.missing', { name })`. */
export const sentence = <K extends MessageKey>(
  key: K,
  ...[values]: ValueArguments<K, Exclude<Told, number>>
): Sentence => ({ key, values: values ?? {} });
