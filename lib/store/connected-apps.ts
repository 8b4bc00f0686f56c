import { date, dateOrNull, type Row, read } from './database.ts';
import { logoAt } from './logos.ts';
import { listScopes } from './scopes.ts';

/** An app that a person approved, for the pages where they can change their mind. */
export type ConnectedApp = {
  clientId: string;
  name: string;
  description?: string;
  homePage?: string;
  privacyLink?: string;
  termsLink?: string;
  logo?: string;
  scopes: { name: string; description?: string; sensitive?: boolean }[];
  approvedAt: Date;
  lastUsedAt?: Date;
  /**
   * How often it is signed in to the account right now: authorizations whose refresh token works.
   */
  places: number;
};

const live =
  'a.idle_until > $2 AND a.revoked_at IS NULL AND a.user_epoch = u.epoch AND a.client_epoch = c.epoch';

const select = `
  SELECT g.client_id, g.scopes, g.created_at, g.last_used_at, c.name, c.description, c.home_page, c.privacy_link, c.terms_link, c.logo,
    (SELECT COUNT(*) FROM authorizations a WHERE a.grant_id = g.id AND ${live}) AS places
  FROM grants g JOIN users u ON u.id = g.user_id JOIN clients c ON c.id = g.client_id WHERE g.user_id = $1`;

/** The apps a person has approved, the latest first. */
export async function listConnectedApps(userId: string, now: Date): Promise<ConnectedApp[]> {
  return toApps(await read(`${select} ORDER BY g.updated_at DESC, g.id DESC`, [userId, now]));
}

/** One of them, or null. */
export async function findConnectedApp(
  userId: string,
  clientId: string,
  now: Date,
): Promise<ConnectedApp | null> {
  const [app] = await toApps(await read(`${select} AND g.client_id = $3`, [userId, now, clientId]));
  return app ?? null;
}

/** The names of the apps a person has approved, the latest first. */
export async function listConnectedNames(userId: string): Promise<string[]> {
  const sql =
    'SELECT c.name FROM grants g JOIN clients c ON c.id = g.client_id WHERE g.user_id = $1 ORDER BY g.updated_at DESC';
  return (await read(sql, [userId])).map((row) => String(row.name));
}

async function toApps(rows: Row[]): Promise<ConnectedApp[]> {
  const known = rows.length === 0 ? [] : await listScopes();
  const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
  return rows.map((row) => ({
    clientId: String(row.client_id),
    name: String(row.name),
    description: text(row.description),
    homePage: text(row.home_page),
    privacyLink: text(row.privacy_link),
    termsLink: text(row.terms_link),
    logo: logoAt(String(row.client_id), row.logo),
    scopes: String(row.scopes)
      .split(' ')
      .filter(Boolean)
      .map((name) => ({ ...known.find((scope) => scope.name === name), name })),
    approvedAt: date(row.created_at),
    lastUsedAt: dateOrNull(row.last_used_at) ?? undefined,
    places: Number(row.places),
  }));
}
