import type { TraceRecord } from '#lib/management/attempt/traces.ts';
import type { Rule } from '#lib/oauth/facts.ts';

type Ended = Pick<TraceRecord, 'step' | 'outcome' | 'rule' | 'asked' | 'renewed'>;

/** What became of an attempt, at a glance. */
export type Tone = 'done' | 'waits' | 'denied' | 'refused';

/** The key of its message. */
type What =
  | `attempts.rules.${Rule}.what`
  | `attempts.outcomes.${Ended['outcome']}`
  | `attempts.steps.${Ended['step']}`
  | `attempts.happened.${'code' | 'signed-in' | 'renewed' | 'token'}`;

/** What happened in an attempt, and not only in its last request. */
export function happenedIn({ rule, outcome, step, asked, renewed }: Ended): {
  tone: Tone;
  what: What;
} {
  if (rule !== null) return { tone: 'refused', what: `attempts.rules.${rule}.what` };
  if (outcome !== 'done') return { tone: tones[outcome], what: `attempts.outcomes.${outcome}` };
  switch (step) {
    case 'authorize':
    case 'sign-in':
    case 'second-step':
    case 'consent':
      return { tone: 'waits', what: 'attempts.happened.code' };
    case 'device':
      return { tone: 'waits', what: 'attempts.steps.device' };
    case 'token':
    case 'refresh':
    case 'userinfo':
    case 'introspect':
    case 'guard': {
      const got = renewed || step === 'refresh' ? 'renewed' : asked ? 'signed-in' : 'token';
      return { tone: 'done', what: `attempts.happened.${got}` };
    }
    default:
      return { tone: 'done', what: `attempts.steps.${step}` };
  }
}

const tones = {
  'sign-in': 'waits',
  consent: 'waits',
  denied: 'denied',
  failed: 'refused',
  refused: 'refused',
} as const;
