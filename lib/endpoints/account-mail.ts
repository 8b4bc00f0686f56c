import { redirect } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { askForEmailChange, confirmEmail } from '../identity/email-change.ts';
import { canSendMail } from '../identity/mail/post.ts';
import { noticeCookie, type PageNotice } from '../identity/notice.ts';
import { chooseNotices } from '../identity/notices.ts';
import { first } from '../oauth/params.ts';
import { readForm, requirePerson } from './forms.ts';

/** Where the forms below stand. */
export const accountMailPage = '/account/mail';

/** Another e-mail address: a link goes to it, and nothing changes before it is used. */
export async function submitEmailChange(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const session = await requirePerson(request, now);
  if (!canSendMail()) return redirect(accountMailPage);
  const [typed, password] = [first(fields, 'email') ?? '', first(fields, 'current_password') ?? ''];
  const asked = await askForEmailChange(session, typed, password, request, now);
  const notice: PageNotice =
    'errors' in asked
      ? { page: accountMailPage, fieldErrors: asked.errors, values: { email: typed } }
      : { page: accountMailPage, done: 'emailChange.sent', values: { sentTo: asked.email } };
  return redirect(accountMailPage, [await noticeCookie(notice)]);
}

/** The link to the new address was opened, and the person said yes. */
export async function submitEmailConfirm(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const token = first(await readForm(request), 'token');
  const outcome = await confirmEmail(token, request, now);
  if (outcome === 'done') return redirect('/account/email/done');
  const page = `/account/email/confirm?token=${encodeURIComponent(token ?? '')}`;
  if (outcome === 'dead') return redirect(page);
  return redirect(page, [await noticeCookie({ page: '/account/email/confirm', error: 'emailConfirm.taken' })]);
}

/** Which notices a person wants by mail. */
export async function submitNotices(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const { user } = await requirePerson(request, now);
  const wanted = fields.get('notice') ?? [];
  const event = { actor: user.id, userId: user.id, address: request.address, requestId: request.id };
  await chooseNotices(user.id, wanted, { type: 'notices.changed', ...event, detail: { wanted } }, now);
  return redirect(accountMailPage, [await noticeCookie({ page: accountMailPage, done: 'notices.done' })]);
}
