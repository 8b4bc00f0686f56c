import { OAuthRefusal, PageRefusal, type Refusal, trueRefusal } from '../oauth/errors.ts';
import { type Facts, type Rule, shownOf } from '../oauth/facts.ts';
import {
  recordTrace,
  type TracedNote,
  type TracedRefusal,
  type TraceStepName,
} from '../store/traces.ts';
import type { HttpRequest } from './message.ts';

/** What a refusal keeps of a list of what would have been right. */
const mostExpected = 20;

/** Those that are no part of the attempt whose code or token was brought: somebody else brought it. */
const others = new Set<Rule>([
  'code.other-client',
  'refresh-token.other-client',
  'device-code.other-client',
]);
/** Forms of ours: what they refuse is about the form, unless it belongs to an attempt or a provider has answered. */
const forms = new Set<TraceStepName>(['sign-in', 'consent']);

/** Hands a request to the recorder of traces, if it is one of an attempt. HEAD leaves nothing behind. */
export function traceRequest(
  step: TraceStepName,
  { id: requestId, method, about }: Pick<HttpRequest, 'id' | 'method' | 'about'>,
  refusal: Refusal | undefined,
  now: Date,
): void {
  const { attempt, clientId, userId, behind, notes } = about;
  if (about.isTrial) return;
  const cancelled = refusal instanceof PageRefusal && refusal.problem === 'cancelled';
  const outcome = cancelled ? 'denied' : refusal ? 'refused' : about.outcome;
  if (outcome === null || method === 'HEAD') return;
  if (refusal && attempt === null && forms.has(step) && !isOfProvider(refusal)) return;
  const traced = outcome === 'refused' && refusal ? traceOf(refusal) : null;
  recordTrace(
    {
      attempt: traced && others.has(traced.rule) ? null : attempt,
      requestId,
      step: about.step ?? step,
      outcome,
      clientId,
      userId,
      behind,
      refusal: traced,
      notes: notes.map(noteOf),
    },
    now,
  );
}

/** Whether an admin can mend it where providers stand. An answer that nobody here has asked for is not worth a row. */
function isOfProvider(refusal: Refusal): boolean {
  const rule = refusal instanceof OAuthRefusal ? refusal.facts?.rule : undefined;
  return rule?.startsWith('provider.') === true && rule !== 'provider.state';
}

/** What is kept of a refusal; whatever somebody sent is cut, and masked where it could be a secret. */
function traceOf(refusal: Refusal): TracedRefusal {
  const facts = noteOf(trueRefusal(refusal).facts ?? { rule: 'other' });
  return { ...facts, code: refusal.code, reason: shownOf(refusal.reason) };
}

function noteOf({ rule, received, expected = [] }: Facts): TracedNote {
  return {
    rule,
    received: received === undefined ? null : shownOf(received),
    expected: expected.slice(0, mostExpected).map(shownOf),
  };
}
