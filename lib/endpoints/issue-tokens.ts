import { randomInt } from 'node:crypto';
import { config } from '../config.ts';
import { type Signer, signerFor } from '../identity/signing.ts';
import { keyInUse, tokenKeysAt } from '../identity/token-keys.ts';
import type { AskedClaims } from '../oauth/claims.ts';
import type { Client } from '../oauth/client.ts';
import type { Proof } from '../oauth/code-grant.ts';
import { refuse } from '../oauth/errors.ts';
import { idTokenClaims } from '../oauth/id-token.ts';
import { newId } from '../oauth/secrets.ts';
import { earlier, later } from '../oauth/token-request.ts';
import { clientTokenDetail, longestToken, makeToken } from '../oauth/tokens.ts';
import { type Authorization, findAuthorization, type Stepped } from '../store/authorizations.ts';
import { count, touchLastUse } from '../store/usage.ts';

/** The answer of RFC 6749 section 5.1. */
export type TokenAnswer = {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
  refresh_token?: string;
  id_token?: string;
};

/** A step that an authorization has taken, and what its answer says. */
export type Step = Omit<Stepped, 'scope'> & {
  id: string;
  /** What is new: the first tokens, those of a refresh, or nothing, where the last answer is given again. */
  what: 'tokens-issued' | 'refresh' | 'repeat';
  /** When it was taken: for an answer that is given again, a while ago. */
  at: Date;
  /** The rotation of the refresh token that the answer carries; null: it carries none. */
  rotation: number | null;
  /** The scope of the access token, and whether it is less than that of the authorization. */
  scope: string;
  narrowed: boolean;
  /** The authorization, where it has been read. */
  authorization: Authorization | null;
};

/** Whose tokens, what proved it, what is known of the server, and what signs an ID token. */
export type Issuer = Proof & { revision: number; life: number; signer: Signer };

/**
 * What tokens are made with for a client. To be asked for before anything is consumed: a key that
 * cannot be used costs nobody their code.
 */
export async function issuerFor(
  { client, secretHash }: Proof,
  revision: number,
  life: number,
  at: Date,
): Promise<Issuer> {
  const signer = await signerFor(client.idTokenAlg, revision, at);
  return { client, secretHash, revision, life, signer };
}

/** The tokens of a step: the one place where they are made and counted. The same step has the same tokens. */
export async function issueTokens(issuer: Issuer, step: Step, now: Date): Promise<TokenAnswer> {
  const { client, secretHash, revision, life } = issuer;
  const { id, at, rotation, scope, what } = step;
  const key = keyInUse(await tokenKeysAt(revision), at);
  const expiresAt = earlier(later(at, life), step.keepUntil);
  const access = {
    kind: 'accessToken',
    id,
    // Without rotation nothing but chance tells one access token from the next.
    counter: rotation ?? randomInt(2 ** 31, 2 ** 32),
    expiresAt,
    life: Math.round((expiresAt.getTime() - at.getTime()) / 1000),
    detail: step.narrowed ? scope : '',
  } as const;
  const accessToken = makeToken(access, key);
  if (what !== 'repeat') {
    count(what, client.id, now);
    touchLastUse('grants', step.grantId, now);
  }
  if (secretHash !== null) touchLastUse('client_secrets', secretHash, now);
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000)),
    scope,
    ...(rotation !== null && {
      refresh_token: makeToken(
        {
          kind: 'refreshToken',
          id,
          counter: rotation,
          expiresAt: step.idleUntil,
          life: 0,
          detail: '',
        },
        key,
      ),
    }),
    ...(await idTokenOf(issuer, step, accessToken)),
  };
}

/**
 * With scope `openid` the answer has an ID token (OpenID Connect Core section 3.1.3.3). That of a
 * refresh (section 12.2) has no nonce, and tells of the person as of now; who signed in, when and
 * how is as in the first one.
 */
async function idTokenOf(
  { client, signer }: Issuer,
  step: Step,
  accessToken: string,
): Promise<{ id_token?: string }> {
  const { id, at, scope, what } = step;
  const isFirst = what === 'tokens-issued';
  if (!scope.split(' ').includes('openid') || !(isFirst || client.idTokenOnRefresh)) return {};
  const authorization = step.authorization ?? (await findAuthorization(id)).authorization;
  if (!authorization?.user) return {};
  const { user, claims, nonce } = authorization;
  const asked = claims === null ? null : (JSON.parse(claims) as AskedClaims);
  const facts = { ...authorization, scope, nonce: isFirst ? nonce : null };
  const told = idTokenClaims(config().issuer, client.id, user, facts, accessToken, asked, at);
  return { id_token: await signer(told, 'JWT') };
}

/** A token that stands for a client itself (RFC 6749 section 4.4). No row is written for it. @throws OAuthRefusal */
export async function issueClientToken(
  client: Client,
  scope: string,
  life: number,
  revision: number,
  now: Date,
): Promise<TokenAnswer> {
  const detail = clientTokenDetail({ clientId: client.id, clientEpoch: client.epoch, scope });
  const said = { id: newId(now), counter: 0, expiresAt: later(now, life), life, detail };
  const key = keyInUse(await tokenKeysAt(revision), now);
  const accessToken = makeToken({ ...said, kind: 'clientToken' }, key);
  if (accessToken.length > longestToken)
    refuse('invalid_scope', 'Too many scopes for one token. Request fewer at once.');
  count('tokens-issued', client.id, now);
  return { access_token: accessToken, token_type: 'Bearer', expires_in: life, scope };
}
