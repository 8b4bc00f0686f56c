import { OAuthRefusal, PageRefusal, type Refusal, trueRefusal } from '../oauth/errors.ts';
import { type Facts, type Rule, shownOf } from '../oauth/facts.ts';
import {
  recordTrace,
  type TracedNote,
  type TracedRefusal,
  type TraceStepName,
} from '../store/traces.ts';
import type { HttpRequest } from './message.ts';

/** How many of the expected values a refusal keeps. */
const mostExpected = 20;

/**
 * Refusals of a code or token that another client presented. They are not part of the attempt it
 * was issued in.
 */
const others = new Set<Rule>([
  'code.other-client',
  'refresh-token.other-client',
  'device-code.other-client',
]);
/** Their refusals concern the form alone, unless of an attempt or a provider's answer. */
const forms = new Set<TraceStepName>(['sign-in', 'consent']);

/**
 * Passes a request to the trace recorder if it is part of an attempt. HEAD requests leave no trace.
 */
export function traceRequest(
  step: TraceStepName,
  { id: requestId, method, about }: Pick<HttpRequest, 'id' | 'method' | 'about'>,
  refusal: Refusal | undefined,
  now: Date,
): void {
  const { attempt, clientId, userId, behind, notes } = about;
  if (about.isTrial || method === 'HEAD') return;
  if (refusal && !keepsRefusal(step, { method, about }, refusal)) return;
  const cancelled = refusal instanceof PageRefusal && refusal.problem === 'cancelled';
  const outcome = cancelled ? 'denied' : refusal ? 'refused' : about.outcome;
  if (outcome === null) return;
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

/**
 * Whether a refusal becomes part of an attempt. No other is counted: what is counted can be opened,
 * unless more of its kind came than are kept.
 */
export function keepsRefusal(
  step: TraceStepName | undefined,
  { method, about }: Pick<HttpRequest, 'method' | 'about'>,
  refusal: Refusal,
): boolean {
  if (step === undefined || about.isTrial || method === 'HEAD') return false;
  return about.attempt !== null || !forms.has(step) || isOfProvider(refusal);
}

/**
 * Whether an admin can fix the refusal in the provider's configuration. A provider's response that
 * no one here asked for is not worth a row.
 */
function isOfProvider(refusal: Refusal): boolean {
  const rule = refusal instanceof OAuthRefusal ? refusal.facts?.rule : undefined;
  return rule?.startsWith('provider.') === true && rule !== 'provider.state';
}

/** Values that were sent are shortened, and masked if they could be secrets. */
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
