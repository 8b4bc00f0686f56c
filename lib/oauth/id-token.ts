import { createHash } from 'node:crypto';
import { acrOf } from './acr.ts';
import type { AskedClaims } from './claims.ts';
import type { InfoUser } from './info-user.ts';
import type { Claims } from './operator-claims.ts';
import { digest } from './secrets.ts';
import { type Subjective, subjectOf } from './subject.ts';
import { claimsOf } from './userinfo.ts';

/** The lifetime of an ID token, in seconds. */
const idTokenTtl = 3600;

type SignInFacts = {
  client: Subjective & { id: string };
  user: InfoUser;
  /** Null: nobody knows. */
  authTime: Date | null;
  /** Space-delimited authentication methods (RFC 8176). */
  amr: string;
  /** Space-delimited granted scopes. */
  scope: string;
  nonce: string | null;
  sessionHash: string | null;
};

/**
 * The user claims in an ID token, by scope. OpenID Connect Core section 5.4 refers clients to the
 * user information endpoint, but many (such as Auth.js) look only here for name and email. The
 * other claims stay out: ID tokens come back as hints in URLs.
 */
const idTokenClaimsByScope: Record<string, readonly string[]> = {
  profile: ['name', 'preferred_username', 'picture'],
  email: ['email', 'email_verified'],
};

type Beside = {
  issuer: string;
  accessToken: string;
  asked: AskedClaims | null;
  /** The operator's own claims. They replace no other claim. */
  own: Claims;
};

/** The claims of an ID token (OpenID Connect Core sections 2 and 3.1.3.6). */
export function idTokenClaims(
  { client, user, ...facts }: SignInFacts,
  { issuer, accessToken, asked, own }: Beside,
  now: Date,
): Record<string, unknown> {
  const issuedAt = epochSeconds(now);
  const ofScope = facts.scope.split(' ').flatMap((name) => idTokenClaimsByScope[name] ?? []);
  return {
    ...own,
    ...claimsOf(user, new Set([...ofScope, ...(asked?.idToken ?? [])])),
    iss: issuer,
    sub: subjectOf(client, user.id),
    aud: client.id,
    iat: issuedAt,
    exp: issuedAt + idTokenTtl,
    ...(facts.authTime && { auth_time: epochSeconds(facts.authTime) }),
    amr: facts.amr.split(' '),
    acr: acrOf(facts.amr, asked?.acr),
    at_hash: leftHalfHash(accessToken),
    ...(facts.nonce !== null && { nonce: facts.nonce }),
    ...(facts.sessionHash !== null && { sid: sidOf(facts.sessionHash, client) }),
  };
}

/** A session's name outside this server. It reveals nothing about the session's id. */
export function sessionName(sessionHash: string): string {
  return digest(`sid ${sessionHash}`).slice(0, 22);
}

/**
 * The `sid` by which a client knows a session. With pairwise subjects it differs from sector to
 * sector, because otherwise two apps could use it to find out that they have the same user.
 * @param client null: it no longer exists
 */
export const sidOf = (sessionHash: string, client: Subjective | null): string =>
  sidNamed(sessionName(sessionHash), client);

/** The same for a session of which only the name is known. */
export const sidNamed = (name: string, client: Subjective | null): string =>
  (client ? subjectOf(client, name) : name).slice(0, 22);

/** The left half of a token's SHA-256; both algorithms here are of the SHA-256 family. */
function leftHalfHash(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
}

export function epochSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
