import type { Client } from './client.ts';
import { refuse } from './errors.ts';
import { first, type Params } from './params.ts';
import { challengeOf, checkVerifier, isVerifier } from './pkce.ts';
import { isWithin, parseScope } from './scope.ts';
import { digest, sameDigest } from './secrets.ts';
import type { Profile, ProtocolSettings } from './settings.ts';

/** What a code must have been bound to: an address and a state where they were sent, and exactly this challenge. */
export type Binding = {
  redirectUri: string | null;
  stateHash: string | null;
  codeChallenge: string | null;
};

/** An authorization, as far as the rules about its code and tokens ask. */
export type IssuedAuthorization = {
  clientId: string;
  scope: string;
  redirectUri: string;
  stateHash: string | null;
  codeChallenge: string | null;
  redeemedAt: Date | null;
  revokedAt: Date | null;
  rotation: number;
  rotatedAt: Date | null;
  rotatedScope: string | null;
  idleUntil: Date | null;
  /** User and client are as they were: nobody was disabled, deleted or reset. */
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
  settings: ProtocolSettings,
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

function needsRedirectUri(client: Client, settings: ProtocolSettings): boolean {
  return settings.enforceRedirectUri || client.redirectUris.length === 0;
}

/** Whether a code was redeemed or burned before. */
export function isUsed(authorization: IssuedAuthorization): boolean {
  return authorization.redeemedAt !== null || authorization.revokedAt !== null;
}

/** A code of this client that still lives; a used one is for the caller to see. @throws OAuthRefusal invalid_grant */
export function checkCodeLives(code: IssuedAuthorization & { expiresAt: Date }, now: Date): void {
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
  code: IssuedAuthorization,
  client: Client,
  settings: ProtocolSettings,
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

/**
 * What a request can redeem without a look at its code: the code must be bound to just this. Null:
 * it depends on the code whether the request is right. Whatever is bound so passes `checkCodeBinding`.
 */
export function bindingOf(
  params: Params,
  client: Client,
  settings: ProtocolSettings,
): Binding | null {
  const redirectUri = first(params, 'redirect_uri') ?? null;
  const [state, verifier] = [first(params, 'state'), first(params, 'code_verifier')];
  if (verifier !== undefined && !isVerifier(verifier)) return null;
  if (redirectUri === null && verifier === undefined && needsRedirectUri(client, settings))
    return null;
  return {
    redirectUri,
    stateHash: state === undefined ? null : digest(state),
    codeChallenge: verifier === undefined ? null : challengeOf(verifier),
  };
}

/** How long a repeat of a rotated refresh token gets the same answer: a lost response, two tabs. */
export const replayWindow = 30_000;

/**
 * The scope of the new access token: all of the refresh token's, or the part asked for (RFC 6749 section 6).
 * @throws OAuthRefusal invalid_scope
 */
export function narrowScope(
  asked: string | undefined,
  token: Pick<IssuedAuthorization, 'scope'>,
): string {
  if (asked === undefined) return token.scope;
  const names = parseScope(asked);
  if (!isWithin(names, token.scope.split(' ')))
    refuse('invalid_scope', 'scope is wider than what the refresh token carries.');
  return names.join(' ');
}

/** What rules ask about a refresh token that was presented: what it says, and its authorization. */
export type PresentedRefreshToken = IssuedAuthorization & { counter: number; expiresAt: Date };

/** @throws OAuthRefusal invalid_grant */
export function checkAuthorizationLives(authorization: IssuedAuthorization): void {
  if (!authorization.alive || authorization.revokedAt || !authorization.redeemedAt)
    refuse(
      'invalid_grant',
      'The person, the client, the consent or the authorization behind the refresh token has ended.',
    );
}

/**
 * What a refresh token is good for: it is the one that works now; it was rotated a moment ago and
 * is answered again; or somebody kept a copy of an old one, which ends its authorization (RFC 9700
 * section 4.14.2). One of a later rotation than the authorization knows is of a time that a restored
 * backup does not have.
 */
export function judgeRefreshToken(
  token: PresentedRefreshToken,
  now: Date,
): 'current' | 'repeat' | 'reuse' | 'unknown' {
  if (token.counter >= token.rotation)
    return token.counter === token.rotation ? 'current' : 'unknown';
  const last = token.counter === token.rotation - 1;
  const recent = token.rotatedAt && now.getTime() - token.rotatedAt.getTime() <= replayWindow;
  return last && recent ? 'repeat' : 'reuse';
}

/** @throws OAuthRefusal invalid_grant */
export function checkNotExpired(end: Date | null, now: Date): void {
  if (!end || end <= now) refuse('invalid_grant', 'The refresh token has expired.');
}

/** Lives of the tokens that a client gets, in seconds: its own, else the server's. */
export function lifetimes(client: Client, settings: ProtocolSettings) {
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
