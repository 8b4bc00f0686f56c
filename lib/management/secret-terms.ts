import { type Sentence, sentence } from '../messages/sentence.ts';
import { isSoundName } from '../oauth/name.ts';
import type { readDuration } from '../settings/duration.ts';
import { ofRule } from './rule-fault.ts';

/*
 * API keys, app passwords and registration tokens have in common that each has a name, and works for a time that
 * its maker chooses.
 */

const day = 86_400;
const mostDays = 365;

export const secretNameFault = (name: string): Sentence | null =>
  isSoundName(name, 60) ? null : sentence('refused.token.name');

/** What is wrong with the lifetime of such a secret. */
export function secretLifeFault(
  life: ReturnType<typeof readDuration>,
  range: 'refused.apiKey.lifeRange' | 'refused.appPassword.lifeRange' | 'refused.token.lifeRange',
): Sentence | null {
  const fault = 'fault' in life ? ofRule(life.fault) : rangeFault(life.seconds, range);
  return fault && sentence('refused.token.life', { fault });
}

const rangeFault = (seconds: number, range: Parameters<typeof secretLifeFault>[1]) =>
  seconds >= 60 && seconds <= mostDays * day ? null : sentence(range, { days: mostDays });
