import { z } from 'zod';
import type { HttpRequest } from '../http/message.ts';
import { digest } from '../oauth/secrets.ts';
import { browserDigest, browserOf } from '../sealed/browser.ts';
import { cookieOf, setCookie } from '../sealed/cookies.ts';
import { seal, unseal } from '../sealed/seal.ts';
import { findUser, type User } from '../store/users.ts';

/** After a right password there is no session yet, but this: prove a factor, set the first one up, or choose another password. */
export type Step = { kind: 'prove' | 'enrol' | 'renew'; user: User; amr: string };

/** Seconds; the password is typed again after that. */
const life = 15 * 60;

const value = z.object({
  k: z.enum(['prove', 'enrol', 'renew']),
  u: z.string(),
  /** As the account was when the password was right: another password or a reset ends the step. */
  p: z.string(),
  e: z.number(),
  m: z.string(),
  b: z.string(),
  /** Id of the pending authorization request, '' for none. */
  f: z.string(),
  t: z.number(),
});

type PageRequest = Pick<HttpRequest, 'header'>;

/** The cookie that remembers the right password until the factor is proved, for this browser and this flow alone. */
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

/** The step this browser stands at in this flow, while the account is as it was. */
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
