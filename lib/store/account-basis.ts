import type { SqlValue } from './engine/statement.ts';
import { normalKey, type User } from './users.ts';

/**
 * What someone has shown to prove that an account is theirs: a session, or a sign-in under way,
 * with the account as it was and the provider's identity they came with, if any.
 */
export type AccountBasis =
  | { sessionHash: string }
  | { user: Pick<User, 'epoch' | 'passwordHash' | 'email'>; identityId: string | null };

/**
 * SQL: the identity that a user came with (`:identityId`) is still theirs, and its provider still
 * signs people in.
 */
export const comesBy = (user: string) => `(CAST(:identityId AS TEXT) IS NULL OR EXISTS (
    SELECT 1 FROM identities i JOIN providers p ON p.id = i.provider_id
    WHERE i.id = :identityId AND i.user_id = ${user} AND p.enabled AND p.may_sign_in))`;

const inSession =
  'EXISTS (SELECT 1 FROM sessions s WHERE s.hash = :sessionHash AND s.user_id = u.id AND s.user_epoch = u.epoch)';
const asItWas = `u.epoch = :epoch AND COALESCE(u.password_hash, '') = :passwordHash AND u.email_key = :emailKey
  AND ${comesBy('u.id')}`;

/**
 * SQL on `users u`, with its parameters: the account is enabled, and what proved that it is theirs
 * is still valid.
 */
export function stillShown(basis: AccountBasis): {
  condition: string;
  params: Readonly<Record<string, SqlValue>>;
} {
  const enabled = 'u.disabled_at IS NULL';
  if ('sessionHash' in basis) {
    const { sessionHash } = basis;
    return { condition: `${enabled} AND ${inSession}`, params: { sessionHash } };
  }
  const { epoch, passwordHash, email } = basis.user;
  const { identityId } = basis;
  const account = { epoch, passwordHash: passwordHash ?? '', emailKey: normalKey(email) };
  return { condition: `${enabled} AND ${asItWas}`, params: { ...account, identityId } };
}
