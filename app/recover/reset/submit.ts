import { addCookies, redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { passwordFault } from '#lib/identity/password-rules.ts';
import { resetByLink } from '#lib/identity/recovery.ts';
import { endSessionOf } from '#lib/identity/session.ts';
import { signedOutCookies } from '#lib/identity/session-cookie.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readForm } from '#lib/interaction/form.ts';
import { pendingRequestOfBrowser } from '#lib/interaction/pending-request.ts';
import { type ReturnTo, stepAddress, toAccount } from '#lib/interaction/return-to.ts';
import { signInBy } from '#lib/interaction/signed-in.ts';
import { openLink } from '#lib/mail/links.ts';
import { first } from '#lib/oauth/params.ts';
import { turnCookie } from '#lib/sealed/browser.ts';
import { readFactors } from '#lib/store/factors.ts';
import { findUser } from '#lib/store/users.ts';

/**
 * Sets a new password with a mailed link, and signs the user in. If a second factor is required, it
 * is asked for first.
 */
export async function submitReset(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const token = first(fields, 'token');
  const page: OwnAddress = `/recover/reset?token=${encodeURIComponent(token ?? '')}`;
  const opened = await openLink(token, ['reset'], now);
  if (!opened?.user) return redirect(page);
  const password = first(fields, 'new_password') ?? '';
  const fault = await passwordFault(password, opened.user);
  if (fault)
    return redirect(page, [
      await flashCookie({ page: '/recover/reset', fieldErrors: { new_password: fault } }),
    ]);
  const done = await resetByLink(token, password, request, now);
  if (done === 'dead') return redirect(page);
  // Ends the session in this browser, which may be someone else's or planted.
  await endSessionOf(request, now);
  const way = await wayOn(done.flow, opened.user.id, request);
  const user = await findUser(opened.user.id);
  const signedIn = user && (await signInBy(request, { by: 'link', user }, way, now));
  return signedIn
    ? addCookies(signedIn, [turnCookie(request, user.id)])
    : redirect(stepAddress('/login', way), signedOutCookies(request));
}

/**
 * Passkeys don't depend on the password, so they stay, and a mail alone must not remove them. Users
 * who are not on their way to an app are shown their passkeys.
 */
async function wayOn(
  sealed: string | null,
  userId: string,
  request: HttpRequest,
): Promise<ReturnTo> {
  const flow = await pendingRequestOfBrowser(sealed, request);
  if (flow) return { sealed: sealed ?? undefined, flowId: flow.id, back: undefined };
  const { passkeys } = await readFactors(userId);
  return passkeys > 0 ? { ...toAccount, back: '/account/security' } : toAccount;
}
