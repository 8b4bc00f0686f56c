import { type IssuedRefreshToken, replayWindow } from '../oauth/token-request.ts';
import { once } from '../once.ts';
import { clientIsIn } from './clients.ts';
import {
  date,
  dateOrNull,
  hot,
  isMissingParent,
  type Row,
  readOne,
  type SqlValue,
  write,
} from './database.ts';

/**
 * What every look-up of a code or token must still find: nobody revoked its family, and person
 * and client are in the epoch it was issued in (disabling, deleting and resetting raise it).
 */
export const aliveCondition =
  'f.revoked_at IS NULL AND (f.user_id IS NULL OR u.epoch = f.user_epoch)';

export type StoredRefreshToken = IssuedRefreshToken & {
  hash: string;
  predecessor: string | null;
  familyId: string;
  grantId: string | null;
  userId: string | null;
  familyExpiresAt: Date;
  sessionHash: string | null;
  nonce: string | null;
  claims: string | null;
  authTime: Date | null;
  amr: string | null;
};

/** What of a refresh token may change, or is its own. */
const ownColumns = `r.value AS revision, t.predecessor, t.expires_at, t.used_at, f.id AS family_id,
  CASE WHEN ${aliveCondition} THEN 1 ELSE 0 END AS alive`;
const usedColumns = 't.used_scope, t.replay, s.used_at AS successor_used_at';
const familyColumns = `f.grant_id, f.client_id, f.client_epoch, f.user_id, f.scope, f.expires_at AS family_expires_at, f.session_hash,
  f.nonce, f.claims, f.auth_time, f.amr`;
const fromRefreshToken = `
  FROM revision r
  LEFT JOIN refresh_tokens t ON t.hash = $1
  LEFT JOIN token_families f ON f.id = t.family_id
  LEFT JOIN users u ON u.id = f.user_id`;
const selectWhole = `SELECT ${ownColumns}, ${usedColumns}, ${familyColumns} ${fromRefreshToken}
  LEFT JOIN refresh_tokens s ON s.hash = t.successor
  WHERE r.id = 1`;
const selectOwn = `SELECT ${ownColumns} ${fromRefreshToken} WHERE r.id = 1`;

/** The refresh token with this digest, used or not, alive or not; and the revision it was read at. */
export async function findRefreshToken(
  hash: string,
): Promise<{ revision: number; token: StoredRefreshToken | null }> {
  const row = await readRefreshToken(hash);
  const revision = Number(row?.revision);
  if (!row || row.family_id === null) return { revision, token: null };
  return {
    revision,
    token: {
      hash,
      predecessor: row.predecessor as string | null,
      clientId: String(row.client_id),
      familyId: String(row.family_id),
      grantId: row.grant_id as string | null,
      userId: row.user_id as string | null,
      scope: String(row.scope),
      expiresAt: date(row.expires_at),
      familyExpiresAt: date(row.family_expires_at),
      usedAt: dateOrNull(row.used_at),
      usedScope: (row.used_scope ?? null) as string | null,
      replay: (row.replay ?? null) as string | null,
      successorUsed: (row.successor_used_at ?? null) !== null,
      sessionHash: row.session_hash as string | null,
      nonce: row.nonce as string | null,
      claims: row.claims as string | null,
      authTime: dateOrNull(row.auth_time),
      amr: row.amr as string | null,
      alive:
        Number(row.alive) === 1 &&
        (await clientIsIn(Number(row.client_epoch), String(row.client_id), revision)),
    },
  };
}

const familyNames = familyColumns.split(/,\s+/).map((column) => column.replace(/^.*[. ]/, ''));
const mostFamilies = 10_000;

/**
 * On SQLite each column that is read costs as much as finding the row, and most of them are the
 * family's, which never change: those are held in memory. On PostgreSQL only round trips cost.
 */
async function readRefreshToken(hash: string): Promise<Row | undefined> {
  if (hot().kind === 'postgresql') return readOne(selectWhole, [hash]);
  const families = once('cache.families', () => new Map<string, Row>());
  const own = await readOne(selectOwn, [hash]);
  const family = families.get(String(own?.family_id));
  if (!own || own.family_id === null) return own;
  if (own.used_at === null && family) return { ...own, ...family };
  const whole = await readOne(selectWhole, [hash]);
  if (families.size >= mostFamilies) families.clear();
  if (whole)
    families.set(
      String(whole.family_id),
      Object.fromEntries(familyNames.map((name) => [name, whole[name]])),
    );
  return whole;
}

export type NewAccessToken = { hash: string; scope: string; expiresAt: Date };
export type Rotation = {
  old: Pick<StoredRefreshToken, 'hash' | 'predecessor' | 'familyId'>;
  usedScope: string | null;
  replay: string;
  successor: { hash: string; expiresAt: Date };
  accessToken: NewAccessToken;
};

const useRefreshToken =
  'UPDATE refresh_tokens SET used_at = $2, successor = $3, used_scope = $4, replay = $5, replay_until = $6 WHERE hash = $1 AND used_at IS NULL';
const insertRefreshToken =
  'INSERT INTO refresh_tokens (hash, family_id, predecessor, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5)';
const insertAccessToken =
  'INSERT INTO access_tokens (hash, family_id, scope, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5)';
const forgetReplay = 'UPDATE refresh_tokens SET replay = NULL, replay_until = NULL WHERE hash = $1';

const rotatePostgres = `
  WITH won AS (${useRefreshToken} RETURNING family_id),
  forgotten AS (UPDATE refresh_tokens SET replay = NULL, replay_until = NULL WHERE hash = $7 AND EXISTS (SELECT 1 FROM won)),
  refresh AS (INSERT INTO refresh_tokens (hash, family_id, predecessor, issued_at, expires_at)
    SELECT $3, family_id, $1, $2, $8::timestamptz FROM won),
  access AS (INSERT INTO access_tokens (hash, family_id, scope, issued_at, expires_at)
    SELECT $9, family_id, $10, $2, $11::timestamptz FROM won)
  SELECT 1 AS won FROM won`;

/**
 * Marks the old token used and stores its successor and a new access token, in one atomic
 * step; of any number of callers one rotates. The answer to the use before this one is
 * forgotten: its successor has now been used.
 */
export async function rotateRefreshToken(
  rotation: Rotation,
  now: Date,
): Promise<'rotated' | 'already-used'> {
  const { old, usedScope, replay, successor, accessToken } = rotation;
  const use: SqlValue[] = [
    old.hash,
    now,
    successor.hash,
    usedScope,
    replay,
    new Date(now.getTime() + replayWindow),
  ];
  const db = hot();
  if (db.kind === 'postgresql') {
    const rest = [
      old.predecessor,
      successor.expiresAt,
      accessToken.hash,
      accessToken.scope,
      accessToken.expiresAt,
    ];
    const rotate = async () =>
      (await db.query(rotatePostgres, [...use, ...rest])).length === 1 ? 'rotated' : 'already-used';
    return orWhenGone('already-used', rotate);
  }
  return db.write((tx) => {
    if (tx.run(useRefreshToken, use) === 0) return 'already-used';
    if (old.predecessor) tx.run(forgetReplay, [old.predecessor]);
    tx.run(insertRefreshToken, [successor.hash, old.familyId, old.hash, now, successor.expiresAt]);
    tx.run(insertAccessToken, [
      accessToken.hash,
      old.familyId,
      accessToken.scope,
      now,
      accessToken.expiresAt,
    ]);
    return 'rotated';
  }, 'adds');
}

const extendPostgres = `
  WITH live AS (UPDATE refresh_tokens SET expires_at = $2 WHERE hash = $1 RETURNING family_id)
  INSERT INTO access_tokens (hash, family_id, scope, issued_at, expires_at)
  SELECT $3, family_id, $4, $5::timestamptz, $6::timestamptz FROM live RETURNING hash`;

/** Without rotation: a new access token, and the refresh token's idle time begins anew; unless it has just been taken away. */
export async function extendRefreshToken(
  token: { hash: string; familyId: string; expiresAt: Date },
  accessToken: NewAccessToken,
  now: Date,
): Promise<'extended' | 'gone'> {
  const db = hot();
  if (db.kind === 'postgresql') {
    const params = [
      token.hash,
      token.expiresAt,
      accessToken.hash,
      accessToken.scope,
      now,
      accessToken.expiresAt,
    ];
    return orWhenGone('gone', async () =>
      (await db.query(extendPostgres, params)).length === 1 ? 'extended' : 'gone',
    );
  }
  return db.write((tx) => {
    if (
      tx.run('UPDATE refresh_tokens SET expires_at = $2 WHERE hash = $1', [
        token.hash,
        token.expiresAt,
      ]) === 0
    )
      return 'gone';
    tx.run(insertAccessToken, [
      accessToken.hash,
      token.familyId,
      accessToken.scope,
      now,
      accessToken.expiresAt,
    ]);
    return 'extended';
  }, 'adds');
}

/** PostgreSQL sees a row that another transaction is deleting, until that one ends. */
async function orWhenGone<T>(gone: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isMissingParent(error)) return gone;
    throw error;
  }
}

/** Ends a family: every token that came from one code. */
export async function revokeFamily(familyId: string, now: Date): Promise<boolean> {
  const sql =
    'UPDATE token_families SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id';
  return (await write(sql, [familyId, now])).length === 1;
}

const clientFamily = `
  INSERT INTO token_families (id, client_id, scope, user_epoch, client_epoch, created_at, expires_at)
  VALUES ($1, $2, $3, 0, $4, $5, $6)`;
const clientTokenPostgres = `
  WITH family AS (${clientFamily} RETURNING id)
  INSERT INTO access_tokens (hash, family_id, scope, issued_at, expires_at) SELECT $7, id, $3, $5, $6 FROM family`;

/** Stores an access token that stands for a client itself. */
export async function storeClientToken(
  family: { id: string; clientId: string; clientEpoch: number },
  token: NewAccessToken,
  now: Date,
): Promise<void> {
  const values: SqlValue[] = [
    family.id,
    family.clientId,
    token.scope,
    family.clientEpoch,
    now,
    token.expiresAt,
  ];
  const db = hot();
  if (db.kind === 'postgresql') {
    await db.query(clientTokenPostgres, [...values, token.hash]);
    return;
  }
  await db.write((tx) => {
    tx.run(clientFamily, values);
    tx.run(insertAccessToken, [token.hash, family.id, token.scope, now, token.expiresAt]);
  }, 'adds');
}
