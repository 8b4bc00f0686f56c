import { isWithin } from '../oauth/scope.ts';
import { newId } from '../oauth/secrets.ts';
import { hot, read, write } from './database.ts';
import { logoAt } from './logos.ts';
import { prisma } from './prisma.ts';
import { listScopes } from './scopes.ts';

/** What a person gave a client. */
export type Grant = { id: string; scopes: string[] };

/** What this person gave this client, or null. */
export async function findGrant(userId: string, clientId: string): Promise<Grant | null> {
  const [row] = await read('SELECT id, scopes FROM grants WHERE user_id = $1 AND client_id = $2', [userId, clientId]);
  return row ? { id: String(row.id), scopes: String(row.scopes).split(' ').filter(Boolean) } : null;
}

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
  INSERT INTO grants (id, user_id, client_id, scopes, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
  ON CONFLICT (user_id, client_id) DO NOTHING RETURNING id`;
const widenGrant = `
  UPDATE grants SET scopes = $3, updated_at = $4 WHERE user_id = $1 AND client_id = $2 AND scopes = $5 RETURNING id`;

/**
 * Adds scopes to what a person gave a client, and gives the id of the grant. Additions that
 * race all count: each widens the list it has read, or reads it anew. `held` is the grant as it
 * was read before, null when there was none.
 */
export async function widenGrantOf(
  userId: string,
  clientId: string,
  held: Grant | null,
  scopes: readonly string[],
  now: Date,
): Promise<string> {
  for (let grant = held; ; grant = await findGrant(userId, clientId)) {
    if (!grant) {
      const inserted = await write(insertGrant, [newId(now), userId, clientId, scopes.join(' '), now]);
      if (inserted[0]) return String(inserted[0].id);
      continue;
    }
    if (isWithin(scopes, grant.scopes)) return grant.id;
    const wider = [...new Set([...grant.scopes, ...scopes])].join(' ');
    const updated = await write(widenGrant, [userId, clientId, wider, now, grant.scopes.join(' ')]);
    if (updated[0]) return String(updated[0].id);
  }
}

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
  const rest = grant.scopes.filter((name) => name !== scope).join(' ');
  const db = hot();
  const find = db.kind === 'sqlite' ? 'instr' : 'strpos';
  const carries = `${find}(' ' || scope || ' ', ' ' || $2 || ' ') > 0`;
  const dropCodes = `DELETE FROM authorization_codes WHERE grant_id = $1 AND used_at IS NULL AND ${carries}`;
  const endFamilies = `UPDATE token_families SET revoked_at = $3 WHERE grant_id = $1 AND revoked_at IS NULL AND ${carries}`;
  const narrow = 'UPDATE grants SET scopes = $2, updated_at = $3 WHERE id = $1';
  if (db.kind === 'sqlite') {
    await db.write((tx) => {
      tx.run(narrow, [grant.id, rest, now]);
      tx.run(dropCodes, [grant.id, scope]);
      tx.run(endFamilies, [grant.id, scope, now]);
    });
    return;
  }
  // Consent first, so that no further code is made; then the codes, waiting for those that are
  // being redeemed; then the families they became.
  await db.query(narrow, [grant.id, rest, now]);
  await db.query(dropCodes, [grant.id, scope]);
  await db.query(endFamilies, [grant.id, scope, now]);
}
