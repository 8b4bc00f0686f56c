import { config } from '../config.ts';
import { isTrusted } from '../identity/token-keys.ts';
import { findPresented, openToken, type Presented } from '../identity/tokens.ts';
import { log } from '../log.ts';
import type { Client } from '../oauth/client.ts';
import {
  type ClientCredentials,
  checkClientAuthentication,
  readClientCredentials,
} from '../oauth/client-auth.ts';
import { OAuthRefusal, refuse } from '../oauth/errors.ts';
import { first } from '../oauth/params.ts';
import type { ProtocolSettings } from '../oauth/settings.ts';
import {
  bindingOf,
  checkCodeBinding,
  checkCodeLives,
  checkCodeParams,
  checkGrantType,
  earlier,
  isUsed,
  later,
  lifetimes,
} from '../oauth/token-request.ts';
import type { OpenedToken } from '../oauth/tokens.ts';
import { auditOnce } from '../store/audit.ts';
import {
  findAuthorization,
  redeemCode,
  revokeAuthorization,
  type Stepped,
} from '../store/authorizations.ts';
import { clientAt } from '../store/clients.ts';
import { likelyRevision } from '../store/revision.ts';
import { settingsAt } from '../store/settings.ts';
import { noteUse } from '../store/usage.ts';
import { forClient, orNull, proveClient } from './client-work.ts';
import { issuerFor, issueTokens, type TokenAnswer } from './issue-tokens.ts';
import type { TokenRequest } from './token.ts';

/** The authorization code grant (RFC 6749 section 4.1.3). @throws OAuthRefusal */
export async function codeGrant({ params, http }: TokenRequest, now: Date): Promise<TokenAnswer> {
  const token = await openToken(first(params, 'code') ?? '', 'code');
  const credentials = readClientCredentials(params, http.header('authorization'));
  const redeemed = token && (await redeemAtOnce(token, credentials, { params, http }, now));
  if (redeemed) return redeemed;
  // Looking is no redeeming: one statement finds the code and what the client is judged by.
  const { revision, presented: code } = await findPresented(token);
  const known = credentials.id === undefined ? null : await clientAt(revision, credentials.id);
  return forClient(http, known, now, async () => {
    const client = proveClient(credentials, known, now);
    return redeem(code, client, revision, { params, http }, now);
  });
}

/**
 * What is plainly right by all that this process knows is redeemed in one statement, which holds
 * the rest of the conditions. Null for anything else, and nothing has happened.
 */
async function redeemAtOnce(
  code: OpenedToken,
  credentials: ClientCredentials,
  { params }: TokenRequest,
  now: Date,
): Promise<TokenAnswer | null> {
  if (credentials.id === undefined || code.expiresAt <= now) return null;
  const revision = await likelyRevision();
  if (!(await isTrusted(code.keyId, revision))) return null;
  const [client, settings] = [await clientAt(revision, credentials.id), await settingsAt(revision)];
  const proven = orNull(() => {
    const proof = checkClientAuthentication(client, credentials);
    checkGrantType(proof.client, 'authorization_code');
    checkCodeParams(params, proof.client, settings, config().profile);
    return proof;
  });
  const binding = proven && bindingOf(params, proven.client, settings);
  if (!binding) return null;
  const { id: clientId, epoch: clientEpoch } = proven.client;
  const judged = { id: code.id, clientId, clientEpoch, revision };
  const issuer = await issuerOf(proven.client, settings, revision, now);
  const stepped = await redeemCode(judged, binding, lives(proven.client, settings, now), now);
  if (stepped && proven.secretHash !== null) noteUse('client_secrets', proven.secretHash, now);
  return stepped && issueTokens(issuer, firstStep(code.id, stepped, null, now), now);
}

/** Ends of what a redemption brings: idle, absolute, and of the last access token of the last refresh. */
function lives(client: Client, settings: ProtocolSettings, now: Date) {
  const { accessToken, refreshToken, refreshTokenMax } = lifetimes(client, settings);
  const endsAt = later(now, refreshTokenMax);
  return {
    idleUntil: earlier(later(now, refreshToken), endsAt),
    endsAt,
    keepUntil: later(endsAt, accessToken),
  };
}

const issuerOf = (client: Client, settings: ProtocolSettings, revision: number, now: Date) =>
  issuerFor(client, revision, lifetimes(client, settings).accessToken, now);

function firstStep(id: string, stepped: Stepped, authorization: Presented | null, now: Date) {
  const first = { what: 'tokens-issued', at: now, rotation: 0, narrowed: false } as const;
  return { ...stepped, ...first, id, authorization };
}

/** All that must hold, in order; a refusal says what does not. */
async function redeem(
  code: Presented | null,
  client: Client,
  revision: number,
  { params, http }: TokenRequest,
  now: Date,
): Promise<TokenAnswer> {
  checkGrantType(client, 'authorization_code');
  const settings = await settingsAt(revision);
  checkCodeParams(params, client, settings, config().profile);
  if (!code) refuse('invalid_grant', 'No such code.');
  if (code.clientId !== client.id)
    refuse('invalid_grant', 'The code was issued to another client.');
  if (isUsed(code)) await refuseReuse(code, http.id, now);
  checkCodeLives(code, now);
  await burning(code, now, () => checkCodeBinding(params, code, client, settings));

  const issuer = await issuerOf(client, settings, revision, now);
  const { id, clientId, codeChallenge } = code;
  const judged = { id, clientId, clientEpoch: client.epoch, revision: null };
  const bound = { redirectUri: null, stateHash: null, codeChallenge };
  const stepped = await redeemCode(judged, bound, lives(client, settings, now), now);
  if (stepped) return issueTokens(issuer, firstStep(id, stepped, code, now), now);
  // In this instant it was redeemed or burned by somebody else; or what it hangs on has ended.
  const { authorization } = await findAuthorization(id);
  if (authorization && isUsed(authorization)) await refuseReuse(code, http.id, now);
  refuse('invalid_grant', 'The person, the client or the consent behind the code has just ended.');
}

/** Any failure of the binding burns the code: whoever sent it holds a code that was not meant for them. */
async function burning(code: Presented, now: Date, check: () => void): Promise<void> {
  try {
    check();
  } catch (error) {
    if (error instanceof OAuthRefusal) await revokeAuthorization(code.id, now);
    throw error;
  }
}

/** A second redemption ends every token that came from the code, the winner's of this instant included. */
async function refuseReuse(code: Presented, requestId: string, now: Date): Promise<never> {
  await revokeAuthorization(code.id, now);
  await auditOnce(
    code.id,
    { type: 'code.reused', userId: code.userId, clientId: code.clientId, requestId },
    now,
  );
  log().warn(
    { requestId, clientId: code.clientId },
    'a code was presented twice; its tokens are revoked',
  );
  refuse('invalid_grant', 'The code was used before.');
}
