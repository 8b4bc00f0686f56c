import { admitsOnlyListed } from '../oauth/access.ts';
import { pendingRequestLife } from '../oauth/authorization-request.ts';
import type { Client } from '../oauth/client.ts';
import type { Binding } from '../oauth/code-grant.ts';
import type { InfoUser } from '../oauth/info-user.ts';
import { addSeconds, type IssuedAuthorization } from '../oauth/token-request.ts';
import { once } from '../once.ts';
import { listed } from './access.ts';
import { type InfoRow, readInfoUser } from './access-tokens.ts';
import { isRefusedByAdmins } from './client-requests.ts';
import { clientAt } from './clients.ts';
import { isDenied } from './denials.ts';
import { endDue } from './ends.ts';
import {
  type Columns,
  database,
  isMissingParent,
  read,
  readOne,
  write,
} from './engine/database.ts';
import { sawRevision } from './engine/revision.ts';
import type { SqlValue, Statement } from './engine/statement.ts';
import type { Stepped } from './exchanges.ts';
import { factorRule, isEnoughFor } from './factor-duty.ts';
import { areHere, isOfSignIn, lineageLives, readLineage } from './lineage.ts';
import { readSignedIn, type SignedIn, signedIn } from './signed-in.ts';
import { type SingleUse, writeUsing } from './spent-values.ts';
import { unanswered } from './unredeemed-codes.ts';
import { answeredPrefix, consentedParams, holdsConsented } from './withdrawals.ts';

/*
 * An authorization is one row, created with its code. Each step of its life is one conditional
 * UPDATE, whose text is the same on both databases. However many callers in however many processes
 * try, one wins.
 */

export type NewAuthorization = {
  /** The id of the authorization request it answers. */
  id: string;
  clientId: string;
  userId: string;
  grantId: string;
  /** What the user must have consented to, and not withdrawn by this moment. */
  consented: readonly string[];
  sessionHash: string | null;
  scope: string;
  /** Identifiers of the APIs its tokens are for; empty if they are for none in particular. */
  resources: readonly string[];
  redirectUri: string;
  stateHash: string | null;
  codeChallenge: string | null;
  nonce: string | null;
  claims: string | null;
  authTime: Date;
  amr: string;
  userEpoch: number;
  clientEpoch: number;
  codeExpiresAt: Date;
  /** When its refresh tokens end; by default when the grant ends, if it does. */
  endsAt?: Date | null;
};

/**
 * Stores an authorization only while its grant covers the consented scopes and its session, if it
 * has one, exists; and only once per request. A request whose row went with a withdrawn consent is
 * kept in spent_values. On PostgreSQL the session is locked against a concurrent end, which locks
 * it first as well, and the grant against a withdrawal; SQLite has one writer at a time.
 */
const insert = (consented: number, session: string, lock: string) => `
  INSERT INTO authorizations (id, client_id, user_id, grant_id, session_hash, scope, redirect_uri, state_hash, code_challenge,
    nonce, claims, auth_time, amr, user_epoch, client_epoch, resources, created_at, keep_until, ends_at)
  SELECT :id, :clientId, :userId, :grantId, :sessionHash, :scope, :redirectUri, :stateHash, :codeChallenge,
    :nonce, :claims, CAST(:authTime AS TIMESTAMPTZ), :amr, CAST(:userEpoch AS INTEGER), CAST(:clientEpoch AS INTEGER),
    :resources, CAST(:now AS TIMESTAMPTZ), CAST(:keepUntil AS TIMESTAMPTZ), COALESCE(CAST(:endsAt AS TIMESTAMPTZ), g.ends_at)
  FROM grants g ${session} WHERE g.id = :grantId AND (g.ends_at IS NULL OR g.ends_at > :now)
    AND NOT EXISTS (SELECT 1 FROM spent_values WHERE hash = '${answeredPrefix}' || :id)
    AND ${unanswered(':id')}
    ${holdsConsented(consented)}
  ${lock} ON CONFLICT (id) DO NOTHING RETURNING id`;

/**
 * The statement per number of scopes, with or without a session. Cached, because each new text
 * would have to be prepared.
 */
function insertFor(consented: number, inSession: boolean): string {
  const statements = once('sql.insert-authorization', () => new Map<string, string>());
  const key = `${consented} ${inSession}`;
  const session = inSession
    ? 'JOIN sessions s ON s.user_id = g.user_id AND s.hash = :sessionHash'
    : '';
  const made = statements.get(key) ?? insert(consented, session, lockFor(inSession));
  statements.set(key, made);
  return made;
}

function lockFor(inSession: boolean): string {
  if (database().kind === 'sqlite') return '';
  return inSession ? 'FOR KEY SHARE OF s FOR SHARE OF g' : 'FOR SHARE OF g';
}

/**
 * Stores an authorization. Refuses a second one for the same request, one for a request that was
 * denied, one whose consent has been withdrawn, and one whose session has ended.
 */
export async function storeAuthorization(
  authorization: NewAuthorization,
  now: Date,
): Promise<'stored' | 'flow-used' | 'grant-gone' | 'session-gone'> {
  const { sql, params } = storingAuthorization(authorization, now);
  const rows = await write(sql, params).catch((error: unknown) => {
    if (isMissingParent(error)) return [];
    throw error;
  });
  if (rows.length === 1)
    return (await isDeniedBeside(authorization.id, now)) ? 'flow-used' : 'stored';
  const { id, grantId, sessionHash: hash } = authorization;
  if (await hasHadCode(id, grantId)) return 'flow-used';
  if (
    hash === null ||
    (await readOne('SELECT 1 AS found FROM sessions WHERE hash = :hash', { hash }))
  )
    return 'grant-gone';
  return 'session-gone';
}

/**
 * On PostgreSQL two concurrent statements do not see each other, so an authorization that was
 * stored while its request was denied is revoked. On SQLite one comes first, and the second has
 * seen it.
 */
async function isDeniedBeside(id: string, now: Date): Promise<boolean> {
  if (database().kind === 'sqlite' || !(await isDenied(id))) return false;
  await revokeAuthorization(id, now);
  return true;
}

/**
 * The statement that stores an authorization, for a transaction with the other changes that belong
 * to it.
 */
export function storingAuthorization(authorization: NewAuthorization, now: Date): Statement {
  const { consented, resources, codeExpiresAt, endsAt = null, ...said } = authorization;
  const keepUntil = addSeconds(codeExpiresAt, pendingRequestLife);
  return {
    sql: insertFor(consented.length, said.sessionHash !== null),
    params: {
      ...said,
      ...consentedParams(consented),
      resources: resources.join(' '),
      endsAt,
      keepUntil,
      now,
    },
  };
}

/**
 * Whether a request has had its code. @param grantId the grant of its user and client; null: there
 * is none
 */
export async function hasHadCode(id: string, grantId: string | null): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM authorizations WHERE id = :id UNION ALL SELECT 1 FROM spent_values WHERE hash = '${answeredPrefix}' || :id
    UNION ALL SELECT 1 FROM grants g WHERE g.id = :grantId AND NOT ${unanswered(':id')}`;
  return (await read(sql, { id, grantId })).length > 0;
}

/** An authorization in its current state, with its user. */
export type Authorization = IssuedAuthorization & {
  id: string;
  userId: string;
  user: InfoUser | null;
  grantId: string;
  sessionHash: string | null;
  nonce: string | null;
  claims: string | null;
  authTime: Date;
  amr: string;
  /** The absolute end of its refresh tokens; null if it was not redeemed. */
  endsAt: Date | null;
  keepUntil: Date;
  /**
   * What its tokens may be exchanged for, written as `accessDetail` writes a reach; '': the same as
   * it has.
   */
  onward: string;
};

const select = (living: string) => `
  SELECT r.value AS revision, a.client_id, a.user_id, a.grant_id, a.session_hash, a.scope, a.resources, a.redirect_uri, a.state_hash,
    a.code_challenge, a.nonce, a.claims, a.auth_time, a.amr, a.client_epoch, a.redeemed_at, a.revoked_at,
    a.rotation, a.rotated_at, a.rotated_scope, a.idle_until, a.ends_at, a.keep_until, a.lineage, a.onward,
    u.id AS found_user, u.username, u.email, u.email_verified, u.name, u.picture, u.claims AS user_claims, u.updated_at,
    CASE WHEN u.epoch = a.user_epoch AND ${living} THEN 1 ELSE 0 END AS alive
  FROM revision r
  LEFT JOIN authorizations a ON a.id = :id
  LEFT JOIN users u ON u.id = a.user_id
  WHERE r.id = 1`;
const selectOfSignIn = select(isOfSignIn('a'));
const selectOfLineage = select(lineageLives('a'));

type Row = { revision: number } & ({ clientId: null } | (Found & Whose));
type Found = { alive: 0 | 1 } & Omit<
  Columns<'authorizations'>,
  'id' | 'userEpoch' | 'createdAt' | 'parentId' | 'subjectHash'
>;
type Whose = { foundUser: null } | ({ foundUser: string; userClaims: string } & InfoRow);

/** The authorization with this id in any state, and the revision it was read at. */
export async function findAuthorization(
  id: string,
): Promise<{ revision: number; authorization: Authorization | null }> {
  await endDue(new Date());
  let row = await readOne<Row>(selectOfSignIn, { id });
  if (row && row.clientId !== null && row.lineage !== '')
    row = await readOne<Row>(selectOfLineage, { id });
  const revision = sawRevision(row?.revision ?? Number.NaN);
  if (!row || row.clientId === null) return { revision, authorization: null };
  const client = await clientAt(revision, row.clientId);
  const lineage = readLineage(row.lineage);
  const isHere = client?.epoch === row.clientEpoch && (await areHere(revision, lineage));
  const alive = row.alive === 1 && isHere;
  const user = row.foundUser === null ? null : readInfoUser(row, row.userClaims);
  return { revision, authorization: { ...row, user, id, alive, lineage } };
}

/** What a step was judged on. */
export type Judged = {
  id: string;
  /**
   * If the client lists its users, the step succeeds only for one of them. If it registered itself,
   * it succeeds only while admins have not refused the client.
   */
  client: Pick<Client, 'id' | 'epoch' | 'access' | 'origin'>;
  /**
   * The step succeeds only at this revision, and only for tokens that are for no API. Null if it
   * was judged on the row itself.
   */
  revision: number | null;
  /** Whether the row was read and found to come from a token exchange. */
  exchanged: boolean;
  /** What the step uses up at the same moment, at most two; it fails if one was used before. */
  uses?: readonly SingleUse[];
};

/**
 * The conditions of every step on what it was judged on. The row is found by its id alone:
 * PostgreSQL uses no index for IS NOT DISTINCT FROM, whereas for `=` it uses any index while it has
 * no statistics of the table.
 */
const holding = `id = :id AND client_id IS NOT DISTINCT FROM :clientId AND client_epoch = :clientEpoch AND revoked_at IS NULL
  AND EXISTS (SELECT 1 FROM revision r, users u WHERE r.id = 1 AND r.value = COALESCE(:revision, r.value)
    AND u.id = authorizations.user_id AND u.epoch = authorizations.user_epoch AND (:revision IS NULL OR authorizations.resources = '')
    AND ${isEnoughFor('u', 'authorizations.amr')})`;
const asListed = `AND ${listed('authorizations.client_id', 'authorizations.user_id')}`;
const notRefused = `AND NOT ${isRefusedByAdmins('authorizations.client_id')}`;
const earlier = (one: string, other: string) =>
  `CASE WHEN ${one} < ${other} THEN ${one} ELSE ${other} END`;
const giving = () => `RETURNING scope, grant_id, idle_until, keep_until, ${signedIn()}`;
/**
 * A step as a statement: for clients open to everyone, and with the further conditions for others.
 */
const stepFor = (sql: string) => ({
  open: `${sql} ${giving()}`,
  listed: `${sql} ${asListed} ${giving()}`,
  registered: `${sql} ${notRefused} ${giving()}`,
  both: `${sql} ${asListed} ${notRefused} ${giving()}`,
});
const stepFrom = (sql: string) => ({
  ofSignIn: stepFor(`${sql} AND ${isOfSignIn('authorizations')}`),
  ofLineage: stepFor(`${sql} AND ${lineageLives('authorizations')}`),
});
const stepOf = (sql: string) => () =>
  once(sql, () => ({
    alone: stepFrom(sql),
    using: stepFrom(
      `${sql} AND NOT EXISTS (SELECT 1 FROM spent_values WHERE hash IN (:used, :alsoUsed))`,
    ),
  }));

function kindOf(client: Judged['client']): keyof ReturnType<typeof stepFor> {
  if (client.origin === 'admin') return admitsOnlyListed(client) ? 'listed' : 'open';
  return admitsOnlyListed(client) ? 'both' : 'registered';
}

/** What a step returns; with the sign-in, if the authorization was not read and has `openid`. */
export type Taken = Stepped & { signedIn: SignedIn | null };
type SteppedRow = Stepped & { signedIn: string | null };

async function step(
  statements: ReturnType<typeof stepOf>,
  judged: Judged,
  values: Record<string, SqlValue> & { now: Date },
): Promise<Taken | null> {
  await endDue(values.now);
  const { id, client, revision, exchanged, uses = [] } = judged;
  const [first, last = first] = uses;
  const kinds = first ? statements().using : statements().alone;
  const sql = (exchanged ? kinds.ofLineage : kinds.ofSignIn)[kindOf(client)];
  const seen = { id, clientId: client.id, clientEpoch: client.epoch, revision };
  const params = { ...seen, ...(await factorRule(revision)), ...values };
  const used = first && last && { used: first.hash, alsoUsed: last.hash };
  const [stepped] = used
    ? await writeUsing<SteppedRow>({ sql, params: { ...params, ...used } }, uses)
    : await write<SteppedRow>(sql, params);
  return stepped ? { ...stepped, signedIn: readSignedIn(stepped.signedIn) } : null;
}

/*
 * An authorization given for a limited time was stored with its end. One given just once has its
 * end in the past: its first access token lives, and nothing can be refreshed.
 */
const redeem = stepOf(`
  UPDATE authorizations SET redeemed_at = :now, idle_until = ${earlier('ends_at', 'CAST(:idleUntil AS TIMESTAMPTZ)')},
    ends_at = ${earlier('ends_at', 'CAST(:endsAt AS TIMESTAMPTZ)')},
    keep_until = CASE WHEN ends_at > :now AND ends_at < CAST(:keepUntil AS TIMESTAMPTZ) THEN ends_at ELSE CAST(:keepUntil AS TIMESTAMPTZ) END
  WHERE ${holding} AND redeemed_at IS NULL
    AND redirect_uri = COALESCE(CAST(:redirectUri AS TEXT), redirect_uri)
    AND (CAST(:stateHash AS TEXT) IS NULL OR state_hash = :stateHash)
    AND code_challenge IS NOT DISTINCT FROM CAST(:codeChallenge AS TEXT)`);

type Redemption = { idleUntil: Date; endsAt: Date; keepUntil: Date };

/** Redeems the code of an authorization. Null: already used, or the judged state has changed. */
export function redeemCode(
  judged: Judged,
  binding: Binding,
  { idleUntil, endsAt, keepUntil }: Redemption,
  now: Date,
): Promise<Taken | null> {
  const { redirectUri, stateHash, codeChallenge } = binding;
  const bound = { redirectUri, stateHash, codeChallenge };
  return step(redeem, judged, { now, idleUntil, endsAt, keepUntil, ...bound });
}

const current = `${holding} AND redeemed_at IS NOT NULL AND rotation = :counter AND idle_until > :now AND ends_at > :now`;
const idleAnew = earlier('ends_at', 'CAST(:idleUntil AS TIMESTAMPTZ)');

const rotate = stepOf(`
  UPDATE authorizations SET rotation = rotation + 1, rotated_at = :now, rotated_scope = :scope, idle_until = ${idleAnew}
  WHERE ${current}`);

/**
 * Rotates the refresh token with this counter. Null: already rotated, or the judged state has
 * changed.
 */
export function rotateRefreshToken(
  judged: Judged,
  { counter, scope, idleUntil }: { counter: number; scope: string | null; idleUntil: Date },
  now: Date,
): Promise<Taken | null> {
  return step(rotate, judged, { counter, now, idleUntil, scope });
}

const extend = stepOf(
  `UPDATE authorizations SET idle_until = ${idleAnew}, rotated_at = NULL WHERE ${current}`,
);

/**
 * Without rotation: restarts the idle time of the refresh token. The answer for a previous token is
 * no longer repeated, because this one was used.
 */
export function extendRefreshToken(
  judged: Judged,
  { counter, idleUntil }: { counter: number; idleUntil: Date },
  now: Date,
): Promise<Taken | null> {
  return step(extend, judged, { counter, now, idleUntil });
}

/**
 * Seconds for which a revoked authorization is kept: its request can still be answered for an hour.
 */
const keptAfterRevoking = 24 * 3600;
const revoking = `revoked_at = :now, keep_until = ${earlier('keep_until', 'CAST(:until AS TIMESTAMPTZ)')}`;
const revokedUntil = (now: Date) => addSeconds(now, keptAfterRevoking);

/** Revokes an authorization with its code and all tokens; false if it had already ended. */
export async function revokeAuthorization(id: string, now: Date): Promise<boolean> {
  const sql = `UPDATE authorizations SET ${revoking} WHERE id = :id AND revoked_at IS NULL RETURNING id`;
  return (await write(sql, { id, now, until: revokedUntil(now) })).length === 1;
}

/** How the user of an authorization signed in (`amr`, separated by spaces), or null. */
export async function findSignInOf(id: string): Promise<string | null> {
  const sql = 'SELECT amr FROM authorizations WHERE id = :id';
  return (await readOne<Columns<'authorizations', 'amr'>>(sql, { id }))?.amr ?? null;
}
