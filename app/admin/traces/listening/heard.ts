import { type AttemptPath, pathOf } from '#lib/management/attempt/path.ts';
import { fixFor, isForFile } from '#lib/management/attempt/trace-fixes.ts';
import { findLatestSignIn, listAttempts, type Trace } from '#lib/management/attempt/traces.ts';
import { showClient } from '#lib/management/client/clients.ts';
import type { Text } from '#lib/messages/text.ts';
import { type Difference, differenceFrom } from '../../../ui/attempts/difference.ts';
import { happenedIn, type Tone } from '../../../ui/attempts/happened.ts';
import { todoOf } from '../../../ui/attempts/rules.ts';
import { type Offer, offerOf } from '../offer.ts';

/** An attempt, in words. */
export type HeardAttempt = {
  id: string;
  path: AttemptPath;
  /** When its last request was received (ISO 8601). */
  at: string;
  tone: Tone;
  sentence: string;
  /** What to do about a refusal. */
  todo: string | null;
  received: Difference | null;
  expected: string[];
  /** Who could have sent the refused request. */
  sentBy: string | null;
  offer: Offer | null;
  /** Set if the change has to be made in the configuration file: the text that says so. */
  forFile: string | null;
};

/** What a listening page shows about an app. */
export type Heard = {
  attempts: HeardAttempt[];
  /** The latest sign-in that succeeded, and when (ISO 8601). */
  works: { traceId: string; sentence: string; at: string } | null;
};

const shown = 5;

/** The latest attempts of an app. @throws AdminRefusal if there is no such app */
export async function readHeard(text: Text, clientId: string): Promise<Heard> {
  const client = await showClient(clientId);
  const traces = await listAttempts(client.id, shown);
  const signIn = await findLatestSignIn(client.id);
  const attempts = [];
  for (const trace of traces) {
    const refused = refusedStep(trace);
    // Skipped for now: the recorder is still writing it, and will be done a moment later.
    if (trace.rule && !refused) continue;
    const fix = refused ? await fixFor(refused, client, trace.userId) : null;
    const forFile = fix !== null && (await isForFile(fix, client.id));
    const offer = refused && fix && !forFile ? offerOf(text, fix, refused.requestId, trace) : null;
    attempts.push(attemptOf(text, trace, offer, forFile));
  }
  return {
    attempts,
    works: signIn && {
      traceId: signIn.traceId,
      sentence: workedText(text, signIn),
      at: signIn.at.toISOString(),
    },
  };
}

function workedText(text: Text, { step, username }: NonNullable<SignIn>): string {
  if (step === 'bind' && username === null) return text('listening.worked.app');
  return text(`listening.worked.${step}`, { person: username ?? text('listening.someone') });
}

type SignIn = Awaited<ReturnType<typeof findLatestSignIn>>;

/** The request that refused the attempt, if its last one was refused. */
function refusedStep({ rule, steps }: Trace) {
  return rule === null ? undefined : steps.findLast((step) => step.rule === rule);
}

function attemptOf(text: Text, trace: Trace, offer: Offer | null, forFile: boolean): HeardAttempt {
  const { id, lastAt, rule } = trace;
  const refused = refusedStep(trace);
  const { received = null, expected = [] } = refused ?? { received: searched(trace) };
  return {
    id,
    path: pathOf(trace.steps),
    at: lastAt.toISOString(),
    tone: happenedIn(trace).tone,
    sentence: rule ? text(`attempts.rules.${rule}.what`) : reachedText(text, trace),
    todo: rule && todoOf(text, rule),
    received: received === null ? null : differenceFrom(received, expected),
    expected,
    sentBy: refused ? text(`attempts.behind.${refused.behind}`) : null,
    offer,
    forFile: forFile ? text('kept.refused.client') : null,
  };
}

/** What was searched over LDAP by the last request, and how many entries it found. */
function searched({ step, steps }: Trace): string | null {
  const search = step === 'search' ? steps.findLast((each) => each.step === step) : undefined;
  return search?.notes.find(({ rule }) => rule === 'ldap.search')?.received ?? null;
}

/** How far an attempt that was not refused has come. */
function reachedText(text: Text, { step, steps, outcome, username }: Trace): string {
  const person = username ?? text('listening.someone');
  if (outcome === 'denied') return text('listening.denied', { person });
  if (outcome === 'failed') return text('listening.failed');
  if (outcome === 'sign-in') return text('listening.signIn');
  if (outcome === 'consent')
    return username === null
      ? text('listening.consentSomeone')
      : text('listening.consent', { person });
  // The app got tokens by an exchange, an assertion or its own credentials: no one has signed in.
  if (step === 'token' && steps.every((each) => each.step === 'token'))
    return username === null
      ? text('listening.gotToken')
      : text('listening.gotTokenFor', { person });
  // Programs sign in with a password of their own before they search.
  if (step === 'bind' && username === null) return text('listening.boundItself');
  return text(`listening.reached.${step}`, { person });
}
