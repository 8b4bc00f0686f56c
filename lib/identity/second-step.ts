import { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import { digest } from '../oauth/secrets.ts';
import { cookieOf, setCookie } from '../sealed/cookies.ts';
import { sealed } from '../sealed/sealed.ts';
import { signsIn } from '../store/identities.ts';
import type { FromProvider } from '../store/sessions.ts';
import { findUser, normalKey, type User } from '../store/users.ts';

/**
 * What stands between a correct password and the session: verify a factor, set up the first one, or
 * choose a new password; or that the app may not be used, which spares them all of it.
 */
export type Step = {
  kind: 'prove' | 'enrol' | 'renew' | 'kept-out';
  user: User;
  amr: string;
  /** The user does not want to stay signed in here. */
  brief: boolean;
  /** The browser is no news to them: they have just made the account, or chosen a new password, in it. */
  device?: 'expected' | undefined;
  /** They came from a provider. */
  from?: FromProvider | undefined;
};

/** Seconds; after that the password is required again. */
export const stepLife = 15 * 60;

export const sealedStep = sealed(
  'step',
  z.object({
    k: z.enum(['prove', 'enrol', 'renew', 'kept-out']),
    u: z.string(),
    /** Digest of the password hash when the password was verified. A new password ends the step. */
    p: z.string(),
    /** The account's epoch then. A reset ends the step. */
    e: z.number(),
    /**
     * Digest of the account's address then, which a mailed code may have proved. Another address ends the step.
     * Missing in a step of the release before, which goes on without.
     */
    a: z.string().optional(),
    m: z.string(),
    /** Id of the pending request; '' if there is none. */
    f: z.string(),
    /** Brief; missing in a step from before there were such sessions. */
    s: z.boolean().optional(),
    /** The device is expected. */
    d: z.boolean().optional(),
    /** The identity at a provider that they came by, and what it calls its session. */
    o: z.tuple([z.string(), z.string().nullable()]).optional(),
  }),
  { max: 2000, bound: 'browser', life: stepLife, clock: 't' },
);

/**
 * The cookie that carries the verified password step to the factor, for this browser and pending
 * request only.
 */
export async function stepCookie(
  request: PageRequest,
  step: Step,
  flowId: string | undefined,
  now: Date,
): Promise<string> {
  const { kind, user, amr, brief, device, from } = step;
  const p = digest(user.passwordHash ?? '');
  const value = {
    k: kind,
    u: user.id,
    p,
    e: user.epoch,
    a: addressDigest(user),
    m: amr,
    f: flowId ?? '',
    s: brief,
    d: device === 'expected',
    ...(from && { o: [from.identityId, from.sid] as [string, string | null] }),
  };
  return setCookie('step', await sealedStep.seal(value, request, now), stepLife);
}

const addressDigest = ({ email }: User) => digest(normalKey(email));

/**
 * The step this browser is at in this pending request, as long as the account is unchanged, and the identity that
 * they came by still theirs and a way to sign in.
 */
export async function readStep(
  request: PageRequest,
  flowId: string | undefined,
  now: Date,
): Promise<Step | null> {
  const step = await sealedStep.open(cookieOf(request, 'step'), request, now);
  if (!step || step.f !== (flowId ?? '')) return null;
  const { k, u, p, e, a, m, s, d, o } = step;
  const user = await findUser(u);
  if (!user || user.disabled || user.epoch !== e || digest(user.passwordHash ?? '') !== p)
    return null;
  if (a !== undefined && addressDigest(user) !== a) return null;
  const from = o && { identityId: o[0], sid: o[1] };
  if (from && !(await signsIn({ id: from.identityId, userId: u }))) return null;
  return { kind: k, user, amr: m, brief: s ?? false, device: d ? 'expected' : undefined, from };
}
