import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { askForEmailChange } from '#lib/identity/email-change.ts';
import { backTo, withPerson } from '#lib/interaction/form.ts';
import { languageOfRequest } from '#lib/interaction/language.ts';
import { chooseNotices } from '#lib/mail/notify.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { first } from '#lib/oauth/params.ts';

/** Where the forms below stand. */
export const accountMailPage = '/account/mail';

/** Another e-mail address: a link goes to it, and nothing changes before it is used. */
export function submitEmailChange(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withPerson(request, now, accountMailPage, async (session, fields) => {
    if (!canSendMail()) return redirect(accountMailPage);
    const [typed, password] = [
      first(fields, 'email') ?? '',
      first(fields, 'current_password') ?? '',
    ];
    const asked = await askForEmailChange(
      session,
      typed,
      password,
      request,
      await languageOfRequest(request, now),
      now,
    );
    return 'errors' in asked
      ? backTo(accountMailPage, { fieldErrors: asked.errors, values: { email: typed } })
      : backTo(accountMailPage, { done: 'emailChange.sent', values: { sentTo: asked.email } });
  });
}

/** Which notices a person wants by mail. */
export function submitNotices(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withPerson(request, now, accountMailPage, async ({ user }, fields) => {
    const wanted = fields.get('notice') ?? [];
    const event = {
      actor: user.id,
      userId: user.id,
      address: request.address,
      requestId: request.id,
    };
    await chooseNotices(
      user.id,
      wanted,
      { type: 'notices.changed', ...event, detail: { wanted } },
      now,
    );
    return backTo(accountMailPage, { done: 'notices.done' });
  });
}
