import { type Sentence, sentence } from '../messages/sentence.ts';

/** What was typed, in the quotation marks of the reader's language: the first of them, shortened. */
export const quoted = (names: readonly string[]): Sentence[] =>
  names.slice(0, 5).map((name) => sentence('refused.quoted', { text: name.slice(0, 80) }));
