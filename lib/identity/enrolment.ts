import { z } from 'zod';
import { actorAt } from '../http/actor.ts';
import type { HttpRequest, PageRequest } from '../http/message.ts';
import { newId } from '../oauth/secrets.ts';
import { sealed } from '../sealed/sealed.ts';
import type { AccountBasis } from '../store/account-basis.ts';
import { eventBy } from '../store/actor.ts';
import { storeTotp } from '../store/factors.ts';
import { newTotpSecret, sealedTotp, stepOfCode } from './totp.ts';

/** A TOTP secret awaiting its first code. It travels sealed in the form. */
export type Enrolment = { id: string; secret: string; sealed: string };

export const sealedEnrolment = sealed(
  'enrolment',
  z.object({ i: z.string(), s: z.string(), u: z.string() }),
  { max: 1000, bound: 'browser', life: 30 * 60, clock: 'e' },
);

/** Creates a secret for this user in this browser. */
export async function newEnrolment(
  userId: string,
  request: PageRequest,
  now: Date,
): Promise<Enrolment> {
  const [id, secret] = [newId(now), newTotpSecret()];
  const value = { i: id, s: secret, u: userId };
  return { id, secret, sealed: await sealedEnrolment.seal(value, request, now) };
}

/** Opens the secret a form sends back, if it was recently issued to this user in this browser. */
export async function openEnrolment(
  text: string | undefined,
  userId: string,
  request: PageRequest,
  now: Date,
): Promise<Enrolment | null> {
  const value = await sealedEnrolment.open(text, request, now);
  return text && value?.u === userId ? { id: value.i, secret: value.s, sealed: text } : null;
}

/** The account that gets the app, how its user has proved that it is theirs, and the secret. */
type Confirming = { user: { id: string }; basis: AccountBasis; enrolment: Enrolment };

/** Turns the authenticator app on after a correct code, and spends that code. */
export async function confirmEnrolment(
  { user: { id: userId }, basis, enrolment }: Confirming,
  code: string,
  request: HttpRequest,
  now: Date,
): Promise<'stored' | 'refused' | 'wrong'> {
  const step = stepOfCode(enrolment.secret, code, now);
  if (step === null) return 'wrong';
  const sealedSecret = await sealedTotp.seal(enrolment.secret);
  const event = eventBy(actorAt(request, userId), 'factor.added', {
    userId,
    detail: { kind: 'totp' },
  });
  const totp = { userId, enrolment: enrolment.id, sealedSecret, step };
  return storeTotp(totp, basis, event, now);
}
