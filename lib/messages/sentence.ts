import type { MessageKey, ValueArguments } from './keys.ts';

/*
 * Messages for a reader whose language is not known yet, or who reads them elsewhere: rules return
 * them, notices carry them, and `sentenceIn` (text.ts) renders them. This file loads no messages.
 */

/** A value of a message: a text, a count, another message, or several messages. */
type Told = string | number | Sentence | readonly Sentence[];

/** A message and its values. */
export type Sentence = {
  readonly key: MessageKey;
  readonly values: Readonly<Record<string, Told>>;
};

/** Makes a sentence: `sentence('refused.group.missing', { name })`. */
export const sentence = <K extends MessageKey>(
  key: K,
  ...[values]: ValueArguments<K, Exclude<Told, number>>
): Sentence => ({ key, values: values ?? {} });
