import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { askForEmailChange, askToConfirmEmail } from '#lib/identity/email-change.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { languageOfRequest } from '#lib/interaction/language.ts';
import { chooseNotices } from '#lib/mail/notify.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { first } from '#lib/oauth/params.ts';
import { eventBy } from '#lib/store/actor.ts';

/** The page of the forms below. */
export const accountMailPage = '/account/mail';

/** Requests a new email address. It gets a link, and nothing changes before the link is used. */
export function submitEmailChange(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, accountMailPage, async (session, fields) => {
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
      ? redirectWithFlash(accountMailPage, { fieldErrors: asked.errors, values: { email: typed } })
      : redirectWithFlash(accountMailPage, {
          done: 'emailChange.sent',
          values: { sentTo: asked.email },
        });
  });
}

/** Sends a link that confirms the address the user has. */
export function submitEmailOwn(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, accountMailPage, async ({ user }) => {
    if (!canSendMail()) return redirect(accountMailPage);
    const asked = await askToConfirmEmail(user, await languageOfRequest(request, now), now);
    if (asked === 'throttled')
      return redirectWithFlash(accountMailPage, { error: 'recover.throttled' });
    return asked === 'sent'
      ? redirectWithFlash(accountMailPage, {
          done: 'emailOwn.sent',
          values: { sentTo: user.email },
        })
      : redirect(accountMailPage);
  });
}

/** Stores which notifications a user wants by mail. */
export function submitNotices(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, accountMailPage, async ({ user }, fields) => {
    const wanted = fields.get('notice') ?? [];
    const about = { userId: user.id, detail: { wanted } };
    const event = eventBy(actorAt(request, user.id), 'notices.changed', about);
    await chooseNotices(user.id, wanted, event, now);
    return redirectWithFlash(accountMailPage, { done: 'notices.done' });
  });
}
