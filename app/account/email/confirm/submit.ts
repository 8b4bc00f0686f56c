import { accountMailPage } from '#app/account/mail/submit.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { confirmEmail } from '#lib/identity/email-change.ts';
import { readSession } from '#lib/identity/session.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readForm, redirectWithFlash } from '#lib/interaction/form.ts';
import { first } from '#lib/oauth/params.ts';

/** Confirms the address after its owner followed the link. */
export async function submitEmailConfirm(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const token = first(await readForm(request), 'token');
  const page: OwnAddress = `/account/email/confirm?token=${encodeURIComponent(token ?? '')}`;
  const { session } = await readSession(request, now);
  const outcome = await confirmEmail(token, session?.user.id, request, now);
  if (outcome === 'done') return redirect('/account/email/done');
  if (outcome === 'confirmed') return redirectWithFlash(accountMailPage, { done: 'emailOwn.done' });
  if (outcome === 'dead' || outcome === 'not-theirs') return redirect(page);
  return redirect(page, [
    await flashCookie({ page: '/account/email/confirm', error: 'emailConfirm.taken' }),
  ]);
}
