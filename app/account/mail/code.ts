import { refusalOf } from '#app/login/code/submit.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { confirmEmailByCode } from '#lib/identity/email-change.ts';
import { codeCookieGone } from '#lib/identity/mail-code.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { withUser } from '#lib/interaction/form.ts';
import { first } from '#lib/oauth/params.ts';
import { accountMailPage } from './submit.ts';

/** Confirms an address with the six digits from the mail, just as the mail's link does. */
export function submitEmailCode(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, accountMailPage, async ({ user }, fields) => {
    const outcome = await confirmEmailByCode(user.id, first(fields, 'code') ?? '', request, now);
    if (outcome === 'done') return redirect('/account/email/done', [codeCookieGone()]);
    if (outcome === 'confirmed') return back({ done: 'emailOwn.done' }, true);
    if (outcome === 'taken') return back({ error: 'emailConfirm.taken' }, true);
    if (outcome === 'gone' || outcome === 'dead' || outcome === 'not-theirs')
      return back({ error: 'mailCode.goneAddress' }, true);
    return back(refusalOf(outcome, 'link', now), false);
  });
}

async function back(
  notice: Omit<Parameters<typeof flashCookie>[0], 'page'>,
  isOver: boolean,
): Promise<HttpResponse> {
  const flash = await flashCookie({ page: accountMailPage, ...notice });
  return redirect(accountMailPage, isOver ? [codeCookieGone(), flash] : [flash]);
}
