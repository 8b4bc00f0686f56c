import type { Sentence } from '../messages/sentence.ts';
import type { Wording } from '../oauth/wording.ts';

/** tests/messages/wordings.test.ts checks that every key exists. */
export function ofRule(said: Wording): Sentence;
export function ofRule(said: Wording | null): Sentence | null;
export function ofRule(said: Wording | null): Sentence | null {
  return said as Sentence | null;
}
