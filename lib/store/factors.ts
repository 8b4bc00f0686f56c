import { config } from '../config.ts';
import { type AccountBasis, stillShown } from './account-basis.ts';
import { inReach, type Reach } from './actor.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { holdingPeople } from './changing-people.ts';
import { type Columns, read, write, writeTogether } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';
import { rpIdOf } from './passkeys.ts';
import { forgettingRemembered } from './remembered-devices.ts';

/**
 * A user's second factors. Passkeys of another host are not in `passkeysHere`, because they do not
 * work at this server's address.
 */
export type Factors = {
  totp: boolean;
  passkeys: number;
  passkeysHere: number;
  recoveryCodes: number;
};

const count = (table: string, more = '') =>
  `(SELECT COUNT(*) FROM ${table} WHERE user_id = :userId${more})`;
const selectFactors = `SELECT ${count('totp_secrets')} AS totp, ${count('passkeys')} AS passkeys,
  ${count('passkeys', ' AND (rp_id IS NULL OR rp_id = :rpId)')} AS here,
  ${count('recovery_codes', ' AND used_at IS NULL')} AS codes`;

export async function readFactors(userId: string): Promise<Factors> {
  const [row] = await read<Record<'totp' | 'passkeys' | 'here' | 'codes', number>>(selectFactors, {
    userId,
    rpId: rpIdOf(config().issuer),
  });
  return {
    totp: (row?.totp ?? 0) > 0,
    passkeys: row?.passkeys ?? 0,
    passkeysHere: row?.here ?? 0,
    recoveryCodes: row?.codes ?? 0,
  };
}

/**
 * Whether the user has a second factor. Recovery codes substitute for one but do not count as one.
 * A passkey of another host does count: a changed address must not let anyone in with just a
 * password.
 */
export function hasFactor({ totp, passkeys }: Factors): boolean {
  return totp || passkeys > 0;
}

type StoredTotp = { enrolment: string; sealedSecret: string; createdAt: Date };

export async function findTotp(userId: string): Promise<StoredTotp | null> {
  const [row] = await read<Columns<'totp_secrets', 'enrolment' | 'sealedSecret' | 'createdAt'>>(
    'SELECT enrolment, sealed_secret, created_at FROM totp_secrets WHERE user_id = :userId',
    { userId },
  );
  return row ?? null;
}

type NewTotp = { userId: string; enrolment: string; sealedSecret: string; step: number };

// PostgreSQL needs to know the type of a parameter that is selected.
const insertTotp = (condition: string) => `
  INSERT INTO totp_secrets (user_id, enrolment, sealed_secret, last_step, created_at)
  SELECT u.id, :enrolment, :sealedSecret, CAST(:step AS BIGINT), CAST(:now AS TIMESTAMPTZ)
  FROM users u WHERE u.id = :userId AND ${condition}
  ON CONFLICT (user_id) DO UPDATE SET enrolment = excluded.enrolment, sealed_secret = excluded.sealed_secret,
    last_step = excluded.last_step, created_at = excluded.created_at
    WHERE totp_secrets.enrolment <> excluded.enrolment
  RETURNING user_id`;

/**
 * Stores the secret of an authenticator app, replacing an older one, and forgets all remembered
 * devices, which may have been remembered with that one. An enrolment is stored only once, and only
 * while the user's proof that the account is theirs is still valid.
 */
export async function storeTotp(
  { userId, enrolment, sealedSecret, step }: NewTotp,
  basis: AccountBasis,
  event: AuditEntry,
  now: Date,
): Promise<'stored' | 'refused'> {
  const { condition, params } = stillShown(basis);
  const first = {
    sql: insertTotp(condition),
    params: { ...params, userId, enrolment, sealedSecret, step, now },
  };
  const along = [forgettingRemembered(userId), auditing(event, now)];
  const rows = await writeTogether(first, along, [holdingPeople([userId])]);
  return rows.length === 1 ? 'stored' : 'refused';
}

/** Reseals a secret, unless it has been replaced. */
export async function resealTotp(
  userId: string,
  enrolment: string,
  sealedSecret: string,
): Promise<void> {
  await write(
    'UPDATE totp_secrets SET sealed_secret = :sealedSecret WHERE user_id = :userId AND enrolment = :enrolment',
    { userId, enrolment, sealedSecret },
  );
}

/**
 * Spends the code of a time step: of concurrent callers exactly one gets 'taken', and older steps
 * are never accepted again (RFC 6238 section 5.2).
 */
export async function takeTotpStep(
  userId: string,
  enrolment: string,
  step: number,
): Promise<'taken' | 'used'> {
  const sql =
    'UPDATE totp_secrets SET last_step = :step WHERE user_id = :userId AND enrolment = :enrolment AND last_step < :step RETURNING user_id';
  return (await write(sql, { userId, enrolment, step })).length === 1 ? 'taken' : 'used';
}

/** Deletes recovery codes once no factor is left, because they are useless without one. */
const dropIdleCodes = (userId: string): Statement => ({
  sql: `DELETE FROM recovery_codes WHERE user_id = :userId
    AND NOT EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = :userId) AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = :userId)`,
  params: { userId },
});

/**
 * Removed along with a factor: recovery codes that have become useless, and the remembered devices,
 * which may have been remembered with it.
 */
const without = (userId: string): Statement[] => [
  dropIdleCodes(userId),
  forgettingRemembered(userId),
];

export async function removeTotp(
  userId: string,
  event: AuditEntry,
  now: Date,
): Promise<'removed' | 'none'> {
  const first = {
    sql: 'DELETE FROM totp_secrets WHERE user_id = :userId RETURNING user_id',
    params: { userId },
  };
  const then = [...without(userId), auditing(event, now)];
  return removed(await writeTogether(first, then, [holdingPeople([userId])]));
}

export async function removePasskey(
  userId: string,
  id: string,
  event: AuditEntry,
  now: Date,
): Promise<'removed' | 'none'> {
  const first = {
    sql: 'DELETE FROM passkeys WHERE user_id = :userId AND id = :id RETURNING id',
    params: { userId, id },
  };
  const then = [...without(userId), auditing(event, now)];
  return removed(await writeTogether(first, then, [holdingPeople([userId])]));
}

/**
 * Removes all factors and codes of a user, including one that is being added at this moment. After
 * that the password alone signs in.
 */
export async function removeAllFactors(
  userId: string,
  event: AuditEntry,
  now: Date,
  reach?: Reach,
): Promise<'removed' | 'none'> {
  const exists = (table: string) => `EXISTS (SELECT 1 FROM ${table} WHERE user_id = :userId)`;
  const first = {
    sql: `UPDATE users SET updated_at = :now WHERE id = :userId ${inReach(reach)} AND (${exists('totp_secrets')} OR ${exists('passkeys')}) RETURNING id`,
    params: { userId, now },
  };
  const clear = ['totp_secrets', 'passkeys', 'recovery_codes'].map((table) => ({
    sql: `DELETE FROM ${table} WHERE user_id = :userId`,
    params: { userId },
  }));
  const tries = `DELETE FROM throttles WHERE user_id = :userId AND key LIKE 'factor:%'`;
  const then = [
    ...clear,
    { sql: tries, params: { userId } },
    forgettingRemembered(userId),
    auditing(event, now),
  ];
  return removed(await writeTogether(first, then, [holdingPeople([userId])]));
}

function removed(rows: unknown[]): 'removed' | 'none' {
  return rows.length > 0 ? 'removed' : 'none';
}
