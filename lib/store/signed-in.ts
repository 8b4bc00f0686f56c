import type { InfoUser } from '../oauth/info-user.ts';
import { type InfoRow, readInfoUser } from './access-tokens.ts';
import { database } from './engine/database.ts';
import { holds } from './engine/parameters.ts';

/** What an ID token says about a sign-in and its user. */
export type SignedIn = {
  user: InfoUser | null;
  claims: string | null;
  nonce: string | null;
  authTime: Date;
  amr: string;
  sessionHash: string | null;
};

/**
 * SQL: the same as JSON, for the RETURNING of a step of an authorization that has not been read;
 * null if it has no `openid`. Moments and booleans are as the database writes them.
 */
export const signedIn =
  () => `CASE WHEN :revision IS NOT NULL AND ${holds('scope', "'openid'")} THEN (
    SELECT CAST(${database().kind === 'sqlite' ? 'json_object' : 'json_build_object'}(
      'claims', authorizations.claims, 'nonce', authorizations.nonce, 'authTime', authorizations.auth_time,
      'amr', authorizations.amr, 'sessionHash', authorizations.session_hash, 'userId', u.id, 'username', u.username,
      'email', u.email, 'emailVerified', u.email_verified, 'name', u.name, 'picture', u.picture,
      'userClaims', u.claims, 'updatedAt', u.updated_at) AS TEXT)
    FROM users u WHERE u.id = authorizations.user_id) END AS signed_in`;

type Written = Omit<SignedIn, 'user' | 'authTime'> &
  Omit<InfoRow, 'emailVerified' | 'updatedAt'> & {
    authTime: string | number;
    emailVerified: boolean | number;
    userClaims: string;
    updatedAt: string | number;
  };

/** Reads what `signedIn` wrote. */
export function readSignedIn(text: string | null): SignedIn | null {
  if (text === null) return null;
  const { claims, nonce, amr, sessionHash, authTime, ...whose } = JSON.parse(text) as Written;
  const row = {
    ...whose,
    emailVerified: Boolean(whose.emailVerified),
    updatedAt: new Date(whose.updatedAt),
  };
  const user = readInfoUser(row, whose.userClaims);
  return { user, claims, nonce, amr, sessionHash, authTime: new Date(authTime) };
}
