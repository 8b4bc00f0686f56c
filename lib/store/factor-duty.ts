import { type Role, roleOf } from '../people/roles.ts';
import type { Columns } from './engine/database.ts';
import { readHeld } from './engine/held.ts';
import { likelyRevision } from './engine/revision.ts';
import { settingsAt } from './settings.ts';

/** What decides whether a user needs a second factor; null: there is no such user. */
export async function findFactorDuty(
  id: string,
): Promise<{ role: Role; requireSecondFactor: boolean } | null> {
  const sql = 'SELECT is_admin, role, require_second_factor FROM users WHERE id = :id';
  const row = await readHeld<Columns<'users', 'isAdmin' | 'role' | 'requireSecondFactor'>>(sql, {
    id,
  });
  return row ? { role: roleOf(row), requireSecondFactor: row.requireSecondFactor } : null;
}

/**
 * The parameter that `isEnoughFor` reads: who has to sign in with two factors.
 * @param at the revision that the rest was judged at, if there is one
 */
export async function factorRule(at: number | null = null): Promise<{ factorRule: string }> {
  const { requireSecondFactor } = await settingsAt(at ?? (await likelyRevision()));
  return { factorRule: requireSecondFactor };
}

/**
 * SQL: a sign-in with these methods is enough for the user by `:factorRule`, as `isSignInEnough`
 * says.
 */
export const isEnoughFor = (user: string, amr: string) => `(' ' || ${amr} || ' ' LIKE '% mfa %'
  OR NOT (${user}.require_second_factor OR CAST(:factorRule AS TEXT) = 'everyone'
    OR (CAST(:factorRule AS TEXT) = 'admins' AND (${user}.is_admin OR COALESCE(${user}.role, 'none') IN ('support', 'auditor')))))`;
