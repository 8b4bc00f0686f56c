import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import type { ProviderFault } from '#lib/identity/upstream/fault.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { loginFlashKey, type ReturnTo, stepAddress } from '#lib/interaction/return-to.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { OAuthRefusal } from '#lib/oauth/errors.ts';
import type { Provider } from '#lib/store/providers.ts';

export const linkedPage = '/account/sign-in';

type To = { provider: Pick<Provider, 'name'>; way: ReturnTo; links: boolean };

/** Returns to the sign-in page or the account with a message. The fault is kept as an attempt. */
export async function turnAway(
  fault: ProviderFault,
  to: To,
  request: HttpRequest,
): Promise<HttpResponse> {
  const reason = `${to.provider.name}: ${fault.message}`;
  const refusal = new OAuthRefusal('access_denied', reason, {}, fault.facts);
  return { ...(await backWith({ error: fault.told }, to, request)), refusal };
}

/** The same without a fault. */
export async function backWith(
  said: { error?: MessageKey; done?: MessageKey },
  { provider, way, links }: To,
  request: HttpRequest,
  cookies: string[] = [],
): Promise<HttpResponse> {
  request.about.outcome ??= said.error ? 'failed' : null;
  const values = { provider: provider.name };
  if (links)
    return redirect(linkedPage, [
      ...cookies,
      await flashCookie({ page: linkedPage, ...said, values }),
    ]);
  const flash = await flashCookie({ page: loginFlashKey(way.flowId), ...said, values });
  return redirect(stepAddress('/login', way), [...cookies, flash]);
}
