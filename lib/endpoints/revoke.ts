import { json } from '../http/answers.ts';
import { readBodyParams } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { Client } from '../oauth/client.ts';
import { refuse } from '../oauth/errors.ts';
import { first } from '../oauth/params.ts';
import { digest } from '../oauth/secrets.ts';
import { findAccessToken, revokeAccessToken } from '../store/access-tokens.ts';
import { audit } from '../store/audit.ts';
import { readRevision } from '../store/revision.ts';
import { findRefreshToken, revokeFamily } from '../store/tokens.ts';
import { checkNothingInQuery, checkNotRepeated, withClient } from './client-request.ts';

/**
 * Token revocation (RFC 7009): a client ends its own tokens; of others' it learns nothing. A
 * refresh token takes its family with it.
 * @throws OAuthRefusal
 */
export async function revoke(request: HttpRequest, now: Date): Promise<HttpResponse> {
  checkNothingInQuery(request);
  const params = await readBodyParams(request);
  checkNotRepeated(params);
  return withClient(params, request, await readRevision(), now, async (client) => {
    const presented = first(params, 'token') ?? refuse('invalid_request', 'token is missing.');
    await endToken(digest(presented), client, request, now);
    return json(200, {});
  });
}

async function endToken(
  hash: string,
  client: Client,
  request: HttpRequest,
  now: Date,
): Promise<void> {
  const { token: refreshToken } = await findRefreshToken(hash);
  const event = {
    type: 'token.revoked',
    clientId: client.id,
    address: request.address,
    requestId: request.id,
  } as const;
  if (refreshToken) {
    if (refreshToken.clientId !== client.id) return;
    await revokeFamily(refreshToken.familyId, now);
    await audit({ ...event, userId: refreshToken.userId, detail: { token: 'refresh_token' } }, now);
    return;
  }
  const { token: accessToken } = await findAccessToken(hash, now);
  if (accessToken?.clientId !== client.id) return;
  await revokeAccessToken(hash);
  await audit(
    { ...event, userId: accessToken.user?.id ?? null, detail: { token: 'access_token' } },
    now,
  );
}
