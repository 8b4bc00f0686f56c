import { notify } from '../identity/notices.ts';
import { log } from '../log.ts';
import type { Client } from '../oauth/client.ts';
import {
  type ClientCredentials,
  checkClientAuthentication,
  readClientCredentials,
  refuseClient,
} from '../oauth/client-auth.ts';
import { refuse } from '../oauth/errors.ts';
import { first } from '../oauth/params.ts';
import { openReplay, sealReplay } from '../oauth/replay.ts';
import { digest, newSecret } from '../oauth/secrets.ts';
import type { Settings } from '../oauth/settings.ts';
import {
  checkFamilyLives,
  checkGrantType,
  checkRefreshTokenLives,
  earlier,
  judgeRepeat,
  later,
  lifetimes,
  narrowScope,
} from '../oauth/token-request.ts';
import { findInfoUser } from '../store/access-tokens.ts';
import { auditOnce } from '../store/audit.ts';
import { clientAt, findClient } from '../store/clients.ts';
import { settingsAt } from '../store/settings.ts';
import {
  extendRefreshToken,
  findRefreshToken,
  revokeFamily,
  rotateRefreshToken,
  type StoredRefreshToken,
} from '../store/tokens.ts';
import { count, noteUse } from '../store/usage.ts';
import { forClient } from './client-work.ts';
import { idTokenFor } from './id-token-for.ts';
import type { TokenRequest } from './token.ts';
import type { TokenAnswer } from './token-code.ts';

/** What is kept of an answer for a repeat: the same, with the moment it expires instead of a number of seconds. */
type KeptAnswer = Omit<TokenAnswer, 'expires_in'> & { expiresAt: number };

/** The refresh token grant (RFC 6749 section 6). @throws OAuthRefusal */
export async function refreshGrant(request: TokenRequest, now: Date): Promise<TokenAnswer> {
  const { params, http } = request;
  const presented = first(params, 'refresh_token');
  const { revision, token } = await findRefreshToken(digest(presented ?? ''));
  const settings = await settingsAt(revision);
  const credentials = readClientCredentials(params, http.header('authorization'));
  const named = credentials.id === undefined ? null : await clientAt(revision, credentials.id);
  const owner = token && (await clientAt(revision, token.clientId));
  return forClient(http, named ?? owner, now, async () => {
    checkSender(credentials, named, owner, settings, now);
    if (presented === undefined) refuse('invalid_request', 'refresh_token is missing.');
    if (!token || !owner) refuse('invalid_grant', 'No such refresh token.');
    if (named && named.id !== owner.id)
      refuse('invalid_grant', 'The refresh token was issued to another client.');
    checkGrantType(owner, 'refresh_token');
    return refresh(presented, token, owner, { revision, settings }, request, now);
  });
}

/**
 * Whether the sender may refresh as who they say. The contract lists no client credentials for
 * this grant, so in profile `interface` they may be absent; what is sent must be right.
 */
function checkSender(
  credentials: ClientCredentials,
  named: Client | null,
  owner: Client | null,
  settings: Settings,
  now: Date,
): void {
  if (credentials.secret !== undefined) {
    if (credentials.id === undefined)
      refuse('invalid_request', 'client_secret is sent without client_id.');
    const { secretHash } = checkClientAuthentication(named, credentials);
    if (secretHash !== null) noteUse('client_secrets', secretHash, now);
    return;
  }
  if (credentials.id !== undefined && !named)
    refuseClient('No client has this client_id.', credentials.usedBasic);
  const client = named ?? owner;
  if (!client) return;
  if (client.disabled) refuseClient('The client is disabled.', credentials.usedBasic);
  const mustProve =
    client.type === 'confidential' &&
    (client.requireClientAuthOnRefresh ?? settings.requireClientAuthOnRefresh);
  if (mustProve || credentials.usedBasic) checkClientAuthentication(client, credentials);
}

async function refresh(
  presented: string,
  token: StoredRefreshToken,
  client: Client,
  { revision, settings }: { revision: number; settings: Settings },
  request: TokenRequest,
  now: Date,
): Promise<TokenAnswer> {
  const asked = first(request.params, 'scope');
  if (token.usedAt) return answerRepeat(presented, token, asked, request, now);
  checkRefreshTokenLives(token, now);
  const lives = lifetimes(client, settings);
  const accessToken = newSecret('accessToken');
  const stored = {
    hash: digest(accessToken),
    scope: narrowScope(asked, token),
    expiresAt: later(now, lives.accessToken),
  };
  // Signed before anything is consumed: a failure here costs nobody their refresh token.
  const idToken = await idTokenAgain(token, stored.scope, client, accessToken, revision, now);
  const answer: TokenAnswer = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: lives.accessToken,
    scope: stored.scope,
    ...idToken,
  };
  const expiresAt = earlier(later(now, lives.refreshToken), token.familyExpiresAt);
  const rotates = settings.alwaysIssueNewRefreshToken || client.type === 'public';
  count('refresh', client.id, now);
  if (token.grantId !== null) noteUse('grants', token.grantId, now);
  if (!rotates) {
    const outcome = await extendRefreshToken({ ...token, expiresAt }, stored, now);
    return outcome === 'extended' ? answer : refuse('invalid_grant', 'The refresh token is gone.');
  }
  const successor = newSecret('refreshToken');
  const kept: KeptAnswer = {
    ...answer,
    refresh_token: successor,
    expiresAt: stored.expiresAt.getTime(),
  };
  const outcome = await rotateRefreshToken(
    {
      old: token,
      usedScope: asked ?? null,
      replay: sealReplay(presented, JSON.stringify(kept)),
      successor: { hash: digest(successor), expiresAt },
      accessToken: stored,
    },
    now,
  );
  if (outcome === 'rotated') return { ...answer, refresh_token: successor };
  const { token: used } = await findRefreshToken(token.hash);
  return used?.usedAt
    ? answerRepeat(presented, used, asked, request, now)
    : refuse('invalid_grant', 'The refresh token is gone.');
}

/**
 * The ID token of a refresh answer (OpenID Connect Core section 12.2): who signed in, when and how
 * are those of the first one, it has no nonce, and what it tells of the person is as of now.
 */
async function idTokenAgain(
  token: StoredRefreshToken,
  scope: string,
  client: Client,
  accessToken: string,
  revision: number,
  now: Date,
): Promise<{ id_token?: string }> {
  const { userId, authTime, amr } = token;
  if (!client.idTokenOnRefresh || !scope.split(' ').includes('openid')) return {};
  const user = userId === null ? null : await findInfoUser(userId);
  if (!user || authTime === null || amr === null) return {};
  const subject = { ...token, user, scope, authTime, amr, nonce: null };
  return idTokenFor(subject, client, accessToken, revision, now);
}

/**
 * A refresh token that was rotated comes again. Within 30 seconds, while its successor is unused,
 * it is a lost answer or two tabs, and gets the same answer; later it is a theft, and the whole
 * family ends (RFC 9700 section 4.14.2).
 */
async function answerRepeat(
  presented: string,
  token: StoredRefreshToken,
  asked: string | undefined,
  { http }: TokenRequest,
  now: Date,
): Promise<TokenAnswer> {
  checkFamilyLives(token);
  // However long ago it was rotated, and expired since: its successors live, and somebody has a copy of it.
  if (judgeRepeat(token, now) === 'reuse') {
    const ended = await revokeFamily(token.familyId, now);
    await auditOnce(
      token.familyId,
      {
        type: 'refresh-token.reused',
        userId: token.userId,
        clientId: token.clientId,
        address: http.address,
        requestId: http.id,
      },
      now,
    );
    log().warn(
      { requestId: http.id, clientId: token.clientId },
      'a used refresh token was presented; its family is revoked',
    );
    if (ended && token.userId) await tellOfReuse(token.userId, token.clientId, now);
    refuse('invalid_grant', 'The refresh token was used before.');
  }
  checkRefreshTokenLives(token, now);
  if ((asked ?? null) !== token.usedScope)
    refuse('invalid_grant', 'The repeat asks for another scope than the first use.');
  const { expiresAt, ...kept } = JSON.parse(
    openReplay(presented, token.replay ?? ''),
  ) as KeptAnswer;
  return { ...kept, expires_in: Math.max(0, Math.floor((expiresAt - now.getTime()) / 1000)) };
}

async function tellOfReuse(userId: string, clientId: string, now: Date): Promise<void> {
  const client = await findClient(clientId);
  if (client) await notify(userId, 'token-reuse', { app: client.name }, now);
}
