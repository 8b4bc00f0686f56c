import type { Client } from './client.ts';
import { refuse } from './errors.ts';
import { first, type Params } from './params.ts';
import { checkVerifier } from './pkce.ts';
import { isWithin, parseScope } from './scope.ts';
import { digest, sameDigest } from './secrets.ts';
import type { Profile, Settings } from './settings.ts';

/** A stored authorization code, as far as rules ask about it. */
export type IssuedCode = {
  clientId: string;
  redirectUri: string;
  stateHash: string | null;
  codeChallenge: string | null;
  expiresAt: Date;
  usedAt: Date | null;
  /** Nothing it hangs on has ended: person, client, their grant. */
  alive: boolean;
};

/** Whether a client may use a grant type. @throws OAuthRefusal unauthorized_client */
export function checkGrantType(client: Client, grantType: string): void {
  if (!client.grants.includes(grantType))
    refuse('unauthorized_client', `This client may not use the grant type ${grantType}.`);
}

/**
 * What a code-grant request must hold before its code is looked at; nothing is consumed by a refusal here.
 * Profile strict lets PKCE stand in for redirect_uri, and only the code tells whether PKCE was used.
 * @throws OAuthRefusal invalid_request
 */
export function checkCodeParams(
  params: Params,
  client: Client,
  settings: Settings,
  profile: Profile,
): string {
  const code = first(params, 'code') ?? refuse('invalid_request', 'code is missing.');
  const needed = needsRedirectUri(client, settings) && profile !== 'strict';
  if (needed && first(params, 'redirect_uri') === undefined)
    refuse('invalid_request', 'redirect_uri is missing.');
  if (settings.enforceState && first(params, 'state') === undefined)
    refuse('invalid_request', 'state is missing.');
  return code;
}

function needsRedirectUri(client: Client, settings: Settings): boolean {
  return settings.enforceRedirectUri || client.redirectUris.length === 0;
}

/** A code of this client that still lives; a used one is for the caller to see. @throws OAuthRefusal invalid_grant */
export function checkCodeLives(code: IssuedCode, now: Date): void {
  if (code.expiresAt <= now) refuse('invalid_grant', 'The code has expired.');
  if (!code.alive)
    refuse('invalid_grant', 'The person, the client or the consent behind the code has ended.');
}

/**
 * Whether this request matches the one the code was issued for: redirect_uri, state, PKCE.
 * @throws OAuthRefusal invalid_grant; the code is burned by it
 */
export function checkCodeBinding(
  params: Params,
  code: IssuedCode,
  client: Client,
  settings: Settings,
): void {
  const redirectUri = first(params, 'redirect_uri');
  const missing =
    redirectUri === undefined && needsRedirectUri(client, settings) && code.codeChallenge === null;
  if (missing) refuse('invalid_grant', 'redirect_uri is missing and PKCE was not used.');
  if (redirectUri !== undefined && redirectUri !== code.redirectUri) {
    refuse('invalid_grant', 'redirect_uri differs from the one the code was sent to.');
  }
  const state = first(params, 'state');
  if (state !== undefined && !(code.stateHash && sameDigest(digest(state), code.stateHash))) {
    refuse('invalid_grant', 'state differs from that of the authorization request.');
  }
  checkVerifier(first(params, 'code_verifier'), code.codeChallenge);
}

/** A stored refresh token, as far as rules ask about it. */
export type IssuedRefreshToken = {
  clientId: string;
  scope: string;
  expiresAt: Date;
  usedAt: Date | null;
  usedScope: string | null;
  /** The sealed answer, while it may be given again. */
  replay: string | null;
  successorUsed: boolean;
  alive: boolean;
};

/** How long a repeat of a rotated refresh token gets the same answer: a lost response, two tabs. */
export const replayWindow = 30_000;

/**
 * The scope of the new access token: all of the refresh token's, or the part asked for (RFC 6749 section 6).
 * @throws OAuthRefusal invalid_scope
 */
export function narrowScope(
  asked: string | undefined,
  token: Pick<IssuedRefreshToken, 'scope'>,
): string {
  if (asked === undefined) return token.scope;
  const names = parseScope(asked);
  if (!isWithin(names, token.scope.split(' ')))
    refuse('invalid_scope', 'scope is wider than what the refresh token carries.');
  return names.join(' ');
}

/** @throws OAuthRefusal invalid_grant */
export function checkFamilyLives(token: IssuedRefreshToken): void {
  if (!token.alive)
    refuse(
      'invalid_grant',
      'The person, the client, the consent or the family behind the refresh token has ended.',
    );
}

/** @throws OAuthRefusal invalid_grant */
export function checkRefreshTokenLives(token: IssuedRefreshToken, now: Date): void {
  checkFamilyLives(token);
  if (token.expiresAt <= now) refuse('invalid_grant', 'The refresh token has expired.');
}

/** What a used refresh token means: a repeat that is answered again, or a theft that ends its family (RFC 9700 section 4.14.2). */
export function judgeRepeat(token: IssuedRefreshToken, now: Date): 'replay' | 'reuse' {
  const recent = token.usedAt !== null && now.getTime() - token.usedAt.getTime() <= replayWindow;
  return recent && !token.successorUsed && token.replay !== null ? 'replay' : 'reuse';
}

/** Lives of the tokens that a client gets, in seconds: its own, else the server's. */
export function lifetimes(client: Client, settings: Settings) {
  return {
    accessToken: client.accessTokenTtl ?? settings.accessTokenTtl,
    refreshToken: client.refreshTokenTtl ?? settings.refreshTokenTtl,
    refreshTokenMax: client.refreshTokenMaxTtl ?? settings.refreshTokenMaxTtl,
  };
}

/** A moment some seconds later. */
export function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

/** The earlier of two moments. */
export function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}
