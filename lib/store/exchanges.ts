import { locking, readOne, writeTogether } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';
import { factorRule, isEnoughFor } from './factor-duty.ts';
import { lineageLives } from './lineage.ts';
import { spending } from './spent-values.ts';
import { holdsConsented } from './withdrawals.ts';
import { holdingGrant, isLetIn, storedAs, type WithoutCode } from './without-code.ts';

/** The columns that a step of an authorization returns. */
export type Stepped = { scope: string; grantId: string; idleUntil: Date; keepUntil: Date };

/**
 * What a token is exchanged for: an authorization of the client that exchanges it, below the
 * authorization of the token.
 */
type NewExchange = WithoutCode & {
  parentId: string;
  /** The hash of the token in `spent_values` once it is revoked. */
  subjectHash: string;
  /** The clients it came through, the nearest first. */
  lineage: readonly string[];
  /** What it may in turn be exchanged for, as `accessDetail` writes it. */
  onward: string;
  /** Whether it has a refresh token, which is valid until the authorization ends. */
  refreshes: boolean;
  /** The APIs for which the client was found to be allowed to exchange tokens. */
  exchangeFor: readonly string[];
};

/**
 * The maximum number of exchanges of one authorization by one client. Beyond that the oldest are
 * deleted, which ends everything derived from them.
 */
const mostKept = 50;

const insert = (consented: number) => `
  INSERT INTO authorizations (id, client_id, user_id, grant_id, scope, redirect_uri, resources, auth_time, amr, user_epoch,
    client_epoch, created_at, redeemed_at, idle_until, ends_at, keep_until, parent_id, subject_hash, lineage, onward)
  SELECT :id, :clientId, p.user_id, g.id, :scope, '', :resources, p.auth_time, p.amr, p.user_epoch,
    CAST(:clientEpoch AS INTEGER), CAST(:now AS TIMESTAMPTZ), CAST(:now AS TIMESTAMPTZ), CAST(:endsAt AS TIMESTAMPTZ),
    CAST(:endsAt AS TIMESTAMPTZ), CAST(:endsAt AS TIMESTAMPTZ), p.id, :subjectHash, :lineage, :onward
  FROM authorizations p JOIN users u ON u.id = p.user_id AND u.epoch = p.user_epoch
  JOIN clients c ON c.id = p.client_id AND c.epoch = p.client_epoch
  JOIN grants g ON g.id = :grantId AND g.user_id = p.user_id AND g.client_id = :clientId
  JOIN clients e ON e.id = :clientId AND e.exchange_for = :exchangeFor
  WHERE p.id = :parentId AND p.revoked_at IS NULL AND p.redeemed_at IS NOT NULL AND ${lineageLives('p')}
    AND NOT EXISTS (SELECT 1 FROM spent_values s WHERE s.hash = :subjectHash)
    AND ${isEnoughFor('u', 'p.amr')} AND ${isLetIn} ${holdsConsented(consented)}`;

const tooMany = `DELETE FROM authorizations WHERE id IN (
  SELECT k.id FROM authorizations k WHERE k.parent_id = :parentId AND k.client_id = :clientId
  ORDER BY k.id DESC LIMIT 1000 OFFSET ${mostKept})`;

/**
 * Stores an exchange, if the token and everything it came from is live at this moment, and the user
 * may use the client. Null: the token is not live, or the user may not use the client. Without a
 * refresh token, the same exchange of the same token is stored only once.
 */
export async function storeExchange(exchange: NewExchange, now: Date): Promise<Kept | null> {
  const { refreshes, ...said } = exchange;
  const same = refreshes ? null : await findSame(exchange);
  if (same) return same;
  const { id, parentId, clientId, consented, lineage } = said;
  const exchangeFor = said.exchangeFor.join(' ');
  const whose = { ...storedAs(said, now), ...(await factorRule()) };
  const params = { ...whose, lineage: lineage.join(' '), exchangeFor };
  const then = [
    { sql: insert(consented.length), params },
    { sql: tooMany, params: { parentId, clientId } },
  ];
  await writeTogether(holding(parentId), then, [holdingGrant(said.grantId)]);
  return (await readOne<Kept>(`${select} WHERE a.id = :id`, { id })) ?? null;
}

type Kept = Stepped & { id: string };

const select = `SELECT a.id, a.scope, a.grant_id, a.idle_until, a.keep_until FROM authorizations a`;

async function findSame(exchange: NewExchange): Promise<Kept | null> {
  const { parentId, subjectHash, clientId, clientEpoch, scope, resources, onward, endsAt } =
    exchange;
  const sql = `${select} JOIN users u ON u.id = a.user_id AND u.epoch = a.user_epoch
    JOIN grants g ON g.id = a.grant_id AND ${isLetIn} WHERE a.parent_id = :parentId AND a.subject_hash = :subjectHash AND a.client_id = :clientId
    AND a.client_epoch = :clientEpoch AND a.scope = :scope AND a.resources = :resources
    AND a.onward = :onward AND a.ends_at = :endsAt AND a.rotation = 0 AND a.revoked_at IS NULL AND ${lineageLives('a')}
    AND ${isEnoughFor('u', 'a.amr')}
    AND NOT EXISTS (SELECT 1 FROM spent_values s WHERE s.hash = a.subject_hash) ORDER BY a.id DESC LIMIT 1`;
  const params = { parentId, subjectHash, clientId, clientEpoch, scope, onward, endsAt };
  return (
    (await readOne<Kept>(sql, {
      ...params,
      ...(await factorRule()),
      resources: resources.join(' '),
    })) ?? null
  );
}

/**
 * The authorization that a token belongs to. It is locked on PostgreSQL: if the token is revoked
 * and exchanged at the same moment, the second of the two sees the first.
 */
function holding(id: string, lock: 'SHARE' | 'UPDATE' = 'SHARE'): Statement {
  return {
    sql: `SELECT id FROM authorizations WHERE id = :id ${locking(`FOR ${lock}`)}`,
    params: { id },
  };
}

/** Revokes one access token of an authorization, with everything it was exchanged for. */
export async function revokeTokenOf(
  authorizationId: string,
  { hash, expiresAt }: { hash: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  const children = {
    sql: `UPDATE authorizations SET revoked_at = CAST(:now AS TIMESTAMPTZ)
      WHERE parent_id = :authorizationId AND subject_hash = :hash AND revoked_at IS NULL`,
    params: { authorizationId, hash, now },
  };
  await writeTogether(holding(authorizationId, 'UPDATE'), [spending(hash, expiresAt), children]);
}
