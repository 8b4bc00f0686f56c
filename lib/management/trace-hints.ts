import { mayUse } from '../store/access.ts';
import { findAuthorization } from '../store/authorizations.ts';
import { readSettings } from '../store/settings.ts';
import { listTraces, type Trace, type TraceStep } from '../store/trace-list.ts';
import type { ClientRecord } from './clients.ts';
import { showUser } from './users.ts';

/** What may have gone wrong in an attempt where nothing was refused, and what one click can change. */
export type Hint = { kind: 'iss' | 'email' | 'access'; value: string; requestId: string };

const before = new Set<TraceStep['step']>(['authorize', 'sign-in', 'second-step', 'consent']);

/** The hints of an attempt: they are guesses, from what is true now. */
export async function hintsFor(trace: Trace, client: ClientRecord, now: Date): Promise<Hint[]> {
  const { authorization } = await findAuthorization(trace.id);
  const hints = [
    await issHint(trace, client, authorization?.redeemedAt ?? null, now),
    await emailHint(trace, client, authorization?.scope ?? ''),
    await accessHint(trace, client),
  ];
  return hints.filter((hint) => hint !== null);
}

/** A code that nobody redeemed, and another attempt after it: the app may have refused the answer. */
async function issHint(
  trace: Trace,
  client: ClientRecord,
  redeemedAt: Date | null,
  now: Date,
): Promise<Hint | null> {
  const issued = trace.steps.findLast(
    ({ step, outcome }) => outcome === 'done' && (step === 'authorize' || step === 'consent'),
  );
  const isOpen = trace.steps.every(
    ({ step, outcome }) => before.has(step) && outcome !== 'refused',
  );
  if (!client.sendIss || !issued || !isOpen || redeemedAt !== null) return null;
  const { codeTtl } = await readSettings();
  if (now.getTime() <= issued.at.getTime() + codeTtl * 1000) return null;
  const { rows } = await listTraces({ clientId: client.id, since: issued.at, limit: 20 });
  const wentOn = rows.some(({ id, startedAt }) => id !== trace.id && startedAt > issued.at);
  return wentOn ? { kind: 'iss', value: '', requestId: issued.requestId } : null;
}

/** The app asked for the address, and was told that it is not confirmed. */
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

/** Somebody was turned away who may still not use the app, and could be let in. */
async function accessHint(
  { userId, clientId, steps }: Trace,
  client: ClientRecord,
): Promise<Hint | null> {
  const turnedAway = steps.findLast(({ rule }) => rule === 'access.not-listed');
  if (!turnedAway || userId === null || clientId !== client.id) return null;
  const user = await showUser(userId).catch(() => null);
  if (!user || (await mayUse(user.id, client))) return null;
  return { kind: 'access', value: user.username, requestId: turnedAway.requestId };
}
