import { back, securityPage } from '#app/account/security/submit.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { forgetShownCodes, makeRecoveryCodes } from '#lib/identity/shown-codes.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readForm } from '#lib/interaction/form.ts';
import { type FormPlace, withFreshUser } from '#lib/interaction/fresh-form.ts';
import { continueAddress, readReturnTo } from '#lib/interaction/return-to.ts';
import { notify } from '#lib/mail/notify.ts';
import { hasFactor, readFactors } from '#lib/store/factors.ts';

const newCodes = { page: securityPage, wants: () => 'confirmed' } as const satisfies FormPlace;

/** Since codes can remove factors, this form itself asks for a factor. */
export function submitNewCodes(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withFreshUser(request, now, newCodes, async ({ user }) => {
    if (!hasFactor(await readFactors(user.id))) return back({ error: 'security.off' });
    const codes = await makeRecoveryCodes(user.id, request, now);
    await notify(user.id, 'recovery-codes-made', {}, now);
    return redirect('/account/security/codes', [codes]);
  });
}

/**
 * Called when the user has saved the codes: they are no longer shown, and the sign-in continues.
 */
export async function submitCodesKept(request: HttpRequest, _now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const way = await readReturnTo(fields, request);
  if (way.sealed !== undefined) return redirect(continueAddress(way), [forgetShownCodes()]);
  if (way.back !== undefined) return redirect(way.back, [forgetShownCodes()]);
  const notice = await flashCookie({ page: '/account/security', done: 'security.doneCodes' });
  return redirect('/account/security', [forgetShownCodes(), notice]);
}
