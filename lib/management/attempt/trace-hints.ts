import { findAuthorization } from '../../store/authorizations.ts';
import { readSettings } from '../../store/settings.ts';
import { listAttempts, type Trace, type TraceStep } from '../../store/trace-list.ts';
import type { ClientRecord } from '../client/clients.ts';
import { showUser } from '../user/users.ts';

/**
 * What may have gone wrong in an attempt in which nothing was refused. `lost` can't be explained
 * from here, and offers no change.
 */
export type Hint = { kind: 'lost' | 'iss' | 'email'; value: string; requestId: string };

const before = new Set<TraceStep['step']>(['authorize', 'sign-in', 'second-step', 'consent']);

/** The hints of an attempt. They are guesses, based on what is true now. */
export async function hintsFor(trace: Trace, client: ClientRecord, now: Date): Promise<Hint[]> {
  const { authorization } = await findAuthorization(trace.id);
  const hints = [
    await lostHint(trace, client, authorization?.redeemedAt ?? null, now),
    await emailHint(trace, client, authorization?.scope ?? ''),
  ];
  return hints.filter((hint) => hint !== null);
}

/** Only the app knows why, unless only codes without `iss` ever worked for it. */
async function lostHint(
  trace: Trace,
  client: ClientRecord,
  redeemedAt: Date | null,
  now: Date,
): Promise<Hint | null> {
  const issued = issuedIn(trace);
  const isOpen = trace.steps.every(
    ({ step, outcome }) => before.has(step) && outcome !== 'refused',
  );
  if (!issued || !isOpen || redeemedAt !== null) return null;
  const { codeTtl } = await readSettings();
  if (now.getTime() <= issued.at.getTime() + codeTtl * 1000) return null;
  const kind = client.sendIss && (await goesOnOnlyWithoutIss(client.id)) ? 'iss' : 'lost';
  return { kind, value: '', requestId: issued.requestId };
}

/** The request of an attempt that was answered with a code. */
const issuedIn = ({ steps }: Trace) =>
  steps.findLast(
    ({ step, outcome }) => outcome === 'done' && (step === 'authorize' || step === 'consent'),
  );

/** The number of an app's attempts that are looked at. */
const asked = 50;

/** Whether the app redeemed only codes that came without `iss`, and at least one of these. */
async function goesOnOnlyWithoutIss(clientId: string): Promise<boolean> {
  const fetched = (await listAttempts(clientId, asked)).filter(({ steps }) =>
    steps.some(({ step, outcome }) => step === 'token' && outcome === 'done'),
  );
  const leftOut = fetched.flatMap((attempt) => {
    const issued = issuedIn(attempt);
    return issued ? [issued.notes.some(({ rule }) => rule === 'iss.left-out')] : [];
  });
  return leftOut.length > 0 && leftOut.every(Boolean);
}

/** The app asked for the email address, and was told that it is not verified. */
async function emailHint(
  { userId, clientId, steps }: Trace,
  client: ClientRecord,
  scope: string,
): Promise<Hint | null> {
  const told = steps.findLast(
    ({ step, outcome }) => outcome === 'done' && (step === 'token' || step === 'userinfo'),
  );
  if (!told || userId === null || clientId !== client.id || !scope.split(' ').includes('email'))
    return null;
  const user = await showUser(userId).catch(() => null);
  if (!user || user.emailVerified) return null;
  return { kind: 'email', value: user.email, requestId: told.requestId };
}
