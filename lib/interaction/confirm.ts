import { cookiesOf } from '../http/answers.ts';
import type { HttpRequest } from '../http/message.ts';
import { type FactorResult, proveByCode, proveByRecoveryCode } from '../identity/factor-proof.ts';
import { amrOfPasskey, readProof } from '../identity/passkeys.ts';
import { signInUnlessBusy } from '../identity/sign-in.ts';
import { amrBy } from '../identity/ways.ts';
import type { MessageKey } from '../messages/keys.ts';
import { multiFactorAmr } from '../oauth/acr.ts';
import { hasFactor, readFactors } from '../store/factors.ts';
import type { Session } from '../store/sessions.ts';
import { minutesUntil } from '../store/throttles.ts';
import { findUser, type User } from '../store/users.ts';
import { continueAddress, toAccount } from './return-to.ts';
import { finishSignIn } from './signed-in.ts';
import { mayUseApp, mayUsePasskey, type Wanted } from './ways-to-confirm.ts';

/** What a signed-in user enters to confirm that it is really them. */
export type Confirmation = {
  password: string;
  /** A code of their authenticator app, or a recovery code. */
  code: string;
  /** The response of a passkey as JSON, and the sealed challenge that it answers. */
  credential: string;
  challenge: string;
};

export type ConfirmFault =
  | { kind: Exclude<keyof typeof messages, 'wait'> }
  | { kind: 'wait'; minutes: number };

const messages = {
  nothing: 'confirm.nothing',
  wrong: 'confirm.wrong',
  away: 'signIn.away',
  code: 'confirm.code',
  'code-missing': 'confirm.codeMissing',
  'recovery-code': 'confirm.recoveryCode',
  passkey: 'confirm.passkeyWrong',
  'other-passkey': 'confirm.otherPasskey',
  busy: 'confirm.busy',
  elsewhere: 'confirm.elsewhere',
  wait: 'signIn.throttled',
} as const satisfies Record<string, MessageKey>;

/** The message about a fault. `wait`: minutes until the next attempt. */
export function messageOf(fault: ConfirmFault): { key: MessageKey; wait?: number } {
  const key = messages[fault.kind];
  return fault.kind === 'wait' ? { key, wait: fault.minutes } : { key };
}

/** What was entered, and what is wanted: a fresh sign-in by default. */
type Given = Confirmation & { wanted?: Wanted };

/**
 * Signs the user of a session in again, with the proof that the sign-in page would ask for. The
 * attempt is counted, recorded and renews the session as there. Returns the cookies to be set; if
 * they are not set, the session stays as it was.
 */
export async function confirmSignIn(
  request: HttpRequest,
  session: Session,
  given: Given,
  now: Date,
): Promise<{ cookies: string[] } | ConfirmFault> {
  const proved = given.credential
    ? await byPasskey(request, session, given, now)
    : await byPassword(request, session, given, now);
  if ('kind' in proved) return proved;
  const { user, amr } = proved;
  // Skips the questions that otherwise follow a sign-in (keep an account that is to be deleted?
  // link a provider's account?), because the form must not wait for them.
  const location = continueAddress(toAccount);
  const signedIn = { user, amr, brief: session.brief, location };
  const answer = await finishSignIn(request, signedIn, toAccount, now);
  // Another step is due, such as choosing a new password. The sign-in pages lead through it.
  if (answer?.headers.location !== location) return { kind: 'elsewhere' };
  return { cookies: cookiesOf(answer) };
}

type Proved = { user: User; amr: string } | ConfirmFault;

async function byPasskey(
  request: HttpRequest,
  session: Session,
  answer: Given,
  now: Date,
): Promise<Proved> {
  const proof = await readProof(null, answer, request, now);
  const user = proof?.userId === session.user.id ? await findUser(proof.userId) : null;
  if (!proof || !user || user.disabled) return { kind: 'passkey' };
  return mayUsePasskey(answer.wanted ?? 'fresh', proof.passkey.id)
    ? { user, amr: amrBy('passkey', amrOfPasskey(proof)) }
    : { kind: 'other-passkey' };
}

async function byPassword(
  request: HttpRequest,
  { user: { id, username } }: Session,
  { password, code, wanted = 'fresh' }: Given,
  now: Date,
): Promise<Proved> {
  if (!password) return { kind: 'nothing' };
  const demandsFactor = hasFactor(await readFactors(id));
  if (demandsFactor && !code.trim()) return { kind: 'code-missing' };
  if (demandsFactor && isOfApp(code) && !mayUseApp(wanted)) return { kind: 'recovery-code' };
  const result = await signInUnlessBusy(request, { login: username, password }, now);
  if (typeof result === 'string') return { kind: result };
  if ('refusedUntil' in result) return waiting(result.refusedUntil, now);
  const { user } = result;
  if (user.id !== id) return { kind: 'wrong' };
  if (!demandsFactor) return { user, amr: amrBy('password') };
  const proof = await byCode(request, user, code.trim(), now);
  if (typeof proof !== 'object') return { kind: 'code' };
  return 'refusedUntil' in proof
    ? waiting(proof.refusedUntil, now)
    : { user, amr: multiFactorAmr(amrBy('password'), proof.methods) };
}

const waiting = (until: Date, now: Date): ConfirmFault => ({
  kind: 'wait',
  minutes: minutesUntil(until, now),
});

/** An authenticator app's code has six digits; a recovery code is longer. */
const isOfApp = (code: string) => /^\d{3}\s?\d{3}$/.test(code.trim());

function byCode(request: HttpRequest, user: User, code: string, now: Date): Promise<FactorResult> {
  return isOfApp(code)
    ? proveByCode(request, user, code, now)
    : proveByRecoveryCode(request, user, code, now);
}
