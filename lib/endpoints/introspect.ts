import { barredFrom } from '../access/held.ts';
import { config } from '../config.ts';
import { json, jsonText } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { findAccessToken, findPresented, openToken, type Presented } from '../identity/tokens.ts';
import { acrOf } from '../oauth/acr.ts';
import { type Api, mayAskFor } from '../oauth/api.ts';
import { readAskedClaims } from '../oauth/claims.ts';
import type { Client } from '../oauth/client.ts';
import { refuseClient } from '../oauth/client-auth.ts';
import { confirmation } from '../oauth/dpop.ts';
import { OAuthRefusal, refuse } from '../oauth/errors.ts';
import { epochSeconds } from '../oauth/id-token.ts';
import { paramsOf } from '../oauth/ignored.ts';
import { issuerKnownTo } from '../oauth/old-issuer.ts';
import { type FurtherFacts, grantedIn, groupClaim, tellsGroups } from '../oauth/operator-claims.ts';
import { first } from '../oauth/params.ts';
import { judgeAge } from '../oauth/refresh-grant.ts';
import { identifiersIn } from '../oauth/resource.ts';
import { prefixes } from '../oauth/secrets.ts';
import { isKnownTime } from '../oauth/sign-in-rules.ts';
import { subjectOf } from '../oauth/subject.ts';
import { actClaim, actorsOf, mayExchangeFor } from '../oauth/token-exchange.ts';
import { audienceClaim } from '../oauth/token-target.ts';
import type { LiveAccessToken } from '../store/access-tokens.ts';
import { apisAt } from '../store/apis.ts';
import { findFurtherFacts } from '../store/groups-and-fields.ts';
import { log } from '../telemetry/log.ts';
import { authenticateClient, isElsewhere } from './client-authentication.ts';
import { keepNoted, readProgramParams } from './program-params.ts';

const missingToken = { rule: 'parameter.invalid', expected: ['token'] } as const;

/**
 * Token introspection (RFC 7662) for confidential clients. A client sees its own tokens. A client
 * that serves an API also sees every access token for that API. A resource server that serves no
 * API sees the access tokens that are for no API. Neither sees refresh tokens of others: resources
 * are never sent these, so one that arrives there is a mistake or an attack.
 * @throws OAuthRefusal
 */
export async function introspect(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const params = await readProgramParams(request, () => ({ known: paramsOf.present }));
  const presented = first(params, 'token');
  // Reading before authentication reveals nothing. One statement finds the token and all that the
  // client is judged by.
  const { revision, access, refresh } = await findToken(presented ?? '', now);
  const client = await authenticateClient({ params, http: request }, revision, now);
  if (client.type === 'public')
    refuseClient('Public clients cannot use introspection.', false, {
      rule: 'client-auth.confidential-only',
    });
  if (presented === undefined) refuse('invalid_request', 'token is missing.', missingToken);
  if (access && isElsewhere(access, request)) return json(200, { active: false });
  if (access) {
    const isPlain = access.audience.length === 0 && access.clientId === client.id;
    const apis = isPlain ? [] : await apisAt(revision);
    const audience = liveAudience(access, apis);
    if (audience && mayAsk(client, access, audience, apis)) {
      keepNoted(request, access.authorizationId);
      return jsonText(200, await answerFor(access, audience));
    }
    return { ...json(200, { active: false }), refusal: foreign(access, client, request) };
  }
  const told = refresh && (await describeRefreshToken(refresh, client, now));
  return json(200, told ?? { active: false });
}

/**
 * The response reveals nothing. The log and the trace say why a client sees every token as
 * inactive.
 */
function foreign(
  { clientId, audience }: LiveAccessToken,
  client: Client,
  request: HttpRequest,
): OAuthRefusal {
  const reason =
    audience.length > 0
      ? 'The token is for an API that this client does not serve (api update API --served-by CLIENT).'
      : 'The token was issued to another client and is for no API. This client is not a resource server (client update ID --resource-server on), or it serves an API and sees only the tokens of that API.';
  const line = { requestId: request.id, clientId: client.id, tokenOf: clientId, reason };
  log().info(line, 'introspection answered inactive');
  const facts = {
    received: audience.length > 0 ? `a token for ${audience.join(' ')}` : 'a token for no API',
    expected: ['a token of this app, or for an API that it serves'],
  };
  return new OAuthRefusal('invalid_token', reason, {}, { rule: 'introspection.foreign', ...facts });
}

/**
 * The APIs that a token is for and that its client may still request. Null if it was for some, but
 * none is left.
 */
function liveAudience(token: LiveAccessToken, apis: readonly Api[]): Api[] | null {
  const { audience, client, lineage } = token;
  const live = apis.filter(
    (api) =>
      audience.includes(api.identifier) &&
      mayAskFor(api, client) &&
      (lineage.length === 0 || mayExchangeFor(client, api.identifier)),
  );
  return live.length === 0 && audience.length > 0 ? null : live;
}

async function findToken(text: string, now: Date) {
  const refreshToken = text.startsWith(prefixes.refreshToken)
    ? await openToken(text, 'refreshToken')
    : null;
  if (!refreshToken) {
    const { revision, token } = await findAccessToken(text, now);
    return { revision, access: token, refresh: null };
  }
  const { revision, presented } = await findPresented(refreshToken);
  return { revision, access: null, refresh: presented };
}

function mayAsk(
  client: Client,
  token: LiveAccessToken,
  audience: readonly Api[],
  apis: readonly Api[],
): boolean {
  const isServedBy = ({ servedBy }: Api) => servedBy.includes(client.id);
  if (token.clientId === client.id) return true;
  return audience.length > 0
    ? audience.some(isServedBy)
    : client.resourceServer && !apis.some(isServedBy);
}

/** The store returns the same object until the token changes, so this is built once. */
const answers = new WeakMap<LiveAccessToken, string>();

async function answerFor(token: LiveAccessToken, audience: readonly Api[]): Promise<string> {
  const known = answers.get(token);
  if (known !== undefined) return known;
  const { user, scope } = token;
  const facts = user && tellsGroups(grantedIn(scope)) ? await findFurtherFacts(user.id) : null;
  const identifiers = audience.map(({ identifier }) => identifier);
  const answer = JSON.stringify(describeAccessToken({ ...token, audience: identifiers }, facts));
  answers.set(token, answer);
  return answer;
}

/**
 * What introspection returns about a live access token (RFC 7662 section 2.2). With scope `groups`
 * it includes the groups, as the client that the token was issued to is told them.
 */
export function describeAccessToken(
  token: LiveAccessToken,
  facts: FurtherFacts | null,
): Record<string, unknown> {
  return {
    ...(token.user && groupClaim(token.client, facts, grantedIn(token.scope))),
    active: true,
    scope: token.scope,
    client_id: token.clientId,
    token_type: token.jkt === null ? 'Bearer' : 'DPoP',
    ...confirmation(token.jkt),
    exp: epochSeconds(token.expiresAt),
    iat: epochSeconds(token.issuedAt),
    iss: issuerKnownTo(token.client, config().issuer),
    ...audienceClaim(token.audience),
    sub: token.user ? subjectOf(token.client, token.user.id) : token.clientId,
    ...actClaim(actorsOf(token.clientId, token.lineage)),
    ...(token.user && named(token.client, token.user)),
    // RFC 9470 section 6.2
    ...(token.signIn && {
      acr: acrOf(token.signIn.amr, readAskedClaims(token.claims)?.acr),
      ...(isKnownTime(token.signIn.authTime) && {
        auth_time: epochSeconds(token.signIn.authTime),
      }),
    }),
  };
}

/** A user name is the same at every client, so clients with pairwise subjects are not given it. */
const named = ({ subjectType }: Client, { username }: { username: string }) =>
  subjectType === 'pairwise' ? {} : { username };

/** Active if it is the current one, and its client would get tokens for it. */
async function describeRefreshToken(
  token: Presented,
  client: Client,
  now: Date,
): Promise<Record<string, unknown> | null> {
  const { redeemedAt, revokedAt, idleUntil, alive } = token;
  const live =
    token.clientId === client.id &&
    alive &&
    redeemedAt &&
    !revokedAt &&
    idleUntil &&
    idleUntil > now;
  if (!live || judgeAge(token, now) !== 'current') return null;
  if (!client.grants.includes('refresh_token')) return null;
  if (await barredFrom(client, token, 'kept', now)) return null;
  return {
    active: true,
    scope: token.scope,
    client_id: token.clientId,
    exp: epochSeconds(idleUntil),
    iss: issuerKnownTo(client, config().issuer),
    ...audienceClaim(identifiersIn(token.resources)),
    sub: subjectOf(client, token.userId),
    ...(token.user && named(client, token.user)),
    ...confirmation(token.jkt),
  };
}
