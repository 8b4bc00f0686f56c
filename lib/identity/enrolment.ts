import { z } from 'zod';
import type { HttpRequest } from '../http/message.ts';
import { newId } from '../oauth/secrets.ts';
import { browserDigest, browserOf } from '../sealed/browser.ts';
import { seal, unseal } from '../sealed/seal.ts';
import { storeTotp } from '../store/factors.ts';
import { eventOf } from './events.ts';
import { newTotpSecret, stepOfCode } from './totp.ts';

/** A TOTP secret awaiting its first code. It travels sealed in the form. */
export type Enrolment = { id: string; secret: string; sealed: string };

const life = 30 * 60_000;
const maxSealed = 1000;
const value = z.object({
  i: z.string(),
  s: z.string(),
  u: z.string(),
  b: z.string(),
  e: z.number(),
});

type PageRequest = Pick<HttpRequest, 'header'>;

/** Creates a secret for this user in this browser. */
export async function newEnrolment(
  userId: string,
  request: PageRequest,
  now: Date,
): Promise<Enrolment> {
  const [id, secret] = [newId(now), newTotpSecret()];
  const b = browserDigest(browserOf(request) ?? '');
  return {
    id,
    secret,
    sealed: await seal('enrolment', { i: id, s: secret, u: userId, b, e: now.getTime() + life }),
  };
}

/** Opens the secret a form sends back, if it was recently issued to this user in this browser. */
export async function openEnrolment(
  sealed: string | undefined,
  userId: string,
  request: PageRequest,
  now: Date,
): Promise<Enrolment | null> {
  if (!sealed || sealed.length > maxSealed) return null;
  const parsed = value.safeParse(await unseal('enrolment', sealed));
  if (!parsed.success) return null;
  const { i, s, u, b, e } = parsed.data;
  if (u !== userId || b !== browserDigest(browserOf(request) ?? '') || e < now.getTime())
    return null;
  return { id: i, secret: s, sealed };
}

/** Turns the authenticator app on after a correct code, and spends that code. */
export async function confirmEnrolment(
  userId: string,
  enrolment: Enrolment,
  code: string,
  request: HttpRequest,
  now: Date,
): Promise<'stored' | 'already' | 'wrong'> {
  const step = stepOfCode(enrolment.secret, code, now);
  if (step === null) return 'wrong';
  const sealedSecret = await seal('totp', enrolment.secret);
  const event = eventOf(request, userId, 'factor.added', { kind: 'totp' });
  return storeTotp({ userId, enrolment: enrolment.id, sealedSecret, step }, event, now);
}
