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
import { noticeCookie, type PageNotice } from './flash.ts';
import { at, loginPage, signInAt, type Way } from './return-to.ts';

/** The fields of a form that a page of ours gave to this browser. @throws PageRefusal */
export async function readForm(request: HttpRequest): Promise<Params> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  return fields;
}

/** What a form of a page under /account asks for, done for the person at this browser. */
export type PersonsWork = (session: Session, fields: Params) => Promise<HttpResponse>;

/**
 * Reads a form of a page under /account and does what it asks for its person. Whoever is signed in
 * no more signs in first and comes back to the page; what they had posted is kept nowhere.
 * @throws PageRefusal
 */
export async function withPerson(
  request: HttpRequest,
  now: Date,
  page: string,
  work: PersonsWork,
  read: (request: HttpRequest) => Promise<Params> = readForm,
): Promise<HttpResponse> {
  const fields = await read(request);
  const { session } = await readSession(request, now);
  return session ? work(session, fields) : redirect(signInAt(page));
}

/** Back to a page, which says what happened. */
export async function backTo(
  page: OwnAddress,
  notice: Omit<PageNotice, 'page'> & { error?: MessageKey; done?: MessageKey },
): Promise<HttpResponse> {
  return redirect(page, [await noticeCookie({ page, ...notice })]);
}

/** The answer of an authenticator, as a form of ours carries it. */
export function readAnswer(fields: Params): Answer {
  return {
    credential: first(fields, 'credential') ?? '',
    challenge: first(fields, 'challenge') ?? '',
  };
}

/** The right password was too long ago, or the account has changed: from the beginning. */
export async function startOver(way: Way): Promise<HttpResponse> {
  return redirect(at('/login', way), [
    await noticeCookie({ page: loginPage(way.flowId), error: 'factor.expired' }),
  ]);
}
