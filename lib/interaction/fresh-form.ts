import { cookiesOf, redirect } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { isFresh } from '../identity/guards.ts';
import { readSession } from '../identity/session.ts';
import { first, type Params } from '../oauth/params.ts';
import { withCookies } from '../sealed/cookies.ts';
import type { Session } from '../store/sessions.ts';
import { type Confirmation, confirmSignIn, messageOf } from './confirm.ts';
import { confirmFields, formField } from './confirm-fields.ts';
import { flashCookie } from './flash.ts';
import { type UserWork, withUser } from './form.ts';
import { isThereAWay, type Wanted, waysToConfirm } from './ways-to-confirm.ts';

/** The page that a form is on. */
export type FormPlace = {
  page: OwnAddress;
  /** The page's address while it asks for a confirmation, if it differs. */
  at?: (fields: Params) => OwnAddress;
  /** The key of the page's flash messages, if it is not its address. */
  flash?: string;
  /** The fields that keep their values while the page asks for a confirmation. */
  keeps?: readonly string[];
  /** What proof the form requires, if not a fresh sign-in. */
  wants?: (session: Session, fields: Params) => Wanted | Promise<Wanted>;
  /** The response if the request can't be fulfilled as typed. Sent before a code is spent on it. */
  refuses?: (session: Session, fields: Params) => Promise<HttpResponse | null>;
};

/**
 * Handles an account form that requires a fresh sign-in or stronger proof. If the session lacks it,
 * the form's confirmation fields can provide it, as on the sign-in page. Otherwise nothing is done,
 * and the page asks for it within the form.
 * @throws PageRefusal
 */
export function withFreshUser(
  request: HttpRequest,
  now: Date,
  place: FormPlace,
  work: UserWork,
): Promise<HttpResponse> {
  return withUser(request, now, place.page, async (session, fields) => {
    const refused = await place.refuses?.(session, fields);
    if (refused) return refused;
    const wanted = (await place.wants?.(session, fields)) ?? 'fresh';
    if (await isEnough(session, wanted, now)) return work(session, fields);
    const given = confirmationIn(fields);
    const confirmed = given && (await confirmSignIn(request, session, { ...given, wanted }, now));
    if (!confirmed) return askAgain(fields, place, { key: 'confirm.needed' });
    if ('kind' in confirmed) return askAgain(fields, place, messageOf(confirmed));
    const renewed = await readSession(withCookies(request, confirmed.cookies), now);
    return renewed.session && isFresh(renewed.session, now)
      ? withCookiesBefore(await work(renewed.session, fields), confirmed.cookies)
      : askAgain(fields, place, messageOf({ kind: 'elsewhere' }));
  });
}

/** The sign-in is fresh, and no stronger proof is wanted or possible. */
export async function isEnough(session: Session, wanted: Wanted, now: Date): Promise<boolean> {
  if (!isFresh(session, now)) return false;
  return wanted === 'fresh' || !isThereAWay(await waysToConfirm(session.user.id, wanted));
}

/** What was entered to confirm the sign-in; null if the form did not ask for it. */
function confirmationIn(fields: Params): Confirmation | null {
  const { password, code, credential, challenge } = confirmFields;
  if (!fields.has(password) && !fields.has(credential)) return null;
  const text = (name: string) => first(fields, name) ?? '';
  return {
    password: text(password),
    code: text(code),
    credential: text(credential),
    challenge: text(challenge),
  };
}

async function askAgain(
  fields: Params,
  { page, at = () => page, flash, keeps = [] }: FormPlace,
  { key, wait }: ReturnType<typeof messageOf>,
): Promise<HttpResponse> {
  const kept = [formField, ...keeps].map((name) => [name, first(fields, name) ?? '']);
  const fieldErrors = { [confirmFields.password]: key };
  const address = at(fields);
  const notice = { page: flash ?? address, fieldErrors, wait, values: Object.fromEntries(kept) };
  return redirect(address, [await flashCookie(notice)]);
}

/** The response's own cookies come last, so that its flash message replaces one that is cleared. */
function withCookiesBefore(answer: HttpResponse, cookies: readonly string[]): HttpResponse {
  return {
    ...answer,
    headers: { ...answer.headers, 'set-cookie': [...cookies, ...cookiesOf(answer)] },
  };
}
