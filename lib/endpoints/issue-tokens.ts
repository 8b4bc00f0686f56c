import { randomInt } from 'node:crypto';
import { config } from '../config.ts';
import { type Signer, signerFor } from '../identity/signing.ts';
import { keyInUse, tokenKeysAt } from '../identity/token-keys.ts';
import type { Api } from '../oauth/api.ts';
import { readAskedClaims } from '../oauth/claims.ts';
import type { Client } from '../oauth/client.ts';
import type { Proof } from '../oauth/code-grant.ts';
import type { DpopProof } from '../oauth/dpop.ts';
import { refuse } from '../oauth/errors.ts';
import type { Facts } from '../oauth/facts.ts';
import { idTokenClaims } from '../oauth/id-token.ts';
import {
  mostGroupsInToken,
  type OwnInIdToken,
  ownInIdToken,
  ownRoom,
} from '../oauth/id-token-room.ts';
import { issuerKnownTo } from '../oauth/old-issuer.ts';
import { grantedIn } from '../oauth/operator-claims.ts';
import { bindsRefreshTokens } from '../oauth/refresh-grant.ts';
import { newId } from '../oauth/secrets.ts';
import type { ProtocolSettings } from '../oauth/settings.ts';
import { isKnownTime, signInEnd } from '../oauth/sign-in-rules.ts';
import { addSeconds, earlier, lifetimes } from '../oauth/token-request.ts';
import { lifeFor, reachOf, type TokenTarget } from '../oauth/token-target.ts';
import { accessDetail, clientTokenDetail, longestToken, makeToken } from '../oauth/tokens.ts';
import type { Authorization } from '../store/authorizations.ts';
import type { Stepped } from '../store/exchanges.ts';
import { furtherFactsFor } from '../store/groups-and-fields.ts';
import { signedInAt } from '../store/sessions.ts';
import type { SignedIn } from '../store/signed-in.ts';
import { count, touchLastUse } from '../store/usage.ts';
import { log } from '../telemetry/log.ts';
import { spendProof } from './dpop.ts';
import { clientJwtText, type JwtFor, jwtFor, jwtText } from './jwt-text.ts';

/** The token response of RFC 6749 section 5.1. */
export type TokenAnswer = {
  access_token: string;
  token_type: 'Bearer' | 'DPoP';
  expires_in: number;
  scope: string;
  refresh_token?: string;
  id_token?: string;
  /** For the trace, not for the client. */
  notes?: Facts[];
};

/** A step of an authorization, and what its response contains. */
export type Step = Omit<Stepped, 'scope'> & {
  id: string;
  /** First tokens, refreshed tokens, or nothing new because a response is repeated. */
  what: 'tokens-issued' | 'refresh' | 'repeat';
  /** When the step was taken; in the past for a repeated response. */
  at: Date;
  /** The counter of the refresh token in the response; null if it has none. */
  rotation: number | null;
  /** `narrowed`: its scopes or APIs are fewer than the authorization's. */
  scope: string;
  narrowed: boolean;
  /**
   * The authorization, if it has been read. For clients with rules about sign-ins it always has.
   */
  authorization: Authorization | null;
  /** The sign-in that its step returned, if that has not been read and has `openid`. */
  signedIn?: SignedIn | null;
};

/** The client that asks, its authentication, and the server state that it was judged by. */
export type Asking = Proof & {
  settings: ProtocolSettings;
  revision: number;
  /** The proof whose key its tokens are bound to; null if they are bearer tokens. */
  dpop: DpopProof | null;
};

/** The client and its authentication, with what its tokens are made with. */
type Issuer = Proof & {
  revision: number;
  /** Seconds that the access token lives. */
  life: number;
  signer: Signer;
  /** The APIs that the access token is for, and how to write it if they want a JWT. */
  apis: readonly Api[];
  jwt: JwtFor | null;
  /** Thumbprints that the access token and the refresh token are bound to; null: none. */
  jkt: string | null;
  refreshJkt: string | null;
};

/**
 * Prepares to issue tokens for a client. Call it before consuming anything, so that an unusable key
 * costs no client its code.
 */
export async function issuerFor(
  { client, secretHash, settings, revision, dpop }: Asking,
  apis: readonly Api[],
  at: Date,
): Promise<Issuer> {
  const signer = await signerFor(client.idTokenAlg, revision, at);
  const jwt = apis.length > 0 ? await jwtFor(apis, client, revision, at) : null;
  const life = lifeFor(apis, lifetimes(client, settings).accessToken);
  const jkt = dpop?.jkt ?? null;
  const refreshJkt = bindsRefreshTokens(client, settings) ? jkt : null;
  return { client, secretHash, revision, life, signer, apis, jwt, jkt, refreshJkt };
}

/**
 * Issues the tokens of a step. Access and refresh tokens are made and counted only here and in
 * `issueClientToken`. The same step yields the same tokens.
 */
export async function issueTokens(issuer: Issuer, step: Step, now: Date): Promise<TokenAnswer> {
  const { client, secretHash, revision, life, apis, jwt, jkt } = issuer;
  const { id, at, rotation, scope, what, authorization } = step;
  const key = keyInUse(await tokenKeysAt(revision), at);
  const end = authorization && signInEnd(client, authorization);
  const expiresAt = earlier(earlier(addSeconds(at, life), step.keepUntil), end);
  const access = {
    kind: 'accessToken',
    id,
    // Without rotation, random bits keep access tokens distinct.
    counter: rotation ?? randomInt(2 ** 31, 2 ** 32),
    expiresAt,
    life: Math.round((expiresAt.getTime() - at.getTime()) / 1000),
    detail: step.narrowed ? accessDetail(reachOf(apis, scope)) : '',
    jkt,
  } as const;
  const accessToken = jwt
    ? await jwtText(access, { ...step, jwt }, issuer)
    : makeToken(access, key);
  if (what !== 'repeat') {
    count(what, client.id, now);
    touchLastUse('grants', step.grantId, now);
    touchLastUse('clients', client.id, now);
  }
  if (secretHash !== null) touchLastUse('client_secrets', secretHash, now);
  return {
    access_token: accessToken,
    token_type: tokenType(jkt),
    expires_in: Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000)),
    scope,
    ...(rotation !== null &&
      client.grants.includes('refresh_token') && {
        refresh_token: makeToken(refreshTokenOf(issuer, step, rotation), key),
      }),
    ...(await idTokenOf(issuer, step, accessToken)),
  };
}

function refreshTokenOf(
  { jkt, refreshJkt }: Issuer,
  { id, authorization, idleUntil: expiresAt }: Step,
  counter: number,
): Parameters<typeof makeToken>[0] {
  // What came by token exchange of a bound token stays bound, even if the client may change its
  // key. The refresh token is what remembers that.
  const isExchanged = authorization !== null && authorization.lineage.length > 0;
  const bound = isExchanged ? jkt : refreshJkt;
  return { kind: 'refreshToken', id, counter, expiresAt, life: 0, detail: '', jkt: bound };
}

const tokenType = (jkt: string | null) => (jkt === null ? 'Bearer' : 'DPoP');

/**
 * The `auth_time` that apps are told: of the sign-in here, while its session exists, if a provider
 * did not say when it was. The rules go by what the provider said.
 */
async function toldTime({ authTime, sessionHash }: SignedIn): Promise<Date | null> {
  if (isKnownTime(authTime)) return authTime;
  return sessionHash === null ? null : signedInAt(sessionHash);
}

/**
 * With scope `openid` the response has an ID token (OpenID Connect Core section 3.1.3.3). On
 * refresh (section 12.2) it has no nonce, and current user claims; subject, auth_time and amr are
 * those of the first ID token.
 */
async function idTokenOf(
  { client, signer, revision }: Issuer,
  step: Step,
  accessToken: string,
): Promise<Pick<TokenAnswer, 'id_token' | 'notes'>> {
  const { id, at, scope, what, authorization, signedIn = null } = step;
  const isFirst = what === 'tokens-issued';
  if (!scope.split(' ').includes('openid') || !(isFirst || client.idTokenOnRefresh)) return {};
  const signIn = authorization ?? signedIn;
  // The user was not signed in to a client that exchanged a token.
  if (!signIn?.user || (authorization && authorization.lineage.length > 0)) return {};
  const { user, claims, nonce } = signIn;
  const asked = readAskedClaims(claims);
  const authTime = await toldTime(signIn);
  const facts = { ...signIn, authTime, client, user, scope, nonce: isFirst ? nonce : null };
  const granted = grantedIn(scope, asked?.idToken);
  const own = ownInIdToken(client, await furtherFactsFor(user.id, granted, revision), granted);
  const beside = {
    issuer: issuerKnownTo(client, config().issuer),
    accessToken,
    asked,
    own: own.claims,
  };
  const told = idTokenClaims(facts, beside, at);
  const lacksName = isFirst && told.name === undefined && scope.split(' ').includes('profile');
  const notes = [
    ...(own.leftOut.length > 0 ? noteLeftOut(own, client, id) : []),
    ...(lacksName
      ? [{ rule: 'claims.no-name', expected: ['a name on the person’s page'] } as const]
      : []),
  ];
  return { id_token: await signer(told, 'JWT'), notes };
}

/** Logs and notes which claims were left out, because the token does not say so. */
function noteLeftOut({ leftOut }: OwnInIdToken, client: Client, attempt: string): Facts[] {
  log().info(
    {
      clientId: client.id,
      attempt,
      leftOut,
      reason: `An ID token has room for ${mostGroupsInToken} groups and ${ownRoom} bytes of claims of your own. The app finds the rest in the user information.`,
    },
    'claims left out of an ID token',
  );
  const room = `at most ${mostGroupsInToken} groups, and ${ownRoom} bytes of claims of your own`;
  return [{ rule: 'claims.left-out', received: leftOut.join(' '), expected: [room] }];
}

/**
 * Issues a token for the client itself (RFC 6749 section 4.4). No row is written for it.
 * @throws OAuthRefusal
 */
export async function issueClientToken(
  { client, settings, revision, dpop }: Omit<Asking, 'secretHash'>,
  { scope, apis }: Pick<TokenTarget, 'scope' | 'apis'>,
  now: Date,
): Promise<TokenAnswer> {
  const whose = { clientId: client.id, clientEpoch: client.epoch };
  const detail = clientTokenDetail({ ...whose, ...reachOf(apis, scope) });
  const life = lifeFor(apis, lifetimes(client, settings).accessToken);
  const jkt = dpop?.jkt ?? null;
  const said = { id: newId(now), counter: 0, expiresAt: addSeconds(now, life), life, detail, jkt };
  const key = keyInUse(await tokenKeysAt(revision), now);
  const jwt = apis.length > 0 ? await jwtFor(apis, client, revision, now) : null;
  const access = { ...said, kind: 'clientToken' } as const;
  const accessToken = jwt ? await clientJwtText(access, jwt, client) : makeToken(access, key);
  if (accessToken.length > longestToken)
    refuse('invalid_scope', 'Too many scopes for one token. Request fewer.');
  await spendProof(dpop);
  count('tokens-issued', client.id, now);
  touchLastUse('clients', client.id, now);
  return { access_token: accessToken, token_type: tokenType(jkt), expires_in: life, scope };
}
