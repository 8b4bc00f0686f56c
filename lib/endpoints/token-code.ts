import { config } from '../config.ts';
import { log } from '../log.ts';
import type { Client } from '../oauth/client.ts';
import { readClientCredentials } from '../oauth/client-auth.ts';
import { OAuthRefusal, refuse } from '../oauth/errors.ts';
import { first } from '../oauth/params.ts';
import { digest, newId, newSecret } from '../oauth/secrets.ts';
import {
  checkCodeBinding,
  checkCodeLives,
  checkCodeParams,
  checkGrantType,
  earlier,
  later,
  lifetimes,
} from '../oauth/token-request.ts';
import { auditOnce } from '../store/audit.ts';
import { clientAt } from '../store/clients.ts';
import {
  burnCode,
  findCode,
  redeemCode,
  revokeTokensOfCode,
  type StoredCode,
} from '../store/codes.ts';
import { settingsAt } from '../store/settings.ts';
import { count, noteUse } from '../store/usage.ts';
import { forClient, proveClient } from './client-work.ts';
import { idTokenFor } from './id-token-for.ts';
import type { TokenRequest } from './token.ts';

/** The answer of RFC 6749 section 5.1. */
export type TokenAnswer = {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
  refresh_token?: string;
  id_token?: string;
};

/** The authorization code grant (RFC 6749 section 4.1.3). @throws OAuthRefusal */
export async function codeGrant({ params, http }: TokenRequest, now: Date): Promise<TokenAnswer> {
  // Looking is no redeeming: one statement finds the code and what the client is judged by.
  const { revision, code } = await findCode(digest(first(params, 'code') ?? ''));
  const credentials = readClientCredentials(params, http.header('authorization'));
  const known = credentials.id === undefined ? null : await clientAt(revision, credentials.id);
  return forClient(http, known, now, async () => {
    const client = proveClient(credentials, known, now);
    return redeem(code, client, revision, { params, http }, now);
  });
}

async function redeem(
  code: StoredCode | null,
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
  if (code.usedAt) await refuseReuse(code, http.id, now);
  checkCodeLives(code, now);
  await burning(code, now, () => checkCodeBinding(params, code, client, settings));

  const lives = lifetimes(client, settings);
  const [accessToken, refreshToken] = [newSecret('accessToken'), newSecret('refreshToken')];
  const familyExpiresAt = later(now, lives.refreshTokenMax);
  // Signed before anything is consumed: a failure here costs nobody their code.
  const idToken = await idTokenFor(code, client, accessToken, revision, now);
  const outcome = await redeemCode(
    {
      code,
      familyId: newId(now),
      familyExpiresAt,
      // The last refresh may come just before the family's end, and its access token outlives it.
      keepUntil: later(familyExpiresAt, lives.accessToken),
      accessToken: { hash: digest(accessToken), expiresAt: later(now, lives.accessToken) },
      refreshToken: {
        hash: digest(refreshToken),
        expiresAt: earlier(later(now, lives.refreshToken), familyExpiresAt),
      },
    },
    now,
  );
  if (outcome === 'already-used') await refuseReuse(code, http.id, now);
  count('tokens-issued', client.id, now);
  noteUse('grants', code.grantId, now);
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: lives.accessToken,
    scope: code.scope,
    refresh_token: refreshToken,
    ...idToken,
  };
}

/** Any failure of the binding burns the code: whoever sent it holds a code that was not meant for them. */
async function burning(code: StoredCode, now: Date, check: () => void): Promise<void> {
  try {
    check();
  } catch (error) {
    if (error instanceof OAuthRefusal) await burnCode(code.hash, now);
    throw error;
  }
}

/** A second redemption ends every token that came from the code, the winner's of this instant included. */
async function refuseReuse(code: StoredCode, requestId: string, now: Date): Promise<never> {
  await revokeTokensOfCode(code.hash, now);
  await auditOnce(
    code.hash,
    { type: 'code.reused', userId: code.userId, clientId: code.clientId, requestId },
    now,
  );
  log().warn(
    { requestId, clientId: code.clientId },
    'a code was presented twice; its tokens are revoked',
  );
  refuse('invalid_grant', 'The code was used before.');
}
