import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { passwordFault } from '#lib/identity/password-rules.ts';
import { resetByLink } from '#lib/identity/recovery.ts';
import { endSessionOf } from '#lib/identity/session.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readForm } from '#lib/interaction/form.ts';
import { pendingRequestOfBrowser } from '#lib/interaction/pending-request.ts';
import { loginFlashKey, signInAt, withPendingRequest } from '#lib/interaction/return-to.ts';
import { openLink } from '#lib/mail/links.ts';
import { first } from '#lib/oauth/params.ts';
import { readFactors } from '#lib/store/factors.ts';

/**
 * Sets a new password by mailed link. The user then signs in with it, including any second factor,
 * and continues.
 */
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
      await flashCookie({ page: '/recover/reset', fieldErrors: { new_password: fault } }),
    ]);
  const done = await resetByLink(token, password, request, now);
  if (done === 'dead') return redirect(page);
  const flow = await pendingRequestOfBrowser(done.flow, request);
  // Passkeys don't depend on the password, so they stay; and a mail alone must not remove them.
  const hasPasskeys = (await readFactors(opened.user.id)).passkeys > 0;
  const notice = {
    page: loginFlashKey(flow?.id),
    done: hasPasskeys ? 'signIn.afterPasswordPasskeys' : 'signIn.afterPassword',
    values: { username: opened.user.username },
  };
  // Ends the session in this browser: it may be someone else's, or planted, and the sign-in page
  // would pass through to that account.
  const cookies = [await endSessionOf(request, now), await flashCookie(notice)];
  if (flow) return redirect(withPendingRequest('/login', done.flow ?? undefined), cookies);
  return redirect(signInAt(hasPasskeys ? '/account/security' : undefined), cookies);
}
