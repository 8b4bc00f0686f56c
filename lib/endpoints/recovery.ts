import { redirect } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { OwnAddress, OwnPath } from '../http/own-address.ts';
import { signInAt } from '../identity/back.ts';
import { flowOfThisBrowser, readBoundFlow } from '../identity/flow.ts';
import { openLink } from '../identity/mail/links.ts';
import { noticeCookie } from '../identity/notice.ts';
import { passwordFault } from '../identity/password-rules.ts';
import { askForReset, resetByLink, takeAsking } from '../identity/recovery.ts';
import { endSessionOf } from '../identity/session.ts';
import type { MessageKey } from '../messages/text.ts';
import { first } from '../oauth/params.ts';
import { readFactors } from '../store/factors.ts';
import { minutesUntil } from '../store/throttles.ts';
import { readForm } from './form.ts';
import { languageOfRequest } from './language.ts';
import { loginPage } from './login.ts';

/** "Forgot your password?": the answer is the same whoever was named, and the work comes after it. */
export async function submitRecovery(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const sealed = first(fields, 'flow');
  if (sealed !== undefined) await readBoundFlow(sealed, request);
  const login = (first(fields, 'username') ?? '').trim().slice(0, 320);
  const back = async (
    path: OwnPath,
    notice: { error?: MessageKey; fieldErrors?: Record<string, MessageKey>; wait?: number },
  ) =>
    redirect(withFlow(path, sealed), [
      await noticeCookie({ page: path, ...notice, values: { username: login } }),
    ]);
  if (!login) return back('/recover', { fieldErrors: { username: 'signIn.usernameMissing' } });
  const asking = await takeAsking('recovery', login, request, now);
  if ('refusedUntil' in asking) {
    const wait = minutesUntil(asking.refusedUntil, now);
    return back('/recover', { error: 'recover.throttled', wait });
  }
  await askForReset(login, sealed, request, await languageOfRequest(request, now), now);
  return back('/recover/sent', {});
}

/** A new password by a mailed link. Then the person signs in with it, second factor and all, and goes on where they were. */
export async function submitReset(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const token = first(fields, 'token');
  const page: OwnAddress = `/recover/reset?token=${encodeURIComponent(token ?? '')}`;
  const opened = await openLink(token, ['reset'], now);
  if (!opened?.user) return redirect(page);
  const password = first(fields, 'new_password') ?? '';
  const fault = passwordFault(password, [opened.user.username, opened.user.email]);
  if (fault)
    return redirect(page, [
      await noticeCookie({ page: '/recover/reset', fieldErrors: { new_password: fault } }),
    ]);
  const done = await resetByLink(token, password, request, now);
  if (done === 'dead') return redirect(page);
  const flow = await flowOfThisBrowser(done.flow, request);
  // They were not made with the password, so they do not end with it; nor may a mail alone remove them.
  const hasPasskeys = (await readFactors(opened.user.id)).passkeys > 0;
  const notice = {
    page: loginPage(flow?.id),
    done: hasPasskeys ? 'signIn.afterPasswordPasskeys' : 'signIn.afterPassword',
    values: { username: opened.user.username },
  };
  // Whoever is signed in here may be somebody else, by their own or a planted session: the sign-in page would pass to their account.
  const cookies = [await endSessionOf(request, now), await noticeCookie(notice)];
  if (flow) return redirect(withFlow('/login', done.flow ?? undefined), cookies);
  return redirect(signInAt(hasPasskeys ? '/account/security' : undefined), cookies);
}

/** An address of ours that keeps the pending authorization request. */
export function withFlow(path: OwnPath, sealed: string | undefined): OwnAddress {
  return sealed === undefined ? path : `${path}?flow=${sealed}`;
}
