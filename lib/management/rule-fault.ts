import type { Sentence } from '../messages/sentence.ts';
import type { Wording } from '../oauth/wording.ts';

/** What a rule says, for whoever reads another language: tests/messages/wordings.test.ts holds that each key is there. */
export function ofRule(said: Wording): Sentence;
export function ofRule(said: Wording | null): Sentence | null;
export function ofRule(said: Wording | null): Sentence | null {
  return said as Sentence | null;
}
