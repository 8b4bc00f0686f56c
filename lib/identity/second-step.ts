import { z } from 'zod';
import type { HttpRequest } from '../http/message.ts';
import { digest } from '../oauth/secrets.ts';
import { browserDigest, browserOf } from '../sealed/browser.ts';
import { cookieOf, setCookie } from '../sealed/cookies.ts';
import { seal, unseal } from '../sealed/seal.ts';
import { findUser, type User } from '../store/users.ts';

/**
 * What stands between a correct password and the session: verify a factor, set up the first one, or
 * choose a new password.
 */
export type Step = { kind: 'prove' | 'enrol' | 'renew'; user: User; amr: string };

/** Seconds; after that the password is required again. */
const life = 15 * 60;

const value = z.object({
  k: z.enum(['prove', 'enrol', 'renew']),
  u: z.string(),
  /**
   * The account's state when the password was verified: a new password or a reset ends the step.
   */
  p: z.string(),
  e: z.number(),
  m: z.string(),
  b: z.string(),
  /** Id of the pending request; '' if there is none. */
  f: z.string(),
  t: z.number(),
});

type PageRequest = Pick<HttpRequest, 'header'>;

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
  const { kind, user, amr } = step;
  const b = browserDigest(browserOf(request) ?? '');
  const p = digest(user.passwordHash ?? '');
  const sealed = await seal('step', {
    k: kind,
    u: user.id,
    p,
    e: user.epoch,
    m: amr,
    b,
    f: flowId ?? '',
    t: now.getTime(),
  });
  return setCookie('step', sealed, life);
}

/** The step this browser is at in this pending request, as long as the account is unchanged. */
export async function readStep(
  request: PageRequest,
  flowId: string | undefined,
  now: Date,
): Promise<Step | null> {
  const [cookie, browser] = [cookieOf(request, 'step'), browserOf(request)];
  if (!cookie || !browser || cookie.length > 2000) return null;
  const parsed = value.safeParse(await unseal('step', cookie));
  if (!parsed.success) return null;
  const { k, u, p, e, m, b, f, t } = parsed.data;
  if (b !== browserDigest(browser) || f !== (flowId ?? '') || now.getTime() - t > life * 1000)
    return null;
  const user = await findUser(u);
  if (!user || user.disabled || user.epoch !== e || digest(user.passwordHash ?? '') !== p)
    return null;
  return { kind: k, user, amr: m };
}
