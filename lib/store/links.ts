import { newId } from '../oauth/secrets.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { endingSessions } from './changing-people.ts';
import {
  type Columns,
  laterThan,
  orTaken,
  read,
  readOne,
  write,
  writeTogether,
} from './engine/database.ts';
import { storable } from './engine/page.ts';
import { inList } from './engine/parameters.ts';
import type { SqlValue, Statement } from './engine/statement.ts';
import { groupsWithIds, joiningAll } from './groups.ts';
import { holdingIdentities, takingIdentities } from './identities.ts';
import { clearingFirstFactorThrottles } from './user-changes.ts';
import { holdingFieldsForValues, settingFieldValues, type ValueChange } from './user-fields.ts';
import { insertingUser, loginKey, type NewUser, type Taken, whatIsTaken } from './users.ts';

/**
 * The purposes of mailed links: password reset, registration, invitation, change of address, and a
 * user's report that a sign-in was not theirs.
 */
export type LinkPurpose = 'reset' | 'register' | 'invite' | 'email' | 'not-me';

/**
 * What a link knows besides: names of an invited person to start with, and what their account gets
 * from the start; or where the sign-in came from that it denies.
 */
export type Invitee = {
  name?: string;
  username?: string;
  /** The language they read. */
  locale?: string;
  /** Values of custom fields. */
  values?: readonly ValueChange[];
  signInFrom?: SignInFrom;
};

/** The browser and the network address of a sign-in, as its mail named them; blank if unknown. */
export type SignInFrom = { device: string; address: string };

type NewLink = {
  hash: string;
  purpose: LinkPurpose;
  userId: string | null;
  /** The address that it is sent to and proves. */
  email: string;
  /**
   * Digest of the account state that the link is bound to. If the link denies a sign-in, it is the
   * time of the sign-in (ISO 8601).
   */
  basis: string | null;
  /** Ids of the groups that an invitation adds the person to. */
  groups: readonly string[];
  invitee: Invitee;
  flow: string | null;
  madeBy: string | null;
  expiresAt: Date;
};

export type MailedLink = NewLink & { id: string; createdAt: Date };

type LinkRow = Omit<Columns<'mailed_links'>, 'usedAt'>;
const columns =
  'hash, id, purpose, user_id, email, email_key, basis, groups, invitee, flow, made_by, created_at, expires_at';

/** The statement that stores a link, for the same transaction as its audit event. */
function storing(link: NewLink, now: Date): Statement {
  const params = {
    ...link,
    id: newId(now),
    emailKey: loginKey(link.email),
    groups: link.groups.length > 0 ? link.groups.join(' ') : null,
    invitee: Object.keys(link.invitee).length > 0 ? JSON.stringify(link.invitee) : null,
    now,
  };
  const sql = `INSERT INTO mailed_links (${columns}) VALUES (:hash, :id, :purpose, :userId, :email, :emailKey, :basis, :groups, :invitee, :flow, :madeBy, :now, :expiresAt) RETURNING id`;
  return { sql, params };
}

/** Stores a link and returns its id. */
export async function storeLink(link: NewLink, now: Date, event?: AuditEntry): Promise<string> {
  const [row] = await writeTogether<Columns<'mailed_links', 'id'>>(
    storing(link, now),
    event ? [auditing(event, now)] : [],
  );
  return row?.id ?? '';
}

const live = 'used_at IS NULL AND expires_at >';

/** The valid link with this digest. */
export async function findLink(hash: string, now: Date): Promise<MailedLink | null> {
  const [row] = await read<LinkRow>(
    `SELECT ${columns} FROM mailed_links WHERE hash = :hash AND ${live} :now`,
    { hash, now },
  );
  return row ? toLink(row) : null;
}

/** The valid link of a purpose with this id. */
export async function findLinkById(
  id: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<MailedLink | null> {
  const sql = `SELECT ${columns} FROM mailed_links WHERE id = :id AND purpose = :purpose AND ${live} :now`;
  const row = await readOne<LinkRow>(sql, { id: storable(id), purpose, now });
  return row ? toLink(row) : null;
}

/**
 * The maximum number of ids in one statement. Each different number of ids is a separate statement,
 * which is kept.
 */
const atOnce = 500;

/** Whether one of these invitations adds its person to a group. */
export async function anyBringsGroups(ids: readonly string[]): Promise<boolean> {
  for (let from = 0; from < ids.length; from += atOnce) {
    const { marks, params } = inList('id', ids.slice(from, from + atOnce).map(storable));
    const sql = `SELECT 1 AS found FROM mailed_links WHERE purpose = 'invite' AND groups IS NOT NULL AND id IN (${marks}) LIMIT 1`;
    if (await readOne(sql, params)) return true;
  }
  return false;
}

/** The maximum number of pending invitations that are listed. */
export const mostPending = 500;

/** Valid links of a purpose, newest first. */
export async function listLinks(purpose: LinkPurpose, now: Date): Promise<MailedLink[]> {
  const sql = `SELECT ${columns} FROM mailed_links WHERE purpose = :purpose AND ${live} :now ORDER BY id DESC LIMIT ${mostPending}`;
  return (await read<LinkRow>(sql, { purpose, now })).map(toLink);
}

function toLink({ emailKey: _, groups, invitee, ...row }: LinkRow): MailedLink {
  return {
    ...row,
    purpose: row.purpose as LinkPurpose,
    groups: groups?.split(' ') ?? [],
    invitee: JSON.parse(invitee ?? '{}'),
  };
}

/** Revokes an unused link; false if it doesn't exist or is no longer valid. */
export async function revokeLink(
  id: string,
  purpose: LinkPurpose,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const sql = `UPDATE mailed_links SET used_at = :now WHERE id = :id AND purpose = :purpose AND ${live} :now RETURNING id`;
  return (
    (await writeTogether({ sql, params: { id, purpose, now } }, [auditing(event, now)])).length > 0
  );
}

/** The account state a link is bound to. Any change to it invalidates the link. */
export type Basis = { userId: string; epoch: number; passwordHash: string | null; email: string };

/*
 * The user's row is changed on condition that it is still what the link is bound to and that the
 * link is unused, in one transaction with the use of the link. However many callers there are, one
 * is served, because each change makes the condition false.
 */
const unchanged = `id = :userId AND disabled_at IS NULL AND epoch = :epoch AND email_key = :formerEmailKey AND COALESCE(password_hash, '') = :formerPassword
  AND EXISTS (SELECT 1 FROM mailed_links l WHERE l.hash = :linkHash AND l.purpose = :purpose AND l.used_at IS NULL AND l.expires_at > :now)`;

/** What a link changes in an account: assignments, and the values that they name. */
type Change = { set: string; values: Readonly<Record<string, SqlValue>> };

function changing(link: MailedLink, of: Basis, { set, values }: Change, now: Date): Statement {
  const { userId, epoch, email, passwordHash } = of;
  const params = {
    userId,
    epoch,
    formerEmailKey: loginKey(email),
    formerPassword: passwordHash ?? '',
    linkHash: link.hash,
    purpose: link.purpose,
    now,
    ...values,
  };
  return {
    sql: `UPDATE users SET ${set}, updated_at = ${laterThan('updated_at', ':now')} WHERE ${unchanged} RETURNING id`,
    params,
  };
}

const usingUp = (link: MailedLink, now: Date): Statement => ({
  sql: 'UPDATE mailed_links SET used_at = :now WHERE hash = :hash AND used_at IS NULL RETURNING hash',
  params: { hash: link.hash, now },
  must: true,
});

/**
 * Sets the password chosen through a link: ends everything opened with the old one, clears failed
 * attempts except those at the second factor, and marks the address verified. Identities are
 * removed, because the person who linked them may not be the one who has the address.
 */
export async function redeemResetLink(
  link: MailedLink,
  of: Basis,
  passwordHash: string,
  event: AuditEntry,
  now: Date,
): Promise<'done' | 'dead'> {
  const set =
    'password_hash = :passwordHash, epoch = epoch + 1, email_verified = TRUE, must_change_password = FALSE';
  const change = changing(link, of, { set, values: { passwordHash } }, now);
  const then = [
    usingUp(link, now),
    ...endingSessions(of.userId),
    takingIdentities(of.userId),
    clearingFirstFactorThrottles(of.userId),
    auditing(event, now),
  ];
  const hold = [holdingIdentities(of.userId)];
  return (await writeTogether(change, then, hold)).length > 0 ? 'done' : 'dead';
}

/** Sets the address a link has proven. */
export async function redeemEmailLink(
  link: MailedLink,
  of: Basis,
  event: AuditEntry,
  now: Date,
): Promise<'done' | 'dead' | 'taken'> {
  const set = 'email = :email, email_key = :emailKey, email_verified = TRUE';
  const { email } = link;
  const values = { email, emailKey: loginKey(email) };
  const change = changing(link, of, { set, values }, now);
  const then = [usingUp(link, now), auditing(event, now)];
  const rows = await writeTogether(change, then).catch(orTaken);
  return rows === 'taken' ? rows : rows.length > 0 ? 'done' : 'dead';
}

/**
 * Creates the account that a link allows, in those of its groups that still exist. Of concurrent
 * uses, one succeeds.
 */
export async function redeemAccountLink(
  link: MailedLink,
  user: NewUser,
  eventOf: (id: string) => AuditEntry,
  now: Date,
): Promise<{ id: string } | 'dead' | { taken: Taken }> {
  const account = { ...user, email: link.email, emailVerified: true };
  const {
    id,
    statement,
    along: taking,
  } = insertingUser(account, now, whileLive, { linkHash: link.hash, purpose: link.purpose });
  const first = { ...statement, sql: `${statement.sql} RETURNING id` };
  const groups = await groupsWithIds(link.groups);
  const joinings = joiningAll(id, groups, { id: link.madeBy }, now);
  const known = knowing(id, link.invitee);
  const along = [taking, usingUp(link, now), ...known, auditing(eventOf(id), now), ...joinings];
  const hold = known.length > 0 ? [holdingFieldsForValues] : [];
  const rows = await writeTogether(first, along, hold).catch(orTaken);
  if (rows !== 'taken' && rows.length > 0) return { id };
  return (await findLink(link.hash, now)) ? { taken: await whatIsTaken(account) } : 'dead';
}

/** The statements that give a new account what was known about its person. */
function knowing(id: string, { locale, values = [] }: Invitee): Statement[] {
  const sql = 'UPDATE users SET claims = :claims WHERE id = :id';
  const claims = locale ? [{ sql, params: { id, claims: JSON.stringify({ locale }) } }] : [];
  return [...claims, ...settingFieldValues(id, values)];
}

/** Those of these addresses (as keys) that have a valid link of a purpose. */
export async function keysWithLink(
  purpose: LinkPurpose,
  keys: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const { marks, params } = inList('key', keys);
  const sql = `SELECT email_key FROM mailed_links WHERE purpose = :purpose AND email_key IN (${marks}) AND ${live} :now`;
  const rows = await read<Columns<'mailed_links', 'emailKey'>>(sql, { purpose, now, ...params });
  return new Set(rows.map(({ emailKey }) => emailKey));
}

const whileLive = `AND EXISTS (SELECT 1 FROM mailed_links l WHERE l.hash = :linkHash AND l.purpose = :purpose AND l.used_at IS NULL AND l.expires_at > :now)`;

/** Invalidates all unused links to an address for these purposes. */
export async function endLinksTo(
  email: string,
  purposes: readonly LinkPurpose[],
  now: Date,
): Promise<void> {
  for (const purpose of purposes) {
    const sql = `UPDATE mailed_links SET used_at = :now WHERE purpose = :purpose AND email_key = :emailKey AND used_at IS NULL`;
    await write(sql, { purpose, emailKey: loginKey(email), now });
  }
}

/** Whether an address has a valid link of a purpose. */
export async function hasLink(purpose: LinkPurpose, email: string, now: Date): Promise<boolean> {
  const sql = `SELECT id FROM mailed_links WHERE purpose = :purpose AND email_key = :emailKey AND ${live} :now LIMIT 1`;
  return (await read(sql, { purpose, emailKey: loginKey(email), now })).length > 0;
}
