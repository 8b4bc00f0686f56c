import { isTrusted } from '../identity/token-keys.ts';
import { findPresented, openToken, type Presented } from '../identity/tokens.ts';
import { log } from '../log.ts';
import { notify } from '../mail/notify.ts';
import type { Client } from '../oauth/client.ts';
import {
  type ClientCredentials,
  checkClientAuthentication,
  readClientCredentials,
  refuseClient,
} from '../oauth/client-auth.ts';
import { refuse } from '../oauth/errors.ts';
import { first } from '../oauth/params.ts';
import type { ProtocolSettings } from '../oauth/settings.ts';
import {
  checkAuthorizationLives,
  checkGrantType,
  checkNotExpired,
  judgeRefreshToken,
  later,
  lifetimes,
  narrowScope,
} from '../oauth/token-request.ts';
import type { OpenedToken } from '../oauth/tokens.ts';
import { auditOnce } from '../store/audit.ts';
import {
  extendRefreshToken,
  type Judged,
  revokeAuthorization,
  rotateRefreshToken,
  type Stepped,
} from '../store/authorizations.ts';
import { clientAt, findClient } from '../store/clients.ts';
import { likelyRevision } from '../store/revision.ts';
import { settingsAt } from '../store/settings.ts';
import { noteUse } from '../store/usage.ts';
import { forClient, orNull } from './client-work.ts';
import { issuerFor, issueTokens, type Step, type TokenAnswer } from './issue-tokens.ts';
import type { TokenRequest } from './token.ts';

/** The refresh token grant (RFC 6749 section 6). @throws OAuthRefusal */
export async function refreshGrant(request: TokenRequest, now: Date): Promise<TokenAnswer> {
  const { params, http } = request;
  const text = first(params, 'refresh_token');
  const opened = await openToken(text ?? '', 'refreshToken');
  const credentials = readClientCredentials(params, http.header('authorization'));
  const refreshed = opened && (await refreshAtOnce(opened, credentials, request, now));
  if (refreshed) return refreshed;
  const { revision, presented: token } = await findPresented(opened);
  const settings = await settingsAt(revision);
  const named = credentials.id === undefined ? null : await clientAt(revision, credentials.id);
  const owner = token && (await clientAt(revision, token.clientId));
  return forClient(http, named ?? owner, now, async () => {
    noteSecret(checkSender(credentials, named, owner, settings), now);
    if (text === undefined) refuse('invalid_request', 'refresh_token is missing.');
    if (!opened || !token || !owner) refuse('invalid_grant', 'No such refresh token.');
    if (named && named.id !== owner.id)
      refuse('invalid_grant', 'The refresh token was issued to another client.');
    checkGrantType(owner, 'refresh_token');
    return refresh(opened, token, { client: owner, settings, revision }, request, now);
  });
}

/**
 * Whether the sender may refresh as who they say. The contract lists no client credentials for
 * this grant, so in profile `interface` they may be absent; what is sent must be right. Gives the
 * digest of the secret that was sent, null where none was.
 */
function checkSender(
  credentials: ClientCredentials,
  named: Client | null,
  owner: Client | null,
  settings: ProtocolSettings,
): string | null {
  if (credentials.secret !== undefined) {
    if (credentials.id === undefined)
      refuse('invalid_request', 'client_secret is sent without client_id.');
    return checkClientAuthentication(named, credentials).secretHash;
  }
  if (credentials.id !== undefined && !named)
    refuseClient('No client has this client_id.', credentials.usedBasic);
  const client = named ?? owner;
  if (!client) return null;
  if (client.disabled) refuseClient('The client is disabled.', credentials.usedBasic);
  const mustProve =
    client.type === 'confidential' &&
    (client.requireClientAuthOnRefresh ?? settings.requireClientAuthOnRefresh);
  if (mustProve || credentials.usedBasic) checkClientAuthentication(client, credentials);
  return null;
}

function noteSecret(secretHash: string | null, now: Date): void {
  if (secretHash !== null) noteUse('client_secrets', secretHash, now);
}

/** By whom and by which rules a refresh token is used. */
type User = { client: Client; settings: ProtocolSettings; revision: number };

/**
 * What is plainly right by all that this process knows is refreshed in one statement, which holds
 * the rest of the conditions. Null for anything else, and nothing has happened.
 */
async function refreshAtOnce(
  token: OpenedToken,
  credentials: ClientCredentials,
  { params }: TokenRequest,
  now: Date,
): Promise<TokenAnswer | null> {
  if (credentials.id === undefined || params.has('scope')) return null;
  const revision = await likelyRevision();
  if (!(await isTrusted(token.keyId, revision))) return null;
  const [client, settings] = [await clientAt(revision, credentials.id), await settingsAt(revision)];
  if (!client) return null;
  const proof = orNull(() => {
    const secretHash = checkSender(credentials, client, client, settings);
    checkGrantType(client, 'refresh_token');
    return { secretHash };
  });
  if (!proof) return null;
  const use = { client, settings, revision };
  const issuer = await issuerOf(use, now);
  const stepped = await takeStep(token, use, revision, null, now);
  if (stepped) noteSecret(proof.secretHash, now);
  return stepped && issueTokens(issuer, nextStep(token, stepped, use, null, null, now), now);
}

/** A public client rotates always; others unless the operator has switched it off. */
const rotates = ({ client, settings }: User) =>
  settings.alwaysIssueNewRefreshToken || client.type === 'public';

const issuerOf = ({ client, settings, revision }: User, at: Date) =>
  issuerFor(client, revision, lifetimes(client, settings).accessToken, at);

/** Rotates, or without rotation extends; null: the token is not the one that works now, or something is not as it was judged. */
function takeStep(
  { id, counter }: OpenedToken,
  use: User,
  revision: number | null,
  asked: string | null,
  now: Date,
): Promise<Stepped | null> {
  const { client, settings } = use;
  const judged: Judged = { id, clientId: client.id, clientEpoch: client.epoch, revision };
  const idleUntil = later(now, lifetimes(client, settings).refreshToken);
  return rotates(use)
    ? rotateRefreshToken(judged, { counter, scope: asked, idleUntil }, now)
    : extendRefreshToken(judged, { counter, idleUntil }, now);
}

function nextStep(
  { id, counter }: OpenedToken,
  stepped: Stepped,
  use: User,
  authorization: Presented | null,
  narrowed: string | null,
  now: Date,
): Step {
  const rotation = rotates(use) ? counter + 1 : null;
  const scope = narrowed ?? stepped.scope;
  const access = { scope, narrowed: scope !== stepped.scope };
  return { ...stepped, ...access, id, what: 'refresh', at: now, rotation, authorization };
}

/** All that must hold of the token itself, in order; a refusal says what does not. */
async function refresh(
  opened: OpenedToken,
  token: Presented,
  use: User,
  request: TokenRequest,
  now: Date,
): Promise<TokenAnswer> {
  const asked = first(request.params, 'scope');
  checkAuthorizationLives(token);
  const verdict = judgeRefreshToken(token, now);
  if (verdict === 'reuse') return refuseReuse(token, request, now);
  if (verdict === 'repeat') return answerAgain(token, asked, use, now);
  if (verdict === 'unknown') refuse('invalid_grant', 'The refresh token is of a lost future.');
  checkNotExpired(token.idleUntil, now);
  const narrowed = asked === undefined ? null : narrowScope(asked, token);
  const issuer = await issuerOf(use, now);
  const stepped = await takeStep(opened, use, null, asked ?? null, now);
  if (stepped) {
    const step = nextStep(opened, stepped, use, token, narrowed, now);
    return issueTokens(issuer, step, now);
  }
  // Somebody was faster: then it is a repeat by now. Or what it hangs on has ended.
  const { presented: again } = await findPresented(opened);
  if (!again || again.rotation === token.rotation)
    refuse('invalid_grant', 'The refresh token is gone.');
  return refresh(opened, again, use, request, now);
}

/** However long ago it was rotated, and expired since: its successors live, and somebody has a copy of it. */
async function refuseReuse(token: Presented, { http }: TokenRequest, now: Date): Promise<never> {
  const { id, userId, clientId } = token;
  const ended = await revokeAuthorization(id, now);
  const event = { type: 'refresh-token.reused', userId, clientId, address: http.address } as const;
  await auditOnce(id, { ...event, requestId: http.id }, now);
  log().warn(
    { requestId: http.id, clientId },
    'a used refresh token was presented; its authorization is revoked',
  );
  const client = ended ? await findClient(clientId) : null;
  if (client) await notify(userId, 'token-reuse', { app: client.name }, now);
  refuse('invalid_grant', 'The refresh token was used before.');
}

/**
 * A refresh token that was rotated a moment ago comes again, and its successor is unused: a lost
 * answer or two tabs. It gets the same tokens, made of the same values once more.
 */
async function answerAgain(
  token: Presented,
  asked: string | undefined,
  use: User,
  now: Date,
): Promise<TokenAnswer> {
  const { id, rotation, rotatedAt, rotatedScope, idleUntil } = token;
  checkNotExpired(token.expiresAt, now);
  if ((asked ?? null) !== rotatedScope)
    refuse('invalid_grant', 'The repeat asks for another scope than the first use.');
  if (!rotatedAt || !idleUntil) throw new Error('A rotation has a moment.');
  const scope = asked === undefined ? token.scope : narrowScope(asked, token);
  const step: Step = {
    ...{ id, rotation, idleUntil, scope, what: 'repeat', at: rotatedAt, authorization: token },
    ...{ grantId: token.grantId, keepUntil: token.keepUntil, narrowed: scope !== token.scope },
  };
  return issueTokens(await issuerOf(use, rotatedAt), step, now);
}
