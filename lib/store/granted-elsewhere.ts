import { unknownTime } from '../oauth/sign-in-rules.ts';
import { read, writeTogether } from './engine/database.ts';
import type { Stepped } from './exchanges.ts';
import { factorRule, isEnoughFor } from './factor-duty.ts';
import { mayBeMeant } from './identities.ts';
import { isOfSignIn } from './lineage.ts';
import { holdsConsented } from './withdrawals.ts';
import { holdingGrant, isLetIn, storedAs, type WithoutCode } from './without-code.ts';

/** What another server granted for a user. */
type GrantedElsewhere = WithoutCode & {
  /**
   * The provider that vouches for the user, and the user's identity there; null: matched by an
   * email address that both sides have verified.
   */
  providerId: string;
  identityId: string | null;
  authTime: Date;
  amr: string;
};

/** SQL: at this moment the provider may vouch for the user `u`. */
const isTaken = `EXISTS (SELECT 1 FROM providers p WHERE p.id = :providerId AND p.enabled AND p.accepts_assertions AND (
      (CAST(:identityId AS TEXT) IS NULL AND p.matches_addresses AND ${mayBeMeant('u', 'p.issuer')})
      OR EXISTS (SELECT 1 FROM identities i WHERE i.id = :identityId AND i.user_id = u.id)))`;

const insert = (consented: number) => `
  INSERT INTO authorizations (id, client_id, user_id, grant_id, scope, redirect_uri, resources, auth_time, amr, user_epoch,
    client_epoch, created_at, redeemed_at, idle_until, ends_at, keep_until)
  SELECT :id, :clientId, u.id, g.id, :scope, '', :resources, CAST(:authTime AS TIMESTAMPTZ), :amr, u.epoch,
    CAST(:clientEpoch AS INTEGER), CAST(:now AS TIMESTAMPTZ), CAST(:now AS TIMESTAMPTZ), CAST(:endsAt AS TIMESTAMPTZ),
    CAST(:endsAt AS TIMESTAMPTZ), CAST(:endsAt AS TIMESTAMPTZ)
  FROM grants g JOIN users u ON u.id = g.user_id
  WHERE g.id = :grantId AND g.client_id = :clientId AND u.disabled_at IS NULL AND ${isTaken}
    AND ${isEnoughFor('u', 'CAST(:amr AS TEXT)')} AND ${isLetIn} ${holdsConsented(consented)}
  RETURNING scope, grant_id, idle_until, keep_until`;

/**
 * Stores it. Null: the user is disabled or may not use the client, the provider may no longer vouch
 * for the user, or the grant changed at this moment.
 */
export async function storeGrantedElsewhere(
  granted: GrantedElsewhere,
  now: Date,
): Promise<Stepped | null> {
  const params = { ...storedAs(granted, now), ...(await factorRule()) };
  const first = { sql: insert(granted.consented.length), params };
  const [stored] = await writeTogether<Stepped>(first, [], [holdingGrant(granted.grantId)]);
  return stored ?? null;
}

/** A live authorization, and its user. */
type Candidate = { id: string; userId: string };

/**
 * The live authorizations of the sign-ins at a client whose `auth_time`, as its ID tokens told it,
 * is in this second, the newest first. None: everything that the sign-in gave has ended, so its ID token proves nothing
 * any more.
 */
export async function findSignInsAt(
  clientId: string,
  authTime: Date,
  now: Date,
): Promise<Candidate[]> {
  const sql = `SELECT a.id, a.user_id FROM authorizations a JOIN users u ON u.id = a.user_id JOIN clients c ON c.id = a.client_id
    LEFT JOIN sessions s ON s.hash = a.session_hash AND a.auth_time = :unknownTime
    WHERE a.client_id = :clientId AND COALESCE(s.auth_time, a.auth_time) >= :authTime AND COALESCE(s.auth_time, a.auth_time) < :before
      AND ${isOfSignIn('a')} AND a.revoked_at IS NULL AND a.redeemed_at IS NOT NULL
      AND a.keep_until > :now AND a.user_epoch = u.epoch AND a.client_epoch = c.epoch ORDER BY a.id DESC`;
  const before = new Date(authTime.getTime() + 1000);
  return read<Candidate>(sql, { clientId, authTime, before, now, unknownTime });
}
