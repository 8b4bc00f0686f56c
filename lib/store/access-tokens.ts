import type { InfoUser } from '../oauth/userinfo.ts';
import { once } from '../once.ts';
import { clientIsIn } from './clients.ts';
import { date, hot, type Row, readOne, write } from './database.ts';
import { pictureUrl } from './pictures.ts';
import { aliveCondition } from './tokens.ts';

export type LiveAccessToken = {
  clientId: string;
  grantId: string | null;
  familyId: string;
  scope: string;
  issuedAt: Date;
  expiresAt: Date;
  claims: string | null;
  user: InfoUser | null;
};

/** A token and the revision it was read at. */
type Found = { revision: number; token: LiveAccessToken | null };
type Seen = { revision: number; token: LiveAccessToken; stamp: number | null };

const seenTokens = () => once('cache.accessTokens', () => new Map<string, Seen>());
const mostSeen = 10_000;

/**
 * The access token with this digest, while it lives. A token that this process has seen costs one
 * narrow statement, and on SQLite none while nothing was changed there; it is the same object as
 * before, as long as nothing about it has changed.
 */
export async function findAccessToken(hash: string, now: Date): Promise<Found> {
  const seen = seenTokens().get(hash);
  if (seen && seen.token.expiresAt > now && (await isStillSo(hash, seen, now))) return seen;
  const stamp = stampNow();
  const found = await readAccessToken(hash, now);
  keep(hash, found, stamp);
  return found;
}

/*
 * Tokens and families do not change, they only end. When the person changes, so does their
 * `updated_at`; and what the client is judged by raises the revision.
 */
const selectSeen = `
  SELECT r.value AS revision, u.updated_at
  FROM revision r
  JOIN access_tokens t ON t.hash = $1 AND t.expires_at > $3
  JOIN token_families f ON f.id = $2
  LEFT JOIN users u ON u.id = f.user_id
  WHERE r.id = 1 AND ${aliveCondition}`;

async function isStillSo(hash: string, seen: Seen, now: Date): Promise<boolean> {
  const { revision, token } = seen;
  const stamp = stampNow();
  if (stamp !== null && stamp === seen.stamp) return true;
  const row = await readOne(selectSeen, [hash, token.familyId, now]);
  if (Number(row?.revision) !== revision) return false;
  if (token.user !== null && Number(row?.updated_at) !== token.user.updatedAt.getTime())
    return false;
  seen.stamp = stamp;
  return true;
}

function stampNow(): number | null {
  const db = hot();
  return db.kind === 'sqlite' ? db.stamp() : null;
}

function keep(hash: string, { revision, token }: Found, stamp: number | null): void {
  const seen = seenTokens();
  seen.delete(hash);
  if (!token) return;
  // A map hands its keys out in the order they came in: what goes is what was read longest ago.
  if (seen.size >= mostSeen) seen.delete(seen.keys().next().value ?? '');
  seen.set(hash, { revision, token, stamp });
}

/** Lets the first look at a token that this process has just issued be a narrow one. */
export function noteAccessToken(hash: string, token: LiveAccessToken, revision: number): void {
  keep(hash, { revision, token }, null);
}

const selectAccessToken = `
  SELECT r.value AS revision, t.scope, t.issued_at, t.expires_at, f.id AS family_id, f.client_id, f.client_epoch, f.grant_id, f.claims AS asked_claims,
    u.id AS user_id, u.username, u.email, u.email_verified, u.name, u.picture, u.claims, u.updated_at,
    CASE WHEN f.id IS NOT NULL AND ${aliveCondition} THEN 1 ELSE 0 END AS alive
  FROM revision r
  LEFT JOIN access_tokens t ON t.hash = $1 AND t.expires_at > $2
  LEFT JOIN token_families f ON f.id = t.family_id
  LEFT JOIN users u ON u.id = f.user_id
  WHERE r.id = 1`;

/** As `findAccessToken`, without looking at what was seen. */
export async function readAccessToken(hash: string, now: Date): Promise<Found> {
  const row = await readOne(selectAccessToken, [hash, now]);
  const revision = Number(row?.revision);
  if (!row || Number(row.alive) !== 1) return { revision, token: null };
  if (!(await clientIsIn(Number(row.client_epoch), String(row.client_id), revision)))
    return { revision, token: null };
  return {
    revision,
    token: {
      clientId: String(row.client_id),
      grantId: row.grant_id as string | null,
      familyId: String(row.family_id),
      scope: String(row.scope),
      issuedAt: date(row.issued_at),
      expiresAt: date(row.expires_at),
      claims: row.asked_claims as string | null,
      user: row.user_id === null ? null : readInfoUser(row, row.claims),
    },
  };
}

/** The person's columns of a row, as user information tells of them. */
export function readInfoUser(row: Row, claims: unknown): InfoUser {
  return {
    id: String(row.user_id),
    username: String(row.username),
    email: String(row.email),
    emailVerified: Boolean(row.email_verified),
    name: row.name as string | null,
    picture: pictureUrl(row.picture),
    claims: String(claims),
    updatedAt: date(row.updated_at),
  };
}

/** The person with this id, as user information tells of them, or null. */
export async function findInfoUser(id: string): Promise<InfoUser | null> {
  const sql =
    'SELECT id AS user_id, username, email, email_verified, name, picture, claims, updated_at FROM users WHERE id = $1';
  const row = await readOne(sql, [id]);
  return row ? readInfoUser(row, row.claims) : null;
}

/** Ends one access token. */
export async function revokeAccessToken(hash: string): Promise<void> {
  await write('DELETE FROM access_tokens WHERE hash = $1', [hash]);
}
