import { type Role, roleOf } from '../people/roles.ts';
import { comesBy } from './account-basis.ts';
import { inReach, type Reach } from './actor.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { holdingPeople } from './changing-people.ts';
import { endDue } from './ends.ts';
import { type Columns, locking, read, readOne, write, writeTogether } from './engine/database.ts';
import { readHeld } from './engine/held.ts';
import type { SqlParams, Statement } from './engine/statement.ts';
import { picturePath } from './pictures.ts';
import { forgettingOfSession, forgettingOthers } from './remembered-devices.ts';
import { endingSessionsThat, endSessionsThat } from './session-endings.ts';
import { sessionEndOf, sessionLifeOf } from './session-life.ts';
import { readSettings, settingsAt } from './settings.ts';
import { spending } from './spent-values.ts';

export type Session = {
  /** Identifies the session; can't be used as a cookie. */
  hash: string;
  /** The digest of its cookie's value. */
  cookieHash: string;
  /** When the user signed in here; counted from then, the session ends. */
  signedInAt: Date;
  /** When they proved who they are: before, if a provider says so; `unknownTime` if it does not. */
  authTime: Date;
  amr: string;
  lastSeenAt: Date;
  /** The user does not want to stay signed in here. */
  brief: boolean;
  user: {
    id: string;
    username: string;
    email: string;
    name: string | null;
    /** The picture's address on this server. */
    picture: string | null;
    isAdmin: boolean;
    role: Role;
    /** An admin requires a second factor of them. */
    requireSecondFactor: boolean;
    /** Whether the user has a second factor. */
    hasFactor: boolean;
    epoch: number;
  };
};

const selectSession = `
  SELECT r.value AS revision, s.hash, s.cookie_hash, s.auth_time, s.proved_at, s.amr, s.last_seen_at, s.expires_at, s.brief,
    u.id AS user_id, u.username, u.email, u.name, u.picture, u.is_admin, u.role, u.require_second_factor, u.epoch,
    CASE WHEN EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = u.id) OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) THEN 1 ELSE 0 END AS has_factor
  FROM revision r
  LEFT JOIN sessions s ON s.cookie_hash = :cookieHash OR (s.hash = :cookieHash AND s.cookie_hash IS NULL)
  LEFT JOIN users u ON u.id = s.user_id AND u.epoch = s.user_epoch AND u.disabled_at IS NULL
  WHERE r.id = 1`;

type SessionRow = { revision: number } & (FoundSession | { userId: null });
type FoundSession = Columns<
  'sessions',
  | 'hash'
  | 'cookieHash'
  | 'userId'
  | 'authTime'
  | 'provedAt'
  | 'amr'
  | 'lastSeenAt'
  | 'expiresAt'
  | 'brief'
> &
  Columns<
    'users',
    'username' | 'email' | 'name' | 'picture' | 'isAdmin' | 'role' | 'requireSecondFactor' | 'epoch'
  > & {
    hasFactor: 0 | 1;
  };

/** The live session whose cookie has this digest, and the revision it was read at. */
export async function findSession(
  cookieHash: string,
  now: Date,
): Promise<{ revision: number; session: Session | null }> {
  await endDue(now);
  const row = await readHeld<SessionRow>(selectSession, { cookieHash });
  const revision = row?.revision ?? Number.NaN;
  if (!row || row.userId === null || row.expiresAt <= now) return { revision, session: null };
  const session = toSession(row);
  // Judged by the current settings; the row has those in force when it was written.
  const life = sessionLifeOf(await settingsAt(revision), session.user, session.brief);
  return { revision, session: sessionEndOf(session, life) > now ? session : null };
}

function toSession(row: FoundSession): Session {
  return {
    hash: row.hash,
    cookieHash: row.cookieHash ?? row.hash,
    signedInAt: row.authTime,
    authTime: row.provedAt ?? row.authTime,
    amr: row.amr,
    lastSeenAt: row.lastSeenAt,
    brief: row.brief,
    user: {
      id: row.userId,
      username: row.username,
      email: row.email,
      name: row.name,
      picture: picturePath(row.picture),
      isAdmin: row.isAdmin,
      role: roleOf(row),
      requireSecondFactor: row.requireSecondFactor,
      hasFactor: row.hasFactor === 1,
      epoch: row.epoch,
    },
  };
}

/**
 * The identity at a provider that a user signed in with, and the provider's id for its own session.
 * `provedAt`: when they proved there who they are; null: here, or there just now.
 */
export type FromProvider = { identityId: string; sid: string | null; provedAt: Date | null };

export type NewSession = {
  hash: string;
  userId: string;
  /** The password hash that was just verified: if it has changed, sign-in fails. */
  passwordHash: string | null;
  /**
   * The account's epoch when they proved who they are. Whatever ends everything also ends a sign-in
   * under way.
   */
  epoch: number;
  amr: string;
  brief: boolean;
  expiresAt: Date;
  userAgent: string | null;
  address: string | null;
  from?: FromProvider | undefined;
};

/**
 * On PostgreSQL it locks the user: it waits for a change of the password that is under way, and a
 * later change ends the session.
 */
const insertSession = () => `
  INSERT INTO sessions (hash, user_id, user_epoch, auth_time, proved_at, amr, created_at, last_seen_at, expires_at, user_agent, address, brief, identity_id, provider_sid)
  SELECT :hash, id, epoch, CAST(:now AS TIMESTAMPTZ), CAST(:provedAt AS TIMESTAMPTZ), :amr, CAST(:now AS TIMESTAMPTZ), CAST(:now AS TIMESTAMPTZ), CAST(:expiresAt AS TIMESTAMPTZ), :userAgent, :address, CAST(:brief AS BOOLEAN), CAST(:identityId AS TEXT), CAST(:providerSid AS TEXT) FROM users
  WHERE id = :userId AND disabled_at IS NULL AND epoch = :epoch AND (password_hash = :passwordHash OR (password_hash IS NULL AND CAST(:passwordHash AS TEXT) IS NULL))
    AND ${comesBy('users.id')}
  ${locking('FOR SHARE OF users')} RETURNING hash`;

const updateSession = `
  UPDATE sessions SET cookie_hash = :cookieHash, auth_time = :now, proved_at = CAST(:provedAt AS TIMESTAMPTZ), amr = :amr, last_seen_at = :now, expires_at = :expiresAt, user_agent = :userAgent, address = :address, brief = :brief,
    identity_id = COALESCE(CAST(:identityId AS TEXT), identity_id), provider_sid = CASE WHEN CAST(:identityId AS TEXT) IS NULL THEN provider_sid ELSE :providerSid END
  WHERE hash = :hash AND COALESCE(cookie_hash, hash) = :seen AND user_id = :userId AND ${comesBy('sessions.user_id')}
    AND EXISTS (SELECT 1 FROM users u WHERE u.id = sessions.user_id AND u.epoch = sessions.user_epoch AND u.epoch = :epoch
    AND u.disabled_at IS NULL AND (u.password_hash = :passwordHash OR (u.password_hash IS NULL AND CAST(:passwordHash AS TEXT) IS NULL)))
  RETURNING hash`;

/**
 * The values stored for a sign-in. A session that came from a provider stays one, however its user
 * signs in again: what ends it at the provider ends it here.
 */
const writtenOf = ({ hash: _, from, ...said }: NewSession, now: Date) => ({
  ...said,
  now,
  identityId: from?.identityId ?? null,
  providerSid: from?.sid ?? null,
  provedAt: from?.provedAt ?? null,
});

/**
 * Writes a sign-in. If the user came with an identity, they are locked first on PostgreSQL: a
 * removal of the identity that is under way is waited for, and the statement checks after that.
 */
function writeSignIn(sql: string, params: SqlParams, { userId, from }: NewSession) {
  if (!from) return write(sql, params);
  const hold = { sql: 'SELECT id FROM users WHERE id = :userId FOR SHARE', params: { userId } };
  return writeTogether({ sql, params }, [], [hold]);
}

/**
 * Continues a session after its user signed in again in the same browser: under a new cookie, while
 * the old one (`seen`, its digest) stops working. Refused for the same reasons as in
 * `storeSession`, or if the session has ended or its cookie has changed.
 */
export async function renewSession(
  hash: string,
  seen: string,
  session: NewSession,
  now: Date,
): Promise<'renewed' | 'refused'> {
  const which = { hash, seen, cookieHash: session.hash };
  const params = { ...which, ...writtenOf(session, now) };
  const rows = await writeSignIn(updateSession, params, session);
  return rows.length === 1 ? 'renewed' : 'refused';
}

/**
 * Stores a session, unless something happened since the user proved who they are: they were
 * disabled, their password changed, everything they had was ended, or the identity that they came
 * with was removed.
 */
export async function storeSession(session: NewSession, now: Date): Promise<'stored' | 'refused'> {
  const params = { hash: session.hash, ...writtenOf(session, now) };
  const rows = await writeSignIn(insertSession(), params, session);
  return rows.length === 1 ? 'stored' : 'refused';
}

/** Restarts the idle time of a session. */
export async function touchSession(hash: string, now: Date, expiresAt: Date): Promise<void> {
  await write(
    'UPDATE sessions SET last_seen_at = :now, expires_at = :expiresAt WHERE hash = :hash',
    { hash, now, expiresAt },
  );
}

/**
 * Records that a second factor was verified in this session (`amr` names it), under a new cookie.
 * Refused if its cookie (`seen`, its digest) has changed.
 */
export async function raiseSession(
  hash: string,
  seen: string,
  cookieHash: string,
  amr: string,
): Promise<'raised' | 'refused'> {
  const sql = `UPDATE sessions SET cookie_hash = :cookieHash, amr = :amr WHERE hash = :hash AND COALESCE(cookie_hash, hash) = :seen RETURNING hash`;
  return (await write(sql, { hash, seen, cookieHash, amr })).length === 1 ? 'raised' : 'refused';
}

/**
 * Ends a session with its codes, and queues the logouts of its apps. Does nothing if it has ended
 * already.
 */
export async function endSession(hash: string): Promise<void> {
  await endSessionsThat('s.hash = :hash', { hash });
}

/**
 * The statements that end a user's sessions except for the one to keep, and make all browsers
 * unknown that signed in before, for the same transaction as the reason.
 */
export const endingOtherSessions = (userId: string, keepHash: string, now: Date): Statement[] => [
  { sql: 'UPDATE users SET known_from = :now WHERE id = :userId', params: { userId, now } },
  ...endingSessionsThat('s.user_id = :userId AND s.hash <> :keepHash', { userId, keepHash }),
  // A remembered device may have no session left.
  forgettingOthers(userId, keepHash),
];

/**
 * Ends a user's sessions except for the one to keep, with their codes and the event; the logouts of
 * their apps are queued.
 */
export async function endOtherSessions(
  userId: string,
  keepHash: string,
  event: AuditEntry,
  now: Date,
): Promise<void> {
  const first = { sql: 'SELECT id FROM users WHERE id = :userId', params: { userId } };
  const then = [...endingOtherSessions(userId, keepHash, now), auditing(event, now)];
  // Either this waits for a session that is being stored, or that session waits. Otherwise it could
  // end without its codes ending.
  await writeTogether(first, then, [holdingPeople([userId])]);
}

/** A provider's logout token, which can be used once: its hash, and until when that is kept. */
export type LogoutToken = { hash: string; until: Date };

/**
 * Which sessions a provider ends: all of a subject, the one that it calls `sid`, or those that
 * match both.
 */
export type EndedThere = { providerId: string; subject: string | null; sid: string | null };

/**
 * Ends the sessions that came from a provider, and spends the token that says so, in one
 * transaction: if that fails, the provider can send the token again. Gives the ids of the users;
 * null: the token was spent before.
 */
export async function endSessionsFrom(
  ended: EndedThere,
  token: LogoutToken,
  eventOf: (userId: string) => AuditEntry,
  now: Date,
): Promise<string[] | null> {
  const [condition, params] = conditionOf(ended);
  const found = await read<Columns<'sessions', 'userId'>>(
    `SELECT DISTINCT s.user_id FROM sessions s WHERE ${condition}`,
    params,
  );
  const users = found.map(({ userId }) => userId);
  const then = [
    ...endingSessionsThat(condition, params),
    ...users.map((userId) => auditing(eventOf(userId), now)),
  ];
  const hold = users.length > 0 ? [holdingPeople(users)] : [];
  const spent = await writeTogether(spending(token.hash, token.until), then, hold);
  return spent.length > 0 ? users : null;
}

function conditionOf({ providerId, subject, sid }: EndedThere) {
  const of = `SELECT i.id FROM identities i WHERE i.provider_id = :providerId${subject === null ? '' : ' AND i.subject = :subject'}`;
  const condition = [
    `s.identity_id IN (${of})`,
    ...(sid === null ? [] : ['s.provider_sid = :sid']),
    // The condition on the user is there for the index on it.
    ...(subject === null
      ? []
      : [
          's.user_id IN (SELECT i.user_id FROM identities i WHERE i.provider_id = :providerId AND i.subject = :subject)',
        ]),
  ].join(' AND ');
  const params = { providerId, ...(subject !== null && { subject }), ...(sid !== null && { sid }) };
  return [condition, params] as const;
}

/** The name of the provider that a session came from; null: it came from none. */
export async function providerOfSession(hash: string): Promise<string | null> {
  const sql = `SELECT p.name FROM sessions s JOIN identities i ON i.id = s.identity_id
    JOIN providers p ON p.id = i.provider_id WHERE s.hash = :hash`;
  return (await read<Columns<'providers', 'name'>>(sql, { hash }))[0]?.name ?? null;
}

/** A session, as shown to its user and to admins. */
export type SessionRecord = {
  hash: string;
  createdAt: Date;
  lastSeenAt: Date;
  amr: string[];
  /** Its user did not want to stay signed in there. */
  brief: boolean;
  userAgent: string | null;
  address: string | null;
};

/** When the session with this hash was opened by a sign-in here; null if there is none. */
export async function signedInAt(hash: string): Promise<Date | null> {
  const sql = 'SELECT auth_time FROM sessions WHERE hash = :hash';
  return (await readOne<Columns<'sessions', 'authTime'>>(sql, { hash }))?.authTime ?? null;
}

/** A user's sessions, most recently active first; at most 100. */
export async function listSessionsOf(userId: string, now: Date): Promise<SessionRecord[]> {
  const settings = await readSettings();
  const sql = `SELECT s.hash, s.created_at, s.last_seen_at, s.auth_time, s.amr, s.brief, s.user_agent, s.address, u.is_admin, u.role
    FROM sessions s JOIN users u ON u.id = s.user_id AND u.epoch = s.user_epoch
    WHERE s.user_id = :userId AND s.expires_at > :now AND u.disabled_at IS NULL ORDER BY s.last_seen_at DESC LIMIT 100`;
  type Found = Columns<
    'sessions',
    'hash' | 'createdAt' | 'lastSeenAt' | 'authTime' | 'amr' | 'brief' | 'userAgent' | 'address'
  > &
    Columns<'users', 'isAdmin' | 'role'>;
  const lives = (row: Found) => {
    const life = sessionLifeOf(settings, { role: roleOf(row) }, row.brief);
    const seen = { signedInAt: row.authTime, lastSeenAt: row.lastSeenAt };
    return sessionEndOf(seen, life) > now;
  };
  return (await read<Found>(sql, { userId, now }))
    .filter(lives)
    .map(({ authTime: _, isAdmin: _admin, role: _role, amr, ...row }) => {
      return { ...row, amr: amr.split(' ').filter(Boolean) };
    });
}

/**
 * Ends one session of a user, as `endSession` does, with the event. False: there is none, or the
 * user is out of reach.
 */
export async function endSessionOfUser(
  userId: string,
  hash: string,
  event: AuditEntry,
  now: Date,
  reach?: Reach,
): Promise<boolean> {
  const condition = `s.hash = :hash AND s.user_id = :userId
    AND EXISTS (SELECT 1 FROM users WHERE users.id = :userId ${inReach(reach)})`;
  const [first, ...then] = endingSessionsThat(condition, { hash, userId });
  const along = [forgettingOfSession(userId, hash), auditing(event, now)];
  const hold = [holdingPeople([userId])];
  return (await writeTogether(first, [...then, ...along], hold)).length > 0;
}
