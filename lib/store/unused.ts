import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { answersForNoAgent } from './changing-people.ts';
import { isOfDirectory } from './directories.ts';
import { type Columns, read, readOne, write, writeTogether } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import type { SqlValue, Statement } from './engine/statement.ts';

/*
 * Accounts that nobody uses. Those whom the rule warns get an end with the reason 'unused'
 * (`users.ends_at`), which goes away when the account is used (`usage.ts`).
 */

/** Which accounts are unused: not used since `before`, and in none of these groups, by their ids. */
export type Unused = { before: Date; exempt: readonly string[] };

type Condition = { sql: string; params: Readonly<Record<string, SqlValue>> };

/**
 * Admins, people of a directory, who answer for an agent, or whose account has another end are left
 * to those who decided that.
 */
const covered = `users.disabled_at IS NULL AND users.is_admin = FALSE AND users.deletion_at IS NULL
  AND NOT ${isOfDirectory('users.id')} AND ${answersForNoAgent} AND (users.ends_at IS NULL OR users.end_reason IS NOT NULL)`;

function isUnused({ before, exempt }: Unused): Condition {
  const { marks, params } = inList('group', exempt.length > 0 ? exempt : ['']);
  const sql = `${covered} AND users.created_at < :before AND COALESCE(users.last_sign_in_at, users.created_at) < :before
    AND COALESCE(users.last_used_at, users.created_at) < :before
    AND NOT EXISTS (SELECT 1 FROM group_members m WHERE m.user_id = users.id AND m.group_id IN (${marks}))`;
  return { sql, params: { ...params, before } };
}

const unwarned = 'users.end_reason IS NULL';

/** How many accounts can sign in (admins aside), were warned, and are unused and not warned yet. */
export async function countUnused(
  rule: Unused,
): Promise<{ people: number; warned: number; unused: number }> {
  const { sql, params } = isUnused(rule);
  const row = await readOne<{ people: number; warned: number; unused: number }>(
    `SELECT COUNT(*) AS people, COUNT(CASE WHEN users.end_reason IS NOT NULL THEN 1 END) AS warned,
      COUNT(CASE WHEN ${unwarned} AND ${sql} THEN 1 END) AS unused
    FROM users WHERE users.disabled_at IS NULL AND users.is_admin = FALSE`,
    params,
  );
  return { people: Number(row?.people), warned: Number(row?.warned), unused: Number(row?.unused) };
}

/** An unused account. `endsAt`: when it is disabled, if its person was warned. */
export type UnusedUser = Columns<
  'users',
  'id' | 'username' | 'lastUsedAt' | 'lastSignInAt' | 'createdAt' | 'endsAt'
>;

/** Unused accounts, those that end or were used first before the others. `warned`: only those not warned. */
export function listUnused(rule: Unused, most: number, only?: 'not-warned'): Promise<UnusedUser[]> {
  const { sql, params } = isUnused(rule);
  return read<UnusedUser>(
    `SELECT users.id, users.username, users.last_used_at, users.last_sign_in_at, users.created_at, users.ends_at
    FROM users WHERE (${sql}${only ? ` AND ${unwarned}` : ''}) ${only ? '' : 'OR (users.end_reason IS NOT NULL AND users.disabled_at IS NULL)'}
    ORDER BY COALESCE(users.ends_at, users.last_used_at, users.last_sign_in_at, users.created_at), users.id LIMIT ${most}`,
    params,
  );
}

/**
 * Gives unused accounts an end, together with the statements that queue the warnings. False: one of
 * them was used or has changed meanwhile, and nothing happened.
 */
export async function warnUnused(
  rule: Unused,
  { ids, endsAt }: { ids: readonly string[]; endsAt: Date },
  along: { events: readonly AuditEntry[]; letters: readonly Statement[] },
  now: Date,
): Promise<boolean> {
  const condition = isUnused(rule);
  const sql = `UPDATE users SET ends_at = CAST(:endsAt AS TIMESTAMPTZ), end_reason = 'unused', end_told_at = CAST(:now AS TIMESTAMPTZ)
    WHERE users.id = :id AND ${unwarned} AND ${condition.sql} RETURNING id`;
  const [first, ...others] = ids.map(
    (id): Statement => ({ sql, params: { ...condition.params, id, endsAt, now }, must: true }),
  );
  if (!first) return true;
  const then = [...others, ...along.events.map((event) => auditing(event, now)), ...along.letters];
  return (await writeTogether(first, then)).length > 0;
}

/** Takes the end from those who were warned and whom the rule no longer concerns; null: everyone. */
export async function spareOthers(rule: Unused | null): Promise<void> {
  const { sql, params } = rule ? isUnused(rule) : { sql: 'FALSE', params: {} };
  await write(
    `UPDATE users SET ends_at = NULL, end_told_at = NULL, end_reason = NULL
    WHERE users.ends_at IS NOT NULL AND users.end_reason IS NOT NULL AND users.disabled_at IS NULL AND NOT (${sql})`,
    params,
  );
}

/** The row of the settings that says since when the rule is on. */
const row = 'unused-accounts';

/** Since when the rule is on; it begins now if it was off. */
export async function ruleSince(now: Date): Promise<Date> {
  const value = now.toISOString();
  await write(
    'INSERT INTO settings (name, value, updated_at) VALUES (:row, :value, :now) ON CONFLICT (name) DO NOTHING',
    { row, value, now },
  );
  return (await ruleOnSince()) ?? now;
}

/** Since when the rule is on; null: it is off, or no server has noticed yet. */
export async function ruleOnSince(): Promise<Date | null> {
  const sql = 'SELECT value FROM settings WHERE name = :row';
  const found = await readOne<{ value: string }>(sql, { row });
  return found ? new Date(found.value) : null;
}

export async function forgetRule(): Promise<void> {
  await write('DELETE FROM settings WHERE name = :row', { row });
}
