import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { denySignIn } from '#lib/identity/recovery.ts';
import { readForm } from '#lib/interaction/form.ts';
import { first } from '#lib/oauth/params.ts';

/** A person says that a sign-in was not theirs, and goes on to a new password. */
export async function submitNotMe(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const token = first(await readForm(request), 'token');
  const done = await denySignIn(token, request, now);
  if (done === 'dead') return redirect(`/recover/not-me?token=${encodeURIComponent(token ?? '')}`);
  if (done === 'done') return redirect('/recover/not-me/done');
  return redirect(`/recover/reset?token=${encodeURIComponent(done.resetToken)}`);
}
