import { refusalOf } from '#app/login/code/submit.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { codeCookieGone } from '#lib/identity/mail-code.ts';
import { linkByCode } from '#lib/identity/registration.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readForm } from '#lib/interaction/form.ts';
import { readPendingRequest } from '#lib/interaction/pending-request.ts';
import { withPendingRequest } from '#lib/interaction/return-to.ts';
import { first } from '#lib/oauth/params.ts';

/** Continues a registration with the six digits from the mail, just as the mail's link does. */
export async function submitRegistrationCode(
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const fields = await readForm(request);
  const sealed = first(fields, 'flow');
  if (sealed !== undefined) await readPendingRequest(sealed, request);
  const result = await linkByCode(first(fields, 'code') ?? '', sealed, request, now);
  if (typeof result === 'object' && 'token' in result)
    return redirect(`/register/finish?token=${result.token}`, [codeCookieGone()]);
  const refusal =
    result === 'gone'
      ? ({ error: 'mailCode.goneRegister' } as const)
      : refusalOf(result, 'link', now);
  const page = result === 'gone' ? '/register' : '/register/sent';
  return redirect(withPendingRequest(page, sealed), [await flashCookie({ page, ...refusal })]);
}
