import { type IssuedCode, later } from '../oauth/token-request.ts';
import type { InfoUser } from '../oauth/userinfo.ts';
import { once } from '../once.ts';
import { noteAccessToken, readInfoUser } from './access-tokens.ts';
import { clientIsIn } from './clients.ts';
import {
  date,
  dateOrNull,
  hot,
  isMissingParent,
  read,
  readOne,
  type SqlValue,
  write,
} from './database.ts';
import { flowLife, holds, spentFlow } from './withdrawals.ts';

export type NewCode = {
  hash: string;
  flowId: string;
  clientId: string;
  userId: string;
  grantId: string;
  /** What the person must have allowed, and not have taken back in this instant. */
  consented: readonly string[];
  sessionHash: string | null;
  scope: string;
  redirectUri: string;
  redirectUriSent: boolean;
  stateHash: string | null;
  codeChallenge: string | null;
  nonce: string | null;
  claims: string | null;
  authTime: Date;
  amr: string;
  userEpoch: number;
  clientEpoch: number;
  expiresAt: Date;
};

/**
 * Stores a code only while its grant holds all that was consented to, and for a flow that has had
 * none: one whose code went with a withdrawn consent is remembered in spent_values. On PostgreSQL
 * the grant is locked against a withdrawal that is being made; SQLite has one writer at a time.
 */
const insertCode = (consented: number, lock: string) => `
  INSERT INTO authorization_codes (hash, flow_id, client_id, user_id, grant_id, session_hash, scope, redirect_uri, redirect_uri_sent,
    state_hash, code_challenge, nonce, claims, auth_time, amr, user_epoch, client_epoch, created_at, expires_at, keep_until)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, CAST($9 AS BOOLEAN), $10, $11, $12, $13, CAST($14 AS TIMESTAMPTZ), $15, CAST($16 AS INTEGER),
    CAST($17 AS INTEGER), CAST($18 AS TIMESTAMPTZ), CAST($19 AS TIMESTAMPTZ), CAST($20 AS TIMESTAMPTZ)
  FROM grants g WHERE g.id = $5 AND NOT EXISTS (SELECT 1 FROM spent_values WHERE hash = '${spentFlow}' || $2)
    ${Array.from({ length: consented }, (_, index) => `AND ${holds('g.scopes', `$${21 + index}`)}`).join(' ')}
  ${lock} ON CONFLICT (flow_id) DO NOTHING RETURNING hash`;

/** The statement for so many scopes, made once: each new text would be prepared anew. */
function insertCodeFor(consented: number): string {
  const statements = once('sql.insert-code', () => new Map<number, string>());
  const made =
    statements.get(consented) ??
    insertCode(consented, hot().kind === 'postgresql' ? 'FOR SHARE OF g' : '');
  statements.set(consented, made);
  return made;
}

/** Stores a code; a second one for the same authorization request is refused, and one whose consent was withdrawn meanwhile. */
export async function storeCode(
  code: NewCode,
  now: Date,
): Promise<'stored' | 'flow-used' | 'grant-gone'> {
  const values = [
    code.hash,
    code.flowId,
    code.clientId,
    code.userId,
    code.grantId,
    code.sessionHash,
    code.scope,
    code.redirectUri,
    code.redirectUriSent,
    code.stateHash,
    code.codeChallenge,
    code.nonce,
    code.claims,
    code.authTime,
    code.amr,
    code.userEpoch,
    code.clientEpoch,
    now,
    code.expiresAt,
    later(code.expiresAt, flowLife),
  ];
  const sql = insertCodeFor(code.consented.length);
  const rows = await write(sql, [...values, ...code.consented], 'adds').catch((error: unknown) => {
    if (isMissingParent(error)) return [];
    throw error;
  });
  if (rows.length === 1) return 'stored';
  return (await hasHadCode(code.flowId)) ? 'flow-used' : 'grant-gone';
}

async function hasHadCode(flowId: string): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM authorization_codes WHERE flow_id = $1 UNION ALL SELECT 1 FROM spent_values WHERE hash = '${spentFlow}' || $1`;
  return (await read(sql, [flowId])).length > 0;
}

export type StoredCode = IssuedCode & {
  hash: string;
  /** What person and client were read at. */
  revision: number;
  user: InfoUser;
  userId: string;
  grantId: string;
  scope: string;
  familyId: string | null;
  sessionHash: string | null;
  nonce: string | null;
  claims: string | null;
  authTime: Date;
  amr: string;
  userEpoch: number;
  clientEpoch: number;
};

const selectCode = `
  SELECT r.value AS revision, k.client_id, k.user_id, k.grant_id, k.scope, k.redirect_uri, k.state_hash, k.code_challenge, k.expires_at,
    k.used_at, k.family_id, k.session_hash, k.nonce, k.claims, k.auth_time, k.amr, k.user_epoch, k.client_epoch,
    u.username, u.email, u.email_verified, u.name, u.picture, u.claims AS user_claims, u.updated_at,
    CASE WHEN u.epoch = k.user_epoch THEN 1 ELSE 0 END AS alive
  FROM revision r
  LEFT JOIN authorization_codes k ON k.hash = $1
  LEFT JOIN users u ON u.id = k.user_id
  WHERE r.id = 1`;

/** The code with this digest, used or not, expired or not; and the revision it was read at. */
export async function findCode(
  hash: string,
): Promise<{ revision: number; code: StoredCode | null }> {
  const row = await readOne(selectCode, [hash]);
  const revision = Number(row?.revision);
  if (!row || row.client_id === null) return { revision, code: null };
  return {
    revision,
    code: {
      hash,
      revision,
      clientId: String(row.client_id),
      userId: String(row.user_id),
      user: readInfoUser(row, row.user_claims),
      grantId: String(row.grant_id),
      scope: String(row.scope),
      redirectUri: String(row.redirect_uri),
      stateHash: row.state_hash as string | null,
      codeChallenge: row.code_challenge as string | null,
      expiresAt: date(row.expires_at),
      usedAt: dateOrNull(row.used_at),
      familyId: row.family_id as string | null,
      sessionHash: row.session_hash as string | null,
      nonce: row.nonce as string | null,
      claims: row.claims as string | null,
      authTime: date(row.auth_time),
      amr: String(row.amr),
      userEpoch: Number(row.user_epoch),
      clientEpoch: Number(row.client_epoch),
      alive:
        Number(row.alive) === 1 &&
        (await clientIsIn(Number(row.client_epoch), String(row.client_id), revision)),
    },
  };
}

/** A code that failed its binding can never be redeemed. */
export async function burnCode(hash: string, now: Date): Promise<void> {
  await write('UPDATE authorization_codes SET used_at = $2 WHERE hash = $1 AND used_at IS NULL', [
    hash,
    now,
  ]);
}

export type Redemption = {
  code: StoredCode;
  familyId: string;
  familyExpiresAt: Date;
  /** Until when a second redemption must be noticed: as long as a token made from the code may live. */
  keepUntil: Date;
  accessToken: { hash: string; expiresAt: Date };
  refreshToken: { hash: string; expiresAt: Date };
};

const useCode =
  'UPDATE authorization_codes SET used_at = $2, family_id = $3, keep_until = $4 WHERE hash = $1 AND used_at IS NULL';
const familyColumns =
  'id, client_id, user_id, grant_id, session_hash, scope, nonce, claims, auth_time, amr, user_epoch, client_epoch, created_at, expires_at';
const copiedColumns =
  'client_id, user_id, grant_id, session_hash, scope, nonce, claims, auth_time, amr, user_epoch, client_epoch';

const redeemPostgres = `
  WITH won AS (${useCode} RETURNING *),
  family AS (INSERT INTO token_families (${familyColumns}) SELECT $3, ${copiedColumns}, $2, $9::timestamptz FROM won),
  access AS (INSERT INTO access_tokens (hash, family_id, scope, issued_at, expires_at) SELECT $5, $3, scope, $2, $6::timestamptz FROM won),
  refresh AS (INSERT INTO refresh_tokens (hash, family_id, issued_at, expires_at) SELECT $7, $3, $2, $8::timestamptz FROM won)
  SELECT 1 AS won FROM won`;

/**
 * Redeems a code: marks it used and stores its tokens, in one atomic step. Of any number of
 * callers, in any number of processes, one redeems.
 */
export async function redeemCode(
  redemption: Redemption,
  now: Date,
): Promise<'redeemed' | 'already-used'> {
  try {
    const outcome = await redeem(redemption, now);
    if (outcome === 'redeemed') noteFirstToken(redemption, now);
    return outcome;
  } catch (error) {
    // The consent was withdrawn in this instant, and took the code with it.
    if (isMissingParent(error)) return 'already-used';
    throw error;
  }
}

function noteFirstToken({ code, familyId, accessToken }: Redemption, now: Date): void {
  const { clientId, grantId, scope, claims, user, revision } = code;
  const { hash, expiresAt } = accessToken;
  noteAccessToken(
    hash,
    { clientId, grantId, familyId, scope, issuedAt: now, expiresAt, claims, user },
    revision,
  );
}

async function redeem(redemption: Redemption, now: Date): Promise<'redeemed' | 'already-used'> {
  const { code, familyId, familyExpiresAt, keepUntil, accessToken, refreshToken } = redemption;
  const use: SqlValue[] = [code.hash, now, familyId, keepUntil];
  const db = hot();
  if (db.kind === 'postgresql') {
    const rest = [
      accessToken.hash,
      accessToken.expiresAt,
      refreshToken.hash,
      refreshToken.expiresAt,
      familyExpiresAt,
    ];
    return (await db.query(redeemPostgres, [...use, ...rest])).length === 1
      ? 'redeemed'
      : 'already-used';
  }
  return db.write((tx) => {
    if (tx.run(useCode, use) === 0) return 'already-used';
    tx.run(
      `INSERT INTO token_families (${familyColumns}) SELECT $3, ${copiedColumns}, $2, $4 FROM authorization_codes WHERE hash = $1`,
      [code.hash, now, familyId, familyExpiresAt],
    );
    tx.run(
      'INSERT INTO access_tokens (hash, family_id, scope, issued_at, expires_at) VALUES ($1, $2, $3, $4, $5)',
      [accessToken.hash, familyId, code.scope, now, accessToken.expiresAt],
    );
    tx.run(
      'INSERT INTO refresh_tokens (hash, family_id, issued_at, expires_at) VALUES ($1, $2, $3, $4)',
      [refreshToken.hash, familyId, now, refreshToken.expiresAt],
    );
    return 'redeemed';
  }, 'adds');
}

/** Ends every token that came from a code (RFC 6749 section 4.1.2). */
export async function revokeTokensOfCode(hash: string, now: Date): Promise<void> {
  const family = 'SELECT family_id FROM authorization_codes WHERE hash = $1';
  await write(
    `UPDATE token_families SET revoked_at = $2 WHERE id = (${family}) AND revoked_at IS NULL`,
    [hash, now],
  );
}
