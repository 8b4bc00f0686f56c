import { cookies } from 'next/headers';
import { actionRequest, pageRequest } from '#lib/http/next.ts';
import { isFresh, judgeAccess } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import {
  type Confirmation,
  type ConfirmFault,
  confirmSignIn,
  messageOf,
} from '#lib/interaction/confirm.ts';
import { confirmFields } from '#lib/interaction/confirm-fields.ts';
import { type Asking, askingOf } from '../asking.ts';
import { pageLocale } from '../locale.ts';

/** Takes the confirmation of a sign-in out of the form; null if the form did not ask for one. */
export function takeConfirmation(form: FormData): Confirmation | null {
  const asked = form.has(confirmFields.password) || form.has(confirmFields.credential);
  const take = (name: string) => {
    const value = form.get(name);
    form.delete(name);
    return typeof value === 'string' ? value : '';
  };
  const { password, code, credential, challenge } = confirmFields;
  const given = {
    password: take(password),
    code: take(code),
    credential: take(credential),
    challenge: take(challenge),
  };
  return asked ? given : null;
}

/**
 * Renews the user's sign-in if it is too old, and sets the cookies of the renewed session. It
 * decides nothing else: the caller reads the session again and checks it.
 */
export async function confirmFirst(given: Confirmation, now: Date): Promise<ConfirmFault | null> {
  const request = await actionRequest();
  const { session } = await readSession(request, now);
  const access = judgeAccess(session, 'enter', now);
  if (!('session' in access) || isFresh(access.session, now)) return null;
  const result = await confirmSignIn(request, access.session, given, now);
  if ('kind' in result) return result;
  const jar = await cookies();
  for (const cookie of result.cookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    const [, maxAge] = /; Max-Age=(\d+)/.exec(cookie) ?? [];
    const secure = name.startsWith('__Host-');
    const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const;
    jar.set({ name, value, ...attributes, ...(maxAge && { maxAge: Number(maxAge) }) });
  }
  return null;
}

/** How a user confirms who they are, within a form. */
export async function askToConfirm(
  user: { id: string; username: string },
  fault: ConfirmFault | null,
): Promise<Asking> {
  const request = await pageRequest();
  return askingOf({ request, user, locale: await pageLocale() }, fault && messageOf(fault));
}
