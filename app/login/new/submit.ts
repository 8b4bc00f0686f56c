import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { clearArrival, readArrival } from '#lib/identity/upstream/arrival.ts';
import { registerArrival } from '#lib/identity/upstream/new-account.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { readForm } from '#lib/interaction/form.ts';
import { loginFlashKey, readReturnTo, stepAddress } from '#lib/interaction/return-to.ts';
import { signInBy } from '#lib/interaction/signed-in.ts';
import { agreedIn, notAgreed, storeAnswer } from '#lib/interaction/terms.ts';
import { first } from '#lib/oauth/params.ts';
import { findIdentity } from '#lib/store/identities.ts';
import { findUser } from '#lib/store/users.ts';

/** Creates the account of a user who came from a provider, signs them in, and continues. */
export async function submitNewAccount(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const way = await readReturnTo(fields, request);
  request.about.attempt = way.flowId ?? null;
  const page = stepAddress('/login/new', way);
  const arrival = await readArrival(request, now);
  const input = { username: first(fields, 'username') ?? '', name: first(fields, 'name') ?? '' };
  const agreed = await agreedIn(fields, now);
  const register = () => (arrival ? registerArrival(arrival, input, request, now) : 'dead');
  const made = agreed === 'not-agreed' ? notAgreed : await register();
  const startAgain = async () =>
    redirect(stepAddress('/login', way), [
      clearArrival(),
      await flashCookie({ page: loginFlashKey(way.flowId), error: 'with.again' }),
    ]);
  if (made === 'dead') return startAgain();
  if ('errors' in made)
    return redirect(page, [
      await flashCookie({ page: '/login/new', fieldErrors: made.errors, values: input }),
    ]);
  if (typeof agreed === 'object')
    await storeAnswer({ ...agreed, answer: 'agreed', userId: made.id }, request, now);
  const user = await findUser(made.id);
  const identity = arrival && (await findIdentity(arrival));
  const from = identity
    ? { identityId: identity.id, sid: arrival.sid, provedAt: arrival.provedAt }
    : undefined;
  const cookies = [clearArrival()];
  const shown = { by: 'provider', device: 'expected', from } as const;
  const answer = user && (await signInBy(request, { ...shown, user, cookies }, way, now));
  return answer ?? startAgain();
}
