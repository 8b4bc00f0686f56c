import { endingAppPasswords } from './app-passwords.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import {
  answersForNoAgent,
  change,
  type Outcome,
  type Standing,
  takeAwayOwner,
} from './changing-people.ts';
import { type Columns, laterThan, read } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';
import { endingSessionsThat } from './session-endings.ts';

/*
 * Accounts whose owners asked for their deletion. The row holds the moment of deletion from the
 * request on. Keeping the account and deleting it both change the row on condition that the moment
 * is still there.
 */

/**
 * Notes when an account is to be deleted, and ends everything it has except the session of the
 * request (`keepHash`): other sessions, codes, tokens and app passwords. Grants stay, in case the owner keeps the
 * account.
 */
export function requestDeletion(
  { id, keepHash }: { id: string; keepHash: string },
  at: Date,
  along: Statement[],
  now: Date,
): Promise<Outcome> {
  const first = (mayGo: string) => ({
    sql: `UPDATE users SET deletion_at = :at, epoch = epoch + 1, updated_at = ${laterThan('updated_at', ':now')}
      WHERE id = :id AND deletion_at IS NULL AND disabled_at IS NULL AND ${mayGo} AND ${answersForNoAgent} RETURNING id`,
    params: { id, at, now },
  });
  const others = { id, keepHash };
  const then = [
    ...endingSessionsThat('s.user_id = :id AND s.hash <> :keepHash', others),
    {
      sql: 'UPDATE sessions SET user_epoch = (SELECT epoch FROM users WHERE id = :id) WHERE user_id = :id AND hash = :keepHash',
      params: others,
    },
    endingAppPasswords({ userId: id }),
    ...along,
  ];
  const explains = (row: Standing) => row.deletionAt !== null || row.disabledAt !== null;
  return takeAwayOwner(id, { first, then }, explains);
}

/** Keeps an account that was to be deleted. */
export function keepAccount(
  id: string,
  event: AuditEntry,
  along: Statement[],
  now: Date,
): Promise<Outcome> {
  const sql = `UPDATE users SET deletion_at = NULL, updated_at = ${laterThan('updated_at', ':now')}
    WHERE id = :id AND deletion_at IS NOT NULL RETURNING id`;
  const then = [auditing(event, now), ...along];
  return change(id, { first: { sql, params: { id, now } }, then }, () => 'unchanged');
}

/** When an account is to be deleted, if its owner asked for that. */
export async function findDeletion(id: string): Promise<Date | null> {
  const sql = 'SELECT deletion_at FROM users WHERE id = :id';
  return (await read<Columns<'users', 'deletionAt'>>(sql, { id }))[0]?.deletionAt ?? null;
}

export type DueDeletion = Columns<'users', 'id' | 'username' | 'email'>;

/** The accounts whose time for reconsidering is over, at most 100, the longest due first. */
export function listDueDeletions(now: Date): Promise<DueDeletion[]> {
  const sql = `SELECT id, username, email FROM users
    WHERE deletion_at <= :now AND disabled_at IS NULL ORDER BY deletion_at, id LIMIT 100`;
  return read<DueDeletion>(sql, { now });
}
