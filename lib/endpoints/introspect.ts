import { config } from '../config.ts';
import { json } from '../http/answers.ts';
import { readBodyParams } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { log } from '../log.ts';
import type { Client } from '../oauth/client.ts';
import { refuseClient } from '../oauth/client-auth.ts';
import { refuse } from '../oauth/errors.ts';
import { seconds } from '../oauth/id-token.ts';
import { first } from '../oauth/params.ts';
import { digest } from '../oauth/secrets.ts';
import { findAccessToken, type LiveAccessToken } from '../store/access-tokens.ts';
import { findRefreshToken } from '../store/tokens.ts';
import { findUser } from '../store/users.ts';
import { checkNothingInQuery, checkNotRepeated, withClient } from './client-request.ts';

/**
 * Token introspection (RFC 7662) for confidential clients. A client sees its own tokens; a
 * resource server sees everybody's access tokens, but no refresh tokens: those are never shown
 * to a resource, so one that comes there is a mistake or an attack.
 * @throws OAuthRefusal
 */
export async function introspect(request: HttpRequest, now: Date): Promise<HttpResponse> {
  checkNothingInQuery(request);
  const params = await readBodyParams(request);
  checkNotRepeated(params);
  const presented = first(params, 'token');
  const hash = digest(presented ?? '');
  // Looking tells nobody anything: one statement finds the token and what the client is judged by.
  const { revision, token } = await findAccessToken(hash, now);
  return withClient(params, request, revision, now, async (client) => {
    if (client.type === 'public') refuseClient('A public client asked for introspection.', false);
    if (presented === undefined) refuse('invalid_request', 'token is missing.');
    const told = token
      ? describeAccessToken(token, client)
      : await describeRefreshToken(hash, client, now);
    if (token && !told) noteForeignToken(token, client, request);
    return json(200, told ?? { active: false });
  });
}

/** The answer tells nothing; the operator may see why a client hears that every token is dead. */
function noteForeignToken(token: LiveAccessToken, client: Client, request: HttpRequest): void {
  log().info(
    {
      requestId: request.id,
      clientId: client.id,
      tokenOf: token.clientId,
      reason:
        'The token was issued to another client, and this one is no resource server (client update ID --resource-server on).',
    },
    'introspection answered inactive',
  );
}

function describeAccessToken(
  token: LiveAccessToken,
  client: Client,
): Record<string, unknown> | null {
  if (token.clientId !== client.id && !client.resourceServer) return null;
  return {
    active: true,
    scope: token.scope,
    client_id: token.clientId,
    token_type: 'Bearer',
    exp: seconds(token.expiresAt),
    iat: seconds(token.issuedAt),
    iss: config().issuer,
    sub: token.user?.id ?? token.clientId,
    ...(token.user && { username: token.user.username }),
  };
}

async function describeRefreshToken(
  hash: string,
  client: Client,
  now: Date,
): Promise<Record<string, unknown> | null> {
  const { token } = await findRefreshToken(hash);
  const live =
    token &&
    token.clientId === client.id &&
    token.alive &&
    token.usedAt === null &&
    token.expiresAt > now;
  if (!live || token.userId === null) return null;
  const user = await findUser(token.userId);
  return {
    active: true,
    scope: token.scope,
    client_id: token.clientId,
    exp: seconds(token.expiresAt),
    iss: config().issuer,
    sub: token.userId,
    username: user?.username,
  };
}
