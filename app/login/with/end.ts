import { actorAt } from '#lib/http/actor.ts';
import { readFormFields } from '#lib/http/body.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { logouts } from '#lib/identity/back-channel.ts';
import { ProviderFault } from '#lib/identity/upstream/fault.ts';
import { readLogoutToken, usedBefore } from '#lib/identity/upstream/logout.ts';
import { OAuthRefusal, refuse } from '#lib/oauth/errors.ts';
import { first } from '#lib/oauth/params.ts';
import { tooMany } from '#lib/oauth/too-many.ts';
import { eventBy } from '#lib/store/actor.ts';
import { endSessionsFrom } from '#lib/store/sessions.ts';
import { giveBackTry, takeTries } from '#lib/store/throttles.ts';
import { providerAt } from './begin.ts';
import { triesOf } from './tries.ts';

/**
 * The provider reports that a user has signed out there, so sessions opened through it end here
 * (OpenID Connect Back-Channel Logout 1.0 sections 2.5 to 2.8).
 */
export async function endAt(slug: string, request: HttpRequest, now: Date): Promise<HttpResponse> {
  const provider = await providerAt(slug);
  const token = first(await readFormFields(request), 'logout_token');
  if (!token) refuse('invalid_request', 'logout_token is missing.');
  const tries = triesOf(request, 'provider-logout');
  const tried = await takeTries(tries, now);
  if ('refusedUntil' in tried)
    throw tooMany(
      'Too many logout tokens were refused.',
      tried.refusedUntil.getTime() - now.getTime(),
      { rule: 'other' },
    );
  try {
    const { ended, token: spent } = await readLogoutToken(provider, token, now);
    const detail = { by: 'provider', provider: provider.name };
    const eventOf = (userId: string) =>
      eventBy(actorAt(request, null), 'session.ended', { userId, detail });
    if (!(await endSessionsFrom(ended, spent, eventOf, now))) throw usedBefore();
    for (const { key } of tries) await giveBackTry(key);
    logouts.soon();
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: '' };
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    const reason = `${provider.name}: ${error.message}`;
    throw new OAuthRefusal('invalid_request', reason, {}, error.facts);
  }
}
