import { config } from '../config.ts';
import { sign } from '../identity/signing.ts';
import type { AskedClaims } from '../oauth/claims.ts';
import type { Client } from '../oauth/client.ts';
import { idTokenClaims, type SignInFacts } from '../oauth/id-token.ts';
import type { InfoUser } from '../oauth/userinfo.ts';

/** What the ID token of an answer tells of. */
export type IdTokenSubject = SignInFacts & {
  user: InfoUser;
  /** The stored `claims` parameter of the authorization request. */
  claims: string | null;
};

/**
 * The ID token that belongs to an access token, as the answer's field; nothing without the scope
 * `openid` (OpenID Connect Core sections 3.1.3.3 and 12.2).
 */
export async function idTokenFor(
  subject: IdTokenSubject,
  client: Client,
  accessToken: string,
  revision: number,
  now: Date,
): Promise<{ id_token?: string }> {
  if (!subject.scope.split(' ').includes('openid')) return {};
  const asked = subject.claims === null ? null : (JSON.parse(subject.claims) as AskedClaims);
  const { user } = subject;
  const claims = idTokenClaims(config().issuer, client.id, user, subject, accessToken, asked, now);
  return { id_token: await sign(claims, client.idTokenAlg, 'JWT', revision, now) };
}
