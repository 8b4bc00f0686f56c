import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { judgeAccess } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import { beginTrial, trialPage } from '#lib/interaction/provider-trial.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import { refusePage } from '#lib/oauth/errors.ts';
import { ensureBrowser } from '#lib/sealed/browser.ts';
import { withCookies } from '#lib/sealed/cookies.ts';
import { eventBy } from '#lib/store/actor.ts';
import { audit } from '#lib/store/audit.ts';
import type { Provider } from '#lib/store/providers.ts';

/**
 * Sends an admin to a provider to try it, which takes a fresh sign-in. The answer is only shown and
 * changes nothing. A link leads here, because our forms may not lead to another site.
 */
export async function tryAt(
  provider: Provider,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const { id, name } = provider;
  const access = judgeAccess((await readSession(request, now)).session, 'fresh-admin', now);
  if (!('session' in access)) {
    if (access.refused === 'not-allowed') refusePage('not_found', 'Only admins try providers.');
    return redirect(signInAt(trialPage(id)));
  }
  const by = actorAt(request, access.session.user.id);
  await audit(eventBy(by, 'provider.tried', { detail: { id, name } }), now);
  const { cookies } = ensureBrowser(request);
  const there = await beginTrial(provider, access.session, withBrowser(request, cookies), now);
  return redirect(there, cookies);
}

/** The request as the browser will send its next one; the trial is bound to it. */
const withBrowser = (request: HttpRequest, cookies: readonly string[]): HttpRequest => ({
  ...request,
  header: withCookies(request, cookies).header,
});
