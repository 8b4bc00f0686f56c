import { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import { digest } from '../oauth/secrets.ts';
import { clearCookie, cookieOf, setCookie } from '../sealed/cookies.ts';
import { sealed } from '../sealed/sealed.ts';
import { signsIn } from '../store/identities.ts';
import type { FromProvider } from '../store/sessions.ts';
import { findUser, normalKey, type User } from '../store/users.ts';

/**
 * What comes between a correct first factor and the session: proving another factor, setting up the
 * first one, or choosing a new password. `kept-out`: the user may not use the app, and is spared
 * all of these.
 */
export type Step = {
  kind: 'prove' | 'enrol' | 'renew' | 'kept-out';
  user: User;
  amr: string;
  /** The user does not want to stay signed in here. */
  brief: boolean;
  /** The user has just created the account or chosen a new password in this browser. */
  device?: 'expected' | undefined;
  /** The provider sign-in they came from. */
  from?: FromProvider | undefined;
};

/** Seconds; after that the user must start again. */
export const stepLife = 15 * 60;

export const sealedStep = sealed(
  'step',
  z.object({
    k: z.enum(['prove', 'enrol', 'renew', 'kept-out']),
    u: z.string(),
    /** Digest of the password hash at that time. A new password ends the step. */
    p: z.string(),
    /** The account's epoch at that time. A reset ends the step. */
    e: z.number(),
    /**
     * Digest of the account's address at that time, which a mailed code may have proved. Changing
     * the address ends the step. Missing in steps from the previous release, which skip this check.
     */
    a: z.string().optional(),
    m: z.string(),
    /** Id of the pending request; '' if there is none. */
    f: z.string(),
    /** Brief; missing in a step from before brief sessions existed. */
    s: z.boolean().optional(),
    /** The device is expected. */
    d: z.boolean().optional(),
    /** The identity at a provider that they came with, and the provider's id for its session. */
    o: z.tuple([z.string(), z.string().nullable()]).optional(),
    /** When they proved there who they are, in milliseconds. */
    w: z.number().optional(),
  }),
  { max: 2000, bound: 'browser', life: stepLife, clock: 't' },
);

/** Carries a proved first factor to the next step, for this browser and request only. */
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
    ...(from?.provedAt && { w: from.provedAt.getTime() }),
  };
  return setCookie('step', await sealedStep.seal(value, request, now), stepLife);
}

export const clearStep = () => clearCookie('step');

const addressDigest = ({ email }: User) => digest(normalKey(email));

/**
 * The step this browser has reached in this pending request, as long as the account is unchanged.
 * If the user came with an identity, it must still be theirs and a way to sign in.
 */
export async function readStep(
  request: PageRequest,
  flowId: string | undefined,
  now: Date,
): Promise<Step | null> {
  const step = await sealedStep.open(cookieOf(request, 'step'), request, now);
  if (!step || step.f !== (flowId ?? '')) return null;
  const { k, u, p, e, a, m, s, d, o, w } = step;
  const user = await findUser(u);
  if (!user || user.disabled || user.epoch !== e || digest(user.passwordHash ?? '') !== p)
    return null;
  if (a !== undefined && addressDigest(user) !== a) return null;
  const provedAt = w === undefined ? null : new Date(w);
  const from = o && { identityId: o[0], sid: o[1], provedAt };
  if (from && !(await signsIn({ id: from.identityId, userId: u }))) return null;
  return { kind: k, user, amr: m, brief: s ?? false, device: d ? 'expected' : undefined, from };
}
