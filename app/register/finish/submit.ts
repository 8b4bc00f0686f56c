import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { finishRegistration, openAccountLink } from '#lib/identity/registration.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readForm } from '#lib/interaction/form.ts';
import { pendingRequestOfBrowser } from '#lib/interaction/pending-request.ts';
import { stepAddress, toAccount } from '#lib/interaction/return-to.ts';
import { signInBy } from '#lib/interaction/signed-in.ts';
import { agreedIn, notAgreed, storeAnswer } from '#lib/interaction/terms.ts';
import { first } from '#lib/oauth/params.ts';
import { findUser } from '#lib/store/users.ts';

/**
 * Creates the account with the link that confirms the address, signs the user in, and continues.
 */
export async function submitFinish(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const token = first(fields, 'token');
  const page: OwnAddress = `/register/finish?token=${encodeURIComponent(token ?? '')}`;
  const link = await openAccountLink(token, now);
  if (!link) return redirect(page);
  const value = (name: string) => first(fields, name) ?? '';
  const input = { username: value('username'), name: value('name'), password: value('password') };
  const agreed = await agreedIn(fields, now);
  const made =
    agreed === 'not-agreed' ? notAgreed : await finishRegistration(link, input, request, now);
  if (made === 'dead') return redirect(page);
  if ('errors' in made) {
    const { password: _, ...values } = input;
    return redirect(page, [
      await flashCookie({ page: '/register/finish', fieldErrors: made.errors, values }),
    ]);
  }
  if (typeof agreed === 'object')
    await storeAnswer({ ...agreed, answer: 'agreed', userId: made.id }, request, now);
  const user = await findUser(made.id);
  const flow = await pendingRequestOfBrowser(link.flow, request);
  const way = flow
    ? { sealed: link.flow ?? undefined, flowId: flow.id, back: undefined }
    : toAccount;
  const signedIn = user && (await signInBy(request, { by: 'link', user }, way, now));
  return signedIn ?? redirect(stepAddress('/login', way));
}
