import { redirect } from '../http/answers.ts';
import { readFormFields } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import type { Answer } from '../identity/passkeys.ts';
import { readSession } from '../identity/session.ts';
import type { MessageKey } from '../messages/keys.ts';
import { first, type Params } from '../oauth/params.ts';
import { checkFormPost, checkTurn } from '../sealed/browser.ts';
import type { Session } from '../store/sessions.ts';
import { type Flash, flashCookie } from './flash.ts';
import { loginFlashKey, type ReturnTo, signInAt, stepAddress } from './return-to.ts';

/** Reads a form that our page gave to this browser. @throws PageRefusal */
export async function readForm(request: HttpRequest): Promise<Params> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  return fields;
}

/**
 * Reads a form that acts for the account signed in at this browser, and checks that it was shown to
 * that account.
 * @throws PageRefusal
 */
export async function readOwnForm(request: HttpRequest): Promise<Params> {
  const fields = await readForm(request);
  checkTurn(request, fields);
  return fields;
}

export type UserWork = (session: Session, fields: Params) => Promise<HttpResponse>;

/**
 * Handles an account form. If the session has ended, redirects to the sign-in and then back to the
 * page; the posted fields are dropped.
 * @throws PageRefusal
 */
export async function withUser(
  request: HttpRequest,
  now: Date,
  page: string,
  work: UserWork,
): Promise<HttpResponse> {
  const fields = await readForm(request);
  const { session } = await readSession(request, now);
  if (!session) return redirect(signInAt(page));
  checkTurn(request, fields);
  return work(session, fields);
}

export async function redirectWithFlash(
  page: OwnAddress,
  notice: Omit<Flash, 'page'> & { error?: MessageKey; done?: MessageKey },
  cookies: readonly string[] = [],
): Promise<HttpResponse> {
  return redirect(page, [await flashCookie({ page, ...notice }), ...cookies]);
}

export function readAnswer(fields: Params): Answer {
  return {
    credential: first(fields, 'credential') ?? '',
    challenge: first(fields, 'challenge') ?? '',
  };
}

/** Starts the sign-in over, because the password step expired or the account has changed. */
export async function startOver(way: ReturnTo): Promise<HttpResponse> {
  return redirect(stepAddress('/login', way), [
    await flashCookie({ page: loginFlashKey(way.flowId), error: 'factor.expired' }),
  ]);
}
