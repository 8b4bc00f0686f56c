import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import {
  askForEmailChange,
  askToConfirmEmail,
  emailChangeFault,
} from '#lib/identity/email-change.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { type FormPlace, withFreshUser } from '#lib/interaction/fresh-form.ts';
import { languageOfRequest } from '#lib/interaction/language.ts';
import { chooseNotices } from '#lib/mail/notify.ts';
import { canSendMail } from '#lib/mail/post.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { first, type Params } from '#lib/oauth/params.ts';

export const accountMailPage = '/account/mail';

const emailForm = {
  page: accountMailPage,
  keeps: ['email'],
  wants: () => 'confirmed',
  refuses: async ({ user }, fields) => {
    if (!canSendMail()) return redirectWithFlash(accountMailPage, { error: 'emailChange.off' });
    const fault = emailChangeFault(user, first(fields, 'email') ?? '');
    return fault && refuseEmail(fields, fault);
  },
} as const satisfies FormPlace;

/**
 * Requests a new email address. This takes the password and the second factor, or a passkey. The
 * new address gets a link and a code, and nothing changes until one of them is used.
 */
export function submitEmailChange(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withFreshUser(request, now, emailForm, async ({ user }, fields) => {
    const locale = await languageOfRequest(request, now);
    const typed = first(fields, 'email') ?? '';
    const asked = await askForEmailChange(user.id, { typed, locale }, request, now);
    return asked === 'throttled'
      ? refuseEmail(fields, 'recover.throttled')
      : sent('emailChange.sent', asked.email, asked.cookie);
  });
}

async function sent(done: MessageKey, sentTo: string, cookie: string): Promise<HttpResponse> {
  const flash = await flashCookie({ page: accountMailPage, done, values: { sentTo } });
  return redirect(accountMailPage, [cookie, flash]);
}

function refuseEmail(fields: Params, email: MessageKey): Promise<HttpResponse> {
  const values = { email: first(fields, 'email') ?? '' };
  return redirectWithFlash(accountMailPage, { fieldErrors: { email }, values });
}

/** Sends a link and a code that confirm the user's present address. */
export function submitEmailOwn(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, accountMailPage, async ({ user }) => {
    if (!canSendMail()) return redirectWithFlash(accountMailPage, { error: 'emailChange.off' });
    const locale = await languageOfRequest(request, now);
    const asked = await askToConfirmEmail(user, request, locale, now);
    if (asked === 'throttled')
      return redirectWithFlash(accountMailPage, { error: 'recover.throttled' });
    return asked === 'confirmed'
      ? redirectWithFlash(accountMailPage, { done: 'emailOwn.done' })
      : sent('emailOwn.sent', user.email, asked.cookie);
  });
}

export function submitNotices(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, accountMailPage, async ({ user }, fields) => {
    const wanted = fields.get('notice') ?? [];
    await chooseNotices(user, wanted, actorAt(request, user.id), now);
    return redirectWithFlash(accountMailPage, { done: 'notices.done' });
  });
}
