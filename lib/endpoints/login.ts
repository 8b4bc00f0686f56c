import { redirect } from '../http/answers.ts';
import { readFormFields } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { backOf, signInAt } from '../identity/back.ts';
import { checkFormPost } from '../identity/browser.ts';
import { clearCookie } from '../identity/cookies.ts';
import { readBoundFlow } from '../identity/flow.ts';
import { noticeCookie } from '../identity/notice.ts';
import { PasswordsBusy } from '../identity/passwords.ts';
import { beginSession } from '../identity/session.ts';
import { deviceCookie, signIn } from '../identity/sign-in.ts';
import type { MessageKey } from '../messages/text.ts';
import { first } from '../oauth/params.ts';

/** Sign-in with user name and password. A refusal goes back to the page, and loses nothing but the password. */
export async function submitLogin(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const sealed = first(fields, 'flow');
  const flow = sealed === undefined ? null : await readBoundFlow(sealed, request);
  const page = loginPage(flow?.id);
  const wanted = backOf(first(fields, 'back'));
  const back = sealed === undefined ? signInAt(wanted) : `/login?flow=${sealed}`;
  const username = first(fields, 'username') ?? '';
  const password = first(fields, 'password') ?? '';
  const refuse = async (notice: { error?: MessageKey; fieldErrors?: Record<string, MessageKey> }) =>
    redirect(back, [await noticeCookie({ page, ...notice, values: { username } })]);

  if (!username.trim() || !password) {
    const missing: Record<string, MessageKey> = {};
    if (!username.trim()) missing.username = 'signIn.usernameMissing';
    if (!password) missing.password = 'signIn.passwordMissing';
    return refuse({ fieldErrors: missing });
  }
  const result = await signInUnlessBusy(request, username, password, now);
  if (typeof result === 'string') return refuse({ error: refusals[result] });
  const session = await beginSession(request, result.user, 'pwd', now);
  if (!session) return refuse({ error: 'signIn.wrong' });
  const next = sealed === undefined ? (wanted ?? '/account') : `/oauth/continue?flow=${sealed}`;
  return redirect(next, [session, await deviceCookie(request, result.user, now), clearCookie('notice')]);
}

const refusals = { wrong: 'signIn.wrong', throttled: 'signIn.throttled', busy: 'signIn.busy' } as const;

async function signInUnlessBusy(request: HttpRequest, username: string, password: string, now: Date) {
  try {
    return await signIn(request, username, password, now);
  } catch (error) {
    if ((error as Error).name === PasswordsBusy.name) return 'busy';
    throw error;
  }
}

/** Names the sign-in page of a flow for its notices. */
export function loginPage(flowId: string | undefined): string {
  return `login ${flowId ?? ''}`;
}
