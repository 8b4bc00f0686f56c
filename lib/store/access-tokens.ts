import type { Client } from '../oauth/client.ts';
import type { InfoUser } from '../oauth/info-user.ts';
import { identifiersIn } from '../oauth/resource.ts';
import { mayKeep } from '../oauth/scope.ts';
import { digest } from '../oauth/secrets.ts';
import type { SignIn } from '../oauth/sign-in-rules.ts';
import { readAccessDetail, readClientTokenDetail, type Token } from '../oauth/tokens.ts';
import { once } from '../once.ts';
import { metrics } from '../telemetry/metrics.ts';
import { clientAt } from './clients.ts';
import { endDue } from './ends.ts';
import { type Columns, database, read, readOne } from './engine/database.ts';
import { Gathered } from './engine/gathered.ts';
import { readHeld, readTogether } from './engine/held.ts';
import { revokeTokenOf } from './exchanges.ts';
import { areHere, isOfSignIn, lineageLives, readLineage } from './lineage.ts';
import { pictureUrl } from './pictures.ts';
import { scopesAt } from './scopes.ts';
import { spendOnce } from './spent-values.ts';

export type LiveAccessToken = {
  /** The only site that it is good for, as its cookie; null: it is an access token. */
  site: string | null;
  clientId: string;
  /** As of the revision at which the token was read. */
  client: Client;
  /** The authorization it belongs to and the grant; null if the token is for the client itself. */
  authorizationId: string | null;
  grantId: string | null;
  scope: string;
  /** Identifiers of the APIs it is for; empty if it is for none in particular. */
  audience: readonly string[];
  /** The thumbprint of the key it is bound to (RFC 9449); null if it is bound to none. */
  jkt: string | null;
  issuedAt: Date;
  expiresAt: Date;
  claims: string | null;
  user: InfoUser | null;
  /** When and how the user signed in; null if the token is for the client itself. */
  signIn: SignIn | null;
  /**
   * The clients it passed through by token exchange, the nearest first; empty if it came from a
   * sign-in.
   */
  lineage: readonly string[];
};

/** A token and the revision it was read at. */
export type FoundAccessToken = { revision: number; token: LiveAccessToken | null };
type Seen = { revision: number; token: LiveAccessToken; revokedHash: string; stamp: number | null };

const seenTokens = () => once('cache.accessTokens', () => new Map<string, Seen>());
const maxCached = 10_000;
/** Nearly all tokens have 74 characters. A longer one, with very many scopes, is never cached. */
const longestSeen = 500;

/**
 * What is stored for an individually revoked access token until it would have expired. For a JWT it
 * covers only the signed part: anyone who has an ECDSA signature (r, s) can write another valid
 * one, (r, n − s).
 */
export const revokedHash = (text: string) => `token:${digest(withoutSignature(text))}`;

const withoutSignature = (text: string) =>
  text.includes('.') ? text.slice(0, text.lastIndexOf('.')) : text;

/**
 * The live access token with this text, if this process has seen it before. Costs one narrow
 * statement, or none on SQLite while nothing has changed; returns the same object as long as
 * nothing about it changes. Null: read the token itself.
 * @param site null: access tokens; otherwise the cookies of this site
 */
export async function findSeenAccessToken(
  text: string,
  now: Date,
  site: string | null = null,
): Promise<(FoundAccessToken & { token: LiveAccessToken }) | null> {
  const seen = seenTokens().get(text);
  metrics()?.lookedUp('access-tokens', seen !== undefined);
  if (seen?.token.site !== site) return null;
  await endDue(now);
  if (seen.token.expiresAt > now && (await isStillSo(seen))) return seen;
  seenTokens().delete(text);
  return null;
}

/*
 * What an access token stands for does not change; it can only end. A change to the user changes
 * `updated_at`, and a change to anything that the client is judged by raises the revision.
 */
const redeemed = 'a.revoked_at IS NULL AND a.redeemed_at IS NOT NULL';
const ofSignIn = `${redeemed} AND ${isOfSignIn('a')}`;
const ofLineage = `${redeemed} AND ${lineageLives('a')}`;
const unrevoked = 'NOT EXISTS (SELECT 1 FROM spent_values s WHERE s.hash = :revokedHash)';
const selectSeen = (living: string) => `
  SELECT r.value AS revision, u.updated_at
  FROM revision r
  JOIN authorizations a ON a.id = :authorizationId AND ${living}
  JOIN users u ON u.id = a.user_id AND u.epoch = a.user_epoch
  WHERE r.id = 1 AND ${unrevoked}`;
const selectSeenOfSignIn = selectSeen(ofSignIn);
const selectSeenOfLineage = selectSeen(ofLineage);
/*
 * The same on PostgreSQL, for many tokens that came from sign-ins. The parameters are lists
 * separated by spaces, and the answer lists the places in them whose tokens are still valid. OFFSET 0
 * keeps PostgreSQL from joining whole tables by a plan that it made while they were small.
 */
const selectManySeen = `
  SELECT r.value AS revision, (
    SELECT string_agg(t.place::text, ' ')
    FROM unnest(string_to_array(:authorizations, ' '), string_to_array(:hashes, ' '), string_to_array(:changes, ' ')::bigint[])
      WITH ORDINALITY AS t(id, hash, updated_at, place)
    CROSS JOIN LATERAL (SELECT a.user_id, a.user_epoch FROM authorizations a WHERE a.id = t.id AND ${ofSignIn} OFFSET 0) a
    CROSS JOIN LATERAL (SELECT 1 FROM users u WHERE u.id = a.user_id AND u.epoch = a.user_epoch AND EXTRACT(EPOCH FROM u.updated_at) * 1000 = t.updated_at OFFSET 0) u
    WHERE NOT EXISTS (SELECT 1 FROM spent_values s WHERE s.hash = t.hash OFFSET 0)
  ) AS places
  FROM revision r WHERE r.id = 1`;
const selectClientToken = `
  SELECT r.value AS revision, CASE WHEN EXISTS (SELECT 1 FROM spent_values s WHERE s.hash = :revokedHash) THEN 1 ELSE 0 END AS revoked
  FROM revision r WHERE r.id = 1`;

type SeenRow = { revision: number } & Columns<'users', 'updatedAt'>;
type ClientTokenRow = { revision: number; revoked: 0 | 1 };

async function isStillSo(seen: Seen): Promise<boolean> {
  const stamp = stampNow();
  if (stamp !== null && stamp === seen.stamp) return true;
  if (!(await isUnchanged(seen))) return false;
  seen.stamp = stamp;
  return true;
}

async function isUnchanged(seen: Seen): Promise<boolean> {
  const { revision, token, revokedHash } = seen;
  const { authorizationId, user } = token;
  if (authorizationId === null || user === null) {
    const row = await readTogether<ClientTokenRow>(selectClientToken, { revokedHash });
    return row?.revision === revision && row.revoked === 0;
  }
  const cameFromSignIn = token.lineage.length === 0;
  if (cameFromSignIn && database().kind === 'postgresql')
    return gathered().ask({
      revision,
      authorizationId,
      revokedHash,
      updatedAt: user.updatedAt.getTime(),
    });
  const sql = cameFromSignIn ? selectSeenOfSignIn : selectSeenOfLineage;
  const row = await readOne<SeenRow>(sql, { authorizationId, revokedHash });
  return row?.revision === revision && row.updatedAt.getTime() === user.updatedAt.getTime();
}

type Question = {
  revision: number;
  authorizationId: string;
  revokedHash: string;
  updatedAt: number;
};

const gathered = () => once('seen-tokens', () => new Gathered<Question, boolean>(areUnchanged));

async function areUnchanged(questions: Question[]): Promise<boolean[]> {
  const list = (of: (question: Question) => string | number) => questions.map(of).join(' ');
  const [row] = await read<{ revision: number; places: string | null }>(selectManySeen, {
    authorizations: list(({ authorizationId }) => authorizationId),
    hashes: list(({ revokedHash }) => revokedHash),
    changes: list(({ updatedAt }) => updatedAt),
  });
  const revision = row?.revision;
  const places = new Set(row?.places?.split(' '));
  return questions.map(
    (question, index) => question.revision === revision && places.has(String(index + 1)),
  );
}

function stampNow(): number | null {
  const db = database();
  return db.kind === 'sqlite' ? db.stamp() : null;
}

function keep(text: string, { revision, token }: FoundAccessToken, stamp: number | null): void {
  if (!token || text.length > longestSeen) return;
  const seen = seenTokens();
  // A Map iterates in insertion order, so this evicts the oldest entry.
  if (seen.size >= maxCached) seen.delete(seen.keys().next().value ?? '');
  seen.set(text, { revision, token, revokedHash: revokedHash(text), stamp });
}

const selectAccessToken = (living: string) => `
  SELECT r.value AS revision, a.scope, a.resources, a.client_id, a.client_epoch, a.grant_id, a.claims AS asked_claims, a.auth_time, a.amr, a.lineage,
    u.id AS user_id, u.username, u.email, u.email_verified, u.name, u.picture, u.claims, u.updated_at
  FROM revision r
  LEFT JOIN authorizations a ON a.id = :authorizationId AND ${living} AND ${unrevoked}
  LEFT JOIN users u ON u.id = a.user_id AND u.epoch = a.user_epoch
  WHERE r.id = 1`;
const selectOfSignIn = selectAccessToken(ofSignIn);
const selectOfLineage = selectAccessToken(ofLineage);

type AccessTokenRow = { revision: number } & (
  | { userId: null }
  | (Columns<
      'authorizations',
      | 'scope'
      | 'resources'
      | 'clientId'
      | 'clientEpoch'
      | 'grantId'
      | 'authTime'
      | 'amr'
      | 'lineage'
    > &
      InfoRow & { claims: string; askedClaims: string | null })
);

/** What a live access token stands for. `token` is its content, after its MAC was verified. */
export async function readAccessToken(
  text: string,
  token: Token,
  now: Date,
): Promise<FoundAccessToken> {
  await endDue(now);
  const stamp = stampNow();
  const found =
    token.kind === 'clientToken'
      ? await readForClient(text, token)
      : await readForUser(text, token);
  const live = token.expiresAt > now ? found : { ...found, token: null };
  keep(text, live, stamp);
  return live;
}

async function readForUser(text: string, token: Token): Promise<FoundAccessToken> {
  const params = { authorizationId: token.id, revokedHash: revokedHash(text) };
  let row = await readTogether<AccessTokenRow>(selectOfSignIn, params);
  if (row?.userId === null) row = await readOne<AccessTokenRow>(selectOfLineage, params);
  const revision = row?.revision ?? Number.NaN;
  if (!row || row.userId === null) return { revision, token: null };
  const client = await clientAt(revision, row.clientId);
  const lineage = readLineage(row.lineage);
  if (client?.epoch !== row.clientEpoch || !(await areHere(revision, lineage)))
    return { revision, token: null };
  const whose = {
    clientId: row.clientId,
    client,
    authorizationId: token.id,
    grantId: row.grantId,
  };
  const whole = { scope: row.scope, audience: identifiersIn(row.resources) };
  const site = token.kind === 'siteToken' ? token.detail : null;
  const reach = site === null ? readAccessDetail(token.detail, whole) : whole;
  const claims = row.askedClaims;
  const user = readInfoUser(row, row.claims);
  const signIn = { authTime: row.authTime, amr: row.amr };
  const facts = { site, claims, user, signIn, lineage };
  return { revision, token: { ...whose, ...saidBy(token), ...reach, ...facts } };
}

async function readForClient(text: string, token: Token): Promise<FoundAccessToken> {
  const row = await readTogether<ClientTokenRow>(selectClientToken, {
    revokedHash: revokedHash(text),
  });
  const revision = row?.revision ?? Number.NaN;
  const { clientId, clientEpoch, ...reach } = readClientTokenDetail(token.detail);
  const client = await clientAt(revision, clientId);
  if (row?.revoked === 1 || client?.epoch !== clientEpoch) return { revision, token: null };
  // Such a token has no row that could have ended with a scope, so its scopes are checked here.
  if (!mayKeep(reach.scope.split(' '), client, await scopesAt(revision)))
    return { revision, token: null };
  const nobody = {
    site: null,
    authorizationId: null,
    grantId: null,
    claims: null,
    user: null,
    signIn: null,
  };
  const lineage: string[] = [];
  return { revision, token: { ...nobody, lineage, ...saidBy(token), clientId, client, ...reach } };
}

/** When it was issued, when it expires, and which key it is bound to. */
const saidBy = ({ expiresAt, life, jkt }: Token) => ({
  jkt,
  issuedAt: new Date(expiresAt.getTime() - life * 1000),
  expiresAt,
});

export type InfoRow = { userId: string } & Columns<
  'users',
  'username' | 'email' | 'emailVerified' | 'name' | 'picture' | 'updatedAt'
>;

/** The user columns of a row, for user information. */
export function readInfoUser(row: InfoRow, claims: string): InfoUser {
  return {
    id: row.userId,
    username: row.username,
    email: row.email,
    emailVerified: row.emailVerified,
    name: row.name,
    picture: pictureUrl(row.picture),
    claims,
    updatedAt: row.updatedAt,
  };
}

/** The user with this id, for user information, or null. */
export async function findInfoUser(id: string): Promise<InfoUser | null> {
  const sql =
    'SELECT id AS user_id, username, email, email_verified, name, picture, claims, updated_at FROM users WHERE id = :id';
  const row = await readHeld<InfoRow & { claims: string }>(sql, { id });
  return row ? readInfoUser(row, row.claims) : null;
}

/**
 * Revokes one access token, with everything it was exchanged for. Its digest is kept until it would
 * have expired.
 */
export async function revokeAccessToken(
  text: string,
  { authorizationId, expiresAt }: Pick<LiveAccessToken, 'authorizationId' | 'expiresAt'>,
  now: Date,
): Promise<void> {
  const hash = revokedHash(text);
  if (authorizationId === null) await spendOnce(hash, expiresAt);
  else await revokeTokenOf(authorizationId, { hash, expiresAt }, now);
}
