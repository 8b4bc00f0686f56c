import { type Sentence, sentence } from '../messages/sentence.ts';

/** The first few of the typed names, shortened, in the quotation marks of the reader's language. */
export const quoted = (names: readonly string[]): Sentence[] =>
  names.slice(0, 5).map((name) => sentence('refused.quoted', { text: name.slice(0, 80) }));
