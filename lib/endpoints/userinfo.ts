import { jsonText } from '../http/answers.ts';
import { readBodyParams, readQueryParams } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { readIdTokenHint } from '../identity/signing.ts';
import { findAccessToken, openToken } from '../identity/tokens.ts';
import { challenge, dpopChallenge, readSentToken, type SentToken } from '../oauth/bearer.ts';
import { readAskedClaims } from '../oauth/claims.ts';
import { errorTable, refuse } from '../oauth/errors.ts';
import { masked } from '../oauth/facts.ts';
import { paramsOf } from '../oauth/ignored.ts';
import type { InfoUser } from '../oauth/info-user.ts';
import { looksLikeJwt } from '../oauth/jwt-access-token.ts';
import { grantedIn } from '../oauth/operator-claims.ts';
import { joinParams, type Params } from '../oauth/params.ts';
import { opensUserInformation, userInformation } from '../oauth/userinfo.ts';
import type { LiveAccessToken } from '../store/access-tokens.ts';
import { clientAt } from '../store/clients.ts';
import { readRevision } from '../store/engine/revision.ts';
import { furtherFactsFor } from '../store/groups-and-fields.ts';
import { readSettings } from '../store/settings.ts';
import { provedBy } from '../store/trace-rings.ts';
import { touchLastUse } from '../store/usage.ts';
import { isElsewhere } from './client-authentication.ts';
import { endpointUrls, nonceFor } from './dpop.ts';
import { checkHolder } from './holder.ts';
import { noteIgnored } from './program-params.ts';

const nothing: Params = new Map();

/** User information (RFC 6750 section 2, OpenID Connect Core section 5.3). @throws OAuthRefusal */
export async function userinfo(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const body = request.method === 'POST' ? await readBodyParams(request) : nothing;
  const query = request.query === '' ? nothing : readQueryParams(request);
  noteIgnored(joinParams(body, query), paramsOf.userinfo, request);
  const acceptQuery = query.has('access_token') && (await readSettings()).acceptAccessTokenInQuery;
  const sent = readSentToken(request.header('authorization'), body, query, acceptQuery);
  const { token, revision } = await findAccessToken(sent.text, now);
  const { about } = request;
  if (!token || isElsewhere(token, request)) return refuseEnded(sent, request, now);
  Object.assign(about, { clientId: token.clientId, behind: provedBy(token.client) });
  about.attempt = token.authorizationId;
  const dpop = await checkHolder(
    sent,
    token,
    { request, addresses: endpointUrls(request, '/oauth/me') },
    now,
  );
  if (!token.user) refuseMachine();
  checkAudience(token);
  if (token.grantId !== null) touchLastUse('grants', token.grantId, now);
  touchLastUse('clients', token.clientId, now);
  about.outcome = 'done';
  return jsonText(200, await answerFor(token, token.user, revision), nonceFor(dpop));
}

/** The client is told only that; the trace says why, as far as the token shows it. */
async function refuseEnded(
  { text, scheme }: SentToken,
  request: HttpRequest,
  now: Date,
): Promise<never> {
  await refuseIdToken(text, request, now);
  const opened = await openToken(text, 'accessToken', 'clientToken');
  request.about.attempt = opened?.id ?? null;
  if (opened) request.about.behind = 'person';
  const over = opened && opened.expiresAt <= now;
  const since = over ? Math.ceil((now.getTime() - opened.expiresAt.getTime()) / 1000) : 0;
  const received = over
    ? `a token that expired ${since} s ago`
    : opened
      ? 'a token that was revoked, or whose authorization has ended'
      : masked(
          looksLikeJwt(text) ? 'a JWT that is not a live access token' : 'an unknown token',
          text,
        );
  const facts = {
    rule: 'access-token.ended',
    received,
    expected: ['a live access token'],
  } as const;
  const { sentence } = errorTable.invalid_token;
  const headers = scheme === 'DPoP' ? dpopChallenge('invalid_token', sentence) : endedChallenge;
  refuse('invalid_token', ended, facts, { headers });
}

const ended = 'The access token is unknown, expired or revoked.';
const endedChallenge = challenge('invalid_token', errorTable.invalid_token.sentence);

/**
 * Refuses an ID token of this server, and notes the app that mistook it for an access token.
 * @throws OAuthRefusal
 */
async function refuseIdToken(text: string, { about }: HttpRequest, now: Date): Promise<void> {
  const revision = looksLikeJwt(text) ? await readRevision() : null;
  const idToken = revision === null ? null : await readIdTokenHint(text, revision, now);
  if (revision === null || !idToken) return;
  about.clientId = (await clientAt(revision, idToken.aud))?.id ?? null;
  refuse(
    'invalid_token',
    ended,
    { rule: 'access-token.id-token', received: 'an ID token', expected: ['the access token'] },
    { headers: endedChallenge },
  );
}

/** @throws OAuthRefusal if the token is for an API alone */
function checkAudience({ audience, scope }: LiveAccessToken): void {
  if (opensUserInformation(scope, audience)) return;
  const reason = 'The token is for an API. User information needs the scope openid.';
  const facts = { received: audience.join(' '), expected: ['scope openid'] };
  refuse(
    'insufficient_scope',
    reason,
    { rule: 'access-token.other-audience', ...facts },
    { headers: challenge('insufficient_scope', reason) },
  );
}

function refuseMachine(): never {
  const reason = 'The token belongs to a client, not to a user.';
  const headers = challenge('insufficient_scope', reason);
  refuse('insufficient_scope', reason, { rule: 'access-token.no-user' }, { headers });
}

/** The store returns the same object until the token changes, so this is built once. */
const answers = new WeakMap<LiveAccessToken, string>();

async function answerFor(
  token: LiveAccessToken,
  user: InfoUser,
  revision: number,
): Promise<string> {
  const known = answers.get(token);
  if (known !== undefined) return known;
  const { client, scope, claims } = token;
  const granted = grantedIn(scope, readAskedClaims(claims)?.userinfo);
  const facts = await furtherFactsFor(user.id, granted, revision, client.claimShape);
  const answer = JSON.stringify(userInformation(user, client, facts, granted));
  answers.set(token, answer);
  return answer;
}
