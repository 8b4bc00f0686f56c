import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { denySignInBy } from '#lib/identity/recovery.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readForm } from '#lib/interaction/form.ts';
import { first } from '#lib/oauth/params.ts';

/** The pages for users who get no new password here; each says what has happened. */
const pages = {
  done: '/recover/not-me/done',
  directory: '/recover/not-me/done?account=directory',
  disabled: '/recover/not-me/done?account=disabled',
  cleared: '/recover/not-me/done?account=cleared',
} as const satisfies Record<string, OwnAddress>;

/** Handles "this sign-in was not me", and continues to a new password. */
export async function submitNotMe(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const token = first(await readForm(request), 'token');
  const done = await denySignInBy(token, request, now);
  if (done === 'dead') return redirect(`/recover/not-me?token=${encodeURIComponent(token ?? '')}`);
  if (typeof done === 'string') return redirect(pages[done]);
  return redirect(`/recover/reset?token=${encodeURIComponent(done.resetToken)}`, [
    await flashCookie({ page: '/recover/reset', done: 'notMe.everyoneOut' }),
  ]);
}
