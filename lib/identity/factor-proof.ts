import { actorAt } from '../http/actor.ts';
import type { HttpRequest } from '../http/message.ts';
import { ownAddress } from '../http/network.ts';
import { notify } from '../mail/notify.ts';
import { eventBy } from '../store/actor.ts';
import { audit, auditOnce } from '../store/audit.ts';
import { findTotp, readFactors, resealTotp, takeTotpStep } from '../store/factors.ts';
import { takeRecoveryCode } from '../store/recovery-codes.ts';
import { clearThrottle, giveBackTry, takeTry } from '../store/throttles.ts';
import type { User } from '../store/users.ts';
import { deviceTitle } from './device.ts';
import { type Answer, amrOfPasskey, readProof } from './passkeys.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import { throttleKeyOf } from './sign-in.ts';
import { sealedTotp, stepOfCode } from './totp.ts';

/** Three of a million codes are valid at any time: five tries, then the usual growing pauses. */
const limit = 5;

/** This many wrong codes in a row are no typo: the owner is notified by mail. */
const suspicious = 5;
/** After this many wrong codes, app codes stop working: a recovery code or a passkey is needed. */
const most = 50;

export type FactorResult =
  | { methods: string[] }
  | 'wrong'
  /** No app code is accepted until the user proves their identity another way. */
  | 'stopped'
  | { refusedUntil: Date };

/** Verifies a six-digit code from an authenticator app. Each code works once. */
export function proveByCode(
  request: HttpRequest,
  user: User,
  code: string,
  now: Date,
): Promise<FactorResult> {
  return guess({ request, user, kind: 'totp', now }, async () => {
    const stored = await findTotp(user.id);
    const secret = stored && (await sealedTotp.open(stored.sealedSecret));
    const step = secret ? stepOfCode(secret, code, now) : null;
    if (!stored || !secret || step === null) return false;
    if ((await takeTotpStep(user.id, stored.enrolment, step)) === 'used') return false;
    if (!sealedTotp.isCurrent(stored.sealedSecret))
      await resealTotp(user.id, stored.enrolment, await sealedTotp.seal(secret));
    return true;
  });
}

export async function proveByRecoveryCode(
  request: HttpRequest,
  user: User,
  code: string,
  now: Date,
): Promise<FactorResult> {
  const result = await guess({ request, user, kind: 'recovery', now }, async () => {
    const hash = recoveryCodeHash(user.id, code);
    return hash !== null && (await takeRecoveryCode(user.id, hash, now)) === 'taken';
  });
  if (typeof result === 'object' && 'methods' in result) {
    await audit(eventBy(actorAt(request, user.id), 'recovery-code.used', { userId: user.id }), now);
    const { recoveryCodes } = await readFactors(user.id);
    await notify(user.id, 'recovery-code-used', { left: String(recoveryCodes) }, now);
  }
  return result;
}

/** Counts the attempt before checking it, so parallel guesses can't exceed the limit. */
async function guess(by: Guess, isRight: () => Promise<boolean>): Promise<FactorResult> {
  const { request, user, kind, now } = by;
  const key = await triesAt(request, user, now);
  const taken = await takeTry({ key, limit, userId: user.id }, now);
  const noteOnce = (detail?: { stopped: true }) =>
    auditOnce(key, eventOf(by, 'factor.throttled', detail), now);
  if ('refusedUntil' in taken) {
    await noteOnce();
    return taken;
  }
  if (kind === 'totp' && taken.total > most) {
    await giveBackTry(key);
    await noteOnce({ stopped: true });
    return 'stopped';
  }
  if (!(await isRight())) {
    await audit(eventOf(by, 'factor.failure', { kind }), now);
    if (taken.total === suspicious || taken.total === most)
      await tellOfGuesses(request, user, taken.total, now);
    return 'wrong';
  }
  await clearThrottle(key);
  return { methods: ['otp'] };
}

/** One attempt to enter a code. */
type Guess = { request: HttpRequest; user: User; kind: 'totp' | 'recovery'; now: Date };

function eventOf(
  { request, user }: Guess,
  type: 'factor.throttled' | 'factor.failure',
  detail?: Record<string, string | boolean>,
) {
  return eventBy(actorAt(request, user.id), type, { userId: user.id, detail });
}

async function triesAt(request: HttpRequest, user: User, now: Date): Promise<string> {
  return `factor:${await throttleKeyOf(request, user, now)}`;
}

/** Wrong codes after the right password: most likely someone else knows the password. */
async function tellOfGuesses(
  request: HttpRequest,
  user: User,
  count: number,
  now: Date,
): Promise<void> {
  const device = deviceTitle(request.header('user-agent'));
  const values = { count: String(count), device, address: ownAddress(request) ?? '' };
  await notify(user.id, 'wrong-codes', values, now);
}

/**
 * Verifies one of this user's passkeys. A signature can't be guessed, so attempts aren't counted.
 */
export async function proveByPasskey(
  request: HttpRequest,
  user: User,
  answer: Answer,
  now: Date,
): Promise<FactorResult> {
  const proof = await readProof(user.id, answer, request, now);
  if (proof) {
    await clearThrottle(await triesAt(request, user, now));
    return { methods: amrOfPasskey(proof) };
  }
  await auditOnce(
    user.id,
    eventBy(actorAt(request, user.id), 'factor.failure', {
      userId: user.id,
      detail: { kind: 'passkey' },
    }),
    now,
  );
  return 'wrong';
}
