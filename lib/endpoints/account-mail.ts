import { redirect } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { askForEmailChange, confirmEmail } from '../identity/email-change.ts';
import { canSendMail } from '../identity/mail/post.ts';
import { noticeCookie } from '../identity/notice.ts';
import { chooseNotices } from '../identity/notices.ts';
import { readSession } from '../identity/session.ts';
import { first } from '../oauth/params.ts';
import { backTo, readForm, withPerson } from './form.ts';
import { languageOfRequest } from './language.ts';

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

/** The link to the new address was opened, and the person whose account gets it said yes. */
export async function submitEmailConfirm(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const token = first(await readForm(request), 'token');
  const page: OwnAddress = `/account/email/confirm?token=${encodeURIComponent(token ?? '')}`;
  const { session } = await readSession(request, now);
  const outcome = await confirmEmail(token, session?.user.id, request, now);
  if (outcome === 'done') return redirect('/account/email/done');
  if (outcome === 'dead' || outcome === 'not-theirs') return redirect(page);
  return redirect(page, [
    await noticeCookie({ page: '/account/email/confirm', error: 'emailConfirm.taken' }),
  ]);
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
