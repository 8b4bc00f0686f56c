import type { Sentence } from '../messages/sentence.ts';
import type { Wording } from '../oauth/wording.ts';

/**
 * The wording of a rule as a sentence that can be translated. tests/messages/wordings.test.ts
 * checks that every key exists.
 */
export function ofRule(said: Wording): Sentence;
export function ofRule(said: Wording | null): Sentence | null;
export function ofRule(said: Wording | null): Sentence | null {
  return said as Sentence | null;
}
