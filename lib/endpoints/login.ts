import { redirect } from '../http/answers.ts';
import { readFormFields } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { checkFormPost } from '../identity/browser.ts';
import { noticeCookie } from '../identity/notice.ts';
import { PasswordsBusy } from '../identity/passwords.ts';
import { signIn } from '../identity/sign-in.ts';
import type { MessageKey } from '../messages/text.ts';
import { first } from '../oauth/params.ts';
import { afterFirstFactor } from './signed-in.ts';
import { at, noticePage, readWay } from './way.ts';

/** Sign-in with user name and password. A refusal goes back to the page, and loses nothing but the password. */
export async function submitLogin(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const way = await readWay(fields, request);
  const username = first(fields, 'username') ?? '';
  const password = first(fields, 'password') ?? '';
  const refuse = async (notice: { error?: MessageKey; fieldErrors?: Record<string, MessageKey> }) =>
    redirect(at('/login', way), [
      await noticeCookie({ page: loginPage(way.flowId), ...notice, values: { username } }),
    ]);

  if (!username.trim() || !password) {
    const missing: Record<string, MessageKey> = {};
    if (!username.trim()) missing.username = 'signIn.usernameMissing';
    if (!password) missing.password = 'signIn.passwordMissing';
    return refuse({ fieldErrors: missing });
  }
  const result = await signInUnlessBusy(request, username, password, now);
  if (typeof result === 'string') return refuse({ error: refusals[result] });
  return (
    (await afterFirstFactor(request, result.user, 'pwd', way, now)) ??
    refuse({ error: 'signIn.wrong' })
  );
}

const refusals = {
  wrong: 'signIn.wrong',
  throttled: 'signIn.throttled',
  busy: 'signIn.busy',
} as const;

async function signInUnlessBusy(
  request: HttpRequest,
  username: string,
  password: string,
  now: Date,
) {
  try {
    return await signIn(request, username, password, now);
  } catch (error) {
    if ((error as Error).name === PasswordsBusy.name) return 'busy';
    throw error;
  }
}

/** Names the sign-in page of a flow for its notices. */
export function loginPage(flowId: string | undefined): string {
  return noticePage('login', flowId);
}
