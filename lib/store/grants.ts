import { isWithin } from '../oauth/scope.ts';
import { newId } from '../oauth/secrets.ts';
import { hot, isMissingParent, read, write } from './database.ts';
import { logoAt } from './logos.ts';
import { prisma } from './prisma.ts';
import { listScopes } from './scopes.ts';

/** What a person gave a client, and how much of it they need not be asked again. */
export type Grant = { id: string; scopes: string[]; remembered: string[] };

/** What this person gave this client, or null. */
export async function findGrant(userId: string, clientId: string): Promise<Grant | null> {
  const sql = 'SELECT id, scopes, remembered FROM grants WHERE user_id = $1 AND client_id = $2';
  const [row] = await read(sql, [userId, clientId]);
  return row ? { id: String(row.id), scopes: namesIn(row.scopes), remembered: namesIn(row.remembered) } : null;
}

const namesIn = (list: unknown) => String(list).split(' ').filter(Boolean);

/** An app that a person approved, for the page where they can change their mind. */
export type ApprovedApp = {
  clientId: string;
  name: string;
  homePage?: string;
  logo?: string;
  scopes: { name: string; description?: string; sensitive?: boolean }[];
  approvedAt: string;
  lastUsedAt?: string;
};

/** The apps a person has approved, the latest first. */
export async function listGrantsOf(userId: string): Promise<ApprovedApp[]> {
  const db = await prisma();
  const rows = await db.grant.findMany({ where: { userId }, include: { client: true }, orderBy: { updatedAt: 'desc' } });
  const known = new Map((await listScopes()).map((scope) => [scope.name, scope]));
  return rows.map((row) => ({
    clientId: row.clientId,
    name: row.client.name,
    homePage: row.client.homePage ?? undefined,
    logo: logoAt(row.clientId, row.client.logo),
    scopes: row.scopes
      .split(' ')
      .filter(Boolean)
      .map((name) => ({ ...known.get(name), name })),
    approvedAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString(),
  }));
}

const insertGrant = `
  INSERT INTO grants (id, user_id, client_id, scopes, remembered, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
  ON CONFLICT (user_id, client_id) DO NOTHING RETURNING id`;
const widenGrant = `
  UPDATE grants SET scopes = $2, remembered = $3, updated_at = $4 WHERE id = $1 AND scopes = $5 AND remembered = $6 RETURNING id`;

/**
 * Adds scopes to what a person gave a client, and gives the id of the grant; 'gone' when one of them
 * was removed meanwhile. Additions that race all count: each widens the list it has read, or reads it
 * anew. `held` is the grant as it was read before, null when there was none.
 */
export async function widenGrantOf(
  userId: string,
  clientId: string,
  held: Grant | null,
  given: Pick<Grant, 'scopes' | 'remembered'>,
  now: Date,
): Promise<string | 'gone'> {
  try {
    return await widen(userId, clientId, held, given, now);
  } catch (error) {
    if (isMissingParent(error)) return 'gone';
    throw error;
  }
}

async function widen(
  userId: string,
  clientId: string,
  held: Grant | null,
  given: Pick<Grant, 'scopes' | 'remembered'>,
  now: Date,
): Promise<string> {
  for (let grant = held; ; grant = await findGrant(userId, clientId)) {
    if (!grant) {
      const values = [newId(now), userId, clientId, given.scopes.join(' '), given.remembered.join(' '), now];
      const inserted = await write(insertGrant, values);
      if (inserted[0]) return String(inserted[0].id);
      continue;
    }
    if (isWithin(given.scopes, grant.scopes) && isWithin(given.remembered, grant.remembered)) return grant.id;
    const wider = [union(grant.scopes, given.scopes), union(grant.remembered, given.remembered)];
    const updated = await write(widenGrant, [grant.id, ...wider, now, grant.scopes.join(' '), grant.remembered.join(' ')]);
    if (updated[0]) return grant.id;
  }
}

const union = (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])].join(' ');

/**
 * Takes back what a person gave a client (or all clients, or a client all people): remembered
 * consent, codes, families and tokens of a grant go in one step. Gives the number of grants ended.
 */
export async function revokeGrants(of: { userId?: string; clientId?: string }): Promise<number> {
  const conditions = [of.userId && 'user_id', of.clientId && 'client_id'].filter(Boolean);
  const where = conditions.map((column, index) => `${column} = $${index + 1}`).join(' AND ');
  if (!where) throw new Error('Whose grants?');
  const params = [of.userId, of.clientId].filter((value): value is string => Boolean(value));
  // A client may have very many; in small batches nobody waits long for the database.
  const sql = `DELETE FROM grants WHERE id IN (SELECT id FROM grants WHERE ${where} LIMIT 200) RETURNING id`;
  for (let total = 0; ; ) {
    const { length } = await write(sql, params);
    if (length === 0) return total;
    total += length;
  }
}

/** Takes one scope back; the codes and tokens that carry it end. */
export async function withdrawScope(userId: string, clientId: string, scope: string, now: Date): Promise<void> {
  const grant = await findGrant(userId, clientId);
  if (!grant?.scopes.includes(scope)) return;
  const without = (names: string[]) => names.filter((name) => name !== scope).join(' ');
  const db = hot();
  const find = db.kind === 'sqlite' ? 'instr' : 'strpos';
  const carries = `${find}(' ' || scope || ' ', ' ' || $2 || ' ') > 0`;
  const dropCodes = `DELETE FROM authorization_codes WHERE grant_id = $1 AND used_at IS NULL AND ${carries}`;
  const endFamilies = `UPDATE token_families SET revoked_at = $3 WHERE grant_id = $1 AND revoked_at IS NULL AND ${carries}`;
  const narrow = 'UPDATE grants SET scopes = $2, remembered = $3, updated_at = $4 WHERE id = $1';
  const rest = [grant.id, without(grant.scopes), without(grant.remembered), now];
  if (db.kind === 'sqlite') {
    await db.write((tx) => {
      tx.run(narrow, rest);
      tx.run(dropCodes, [grant.id, scope]);
      tx.run(endFamilies, [grant.id, scope, now]);
    });
    return;
  }
  // Consent first, so that no further code is made; then the codes, waiting for those that are
  // being redeemed; then the families they became.
  await db.query(narrow, rest);
  await db.query(dropCodes, [grant.id, scope]);
  await db.query(endFamilies, [grant.id, scope, now]);
}
