import { actorAt } from '../http/actor.ts';
import { json } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { findAccessToken, findPresented, openToken } from '../identity/tokens.ts';
import type { Client } from '../oauth/client.ts';
import { refuse } from '../oauth/errors.ts';
import { paramsOf } from '../oauth/ignored.ts';
import { first } from '../oauth/params.ts';
import { revokeAccessToken } from '../store/access-tokens.ts';
import { eventBy } from '../store/actor.ts';
import { audit } from '../store/audit.ts';
import { revokeAuthorization } from '../store/authorizations.ts';
import { readRevision } from '../store/engine/revision.ts';
import { authenticateClient } from './client-authentication.ts';
import { keepNoted, readProgramParams } from './program-params.ts';

/**
 * Token revocation (RFC 7009): a client can revoke only its own tokens and learns nothing about
 * others. Any refresh token, even a rotated one, revokes its whole authorization.
 * @throws OAuthRefusal
 */
export async function revoke(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const params = await readProgramParams(request, () => ({ known: paramsOf.present }));
  const client = await authenticateClient({ params, http: request }, await readRevision(), now);
  const presented = first(params, 'token') ?? refuse('invalid_request', 'token is missing.');
  await endToken(presented, client, request, now);
  return json(200, {});
}

async function endToken(
  text: string,
  client: Client,
  request: HttpRequest,
  now: Date,
): Promise<void> {
  const { presented } = await findPresented(await openToken(text, 'refreshToken'));
  const event = eventBy(actorAt(request, null), 'token.revoked', { clientId: client.id });
  if (presented) {
    if (presented.clientId !== client.id) return;
    keepNoted(request, presented.id);
    // Recorded only once; otherwise anyone with an old token could fill the audit log with it.
    if (await revokeAuthorization(presented.id, now))
      await audit({ ...event, userId: presented.userId, detail: { token: 'refresh_token' } }, now);
    return;
  }
  const { token: accessToken } = await findAccessToken(text, now);
  if (accessToken?.clientId !== client.id) return;
  keepNoted(request, accessToken.authorizationId);
  await revokeAccessToken(text, accessToken, now);
  await audit(
    { ...event, userId: accessToken.user?.id ?? null, detail: { token: 'access_token' } },
    now,
  );
}
