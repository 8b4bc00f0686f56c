import { redirect } from '../http/answers.ts';
import { readFormFields } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import type { Answer } from '../identity/passkeys.ts';
import { readSession } from '../identity/session.ts';
import type { MessageKey } from '../messages/text.ts';
import { first, type Params } from '../oauth/params.ts';
import { checkFormPost } from '../sealed/browser.ts';
import type { Session } from '../store/sessions.ts';
import { type Flash, flashCookie } from './flash.ts';
import { loginFlashKey, type ReturnTo, signInAt, stepAddress } from './return-to.ts';

/** The fields of a form that a page of ours gave to this browser. @throws PageRefusal */
export async function readForm(request: HttpRequest): Promise<Params> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  return fields;
}

/** What a form of a page under /account asks for, done for the person at this browser. */
export type UserWork = (session: Session, fields: Params) => Promise<HttpResponse>;

/**
 * Reads a form of a page under /account and does what it asks for its person. Whoever is signed in
 * no more signs in first and comes back to the page; what they had posted is kept nowhere.
 * @throws PageRefusal
 */
export async function withUser(
  request: HttpRequest,
  now: Date,
  page: string,
  work: UserWork,
  read: (request: HttpRequest) => Promise<Params> = readForm,
): Promise<HttpResponse> {
  const fields = await read(request);
  const { session } = await readSession(request, now);
  return session ? work(session, fields) : redirect(signInAt(page));
}

/** Back to a page, which says what happened. */
export async function redirectWithFlash(
  page: OwnAddress,
  notice: Omit<Flash, 'page'> & { error?: MessageKey; done?: MessageKey },
): Promise<HttpResponse> {
  return redirect(page, [await flashCookie({ page, ...notice })]);
}

/** The answer of an authenticator, as a form of ours carries it. */
export function readAnswer(fields: Params): Answer {
  return {
    credential: first(fields, 'credential') ?? '',
    challenge: first(fields, 'challenge') ?? '',
  };
}

/** The right password was too long ago, or the account has changed: from the beginning. */
export async function startOver(way: ReturnTo): Promise<HttpResponse> {
  return redirect(stepAddress('/login', way), [
    await flashCookie({ page: loginFlashKey(way.flowId), error: 'factor.expired' }),
  ]);
}
