import { type GrantWord, wordFor } from '../oauth/grant-words.ts';
import { listApis } from './apis.ts';
import { type Columns, type Joined, read } from './engine/database.ts';
import { isLive } from './live-sign-ins.ts';
import { pictureOf } from './logos.ts';
import { listScopes } from './scopes.ts';
import { listFields } from './user-fields.ts';

/** A connected app, for the pages where the user can remove it. */
export type ConnectedApp = {
  clientId: string;
  name: string;
  description?: string;
  homePage?: string;
  privacyLink?: string;
  termsLink?: string;
  logo?: string;
  scopes: GrantWord[];
  approvedAt: Date;
  /** The proved host of a client that registered itself. */
  host?: string;
  /** The user allowed it until then. */
  endsAt?: Date;
  lastUsedAt?: Date;
  /** Set if it is an agent: the name of the person responsible for it who may sign in, or null. */
  agent?: { owner: string | null };
  /** Live authorizations: those whose refresh token works. */
  places: number;
};

const select = `
  SELECT g.client_id, g.scopes, g.created_at, g.last_used_at, g.ends_at, i.host, c.name, c.description, c.home_page, c.privacy_link, c.terms_link, c.logo, c.origin, c.recipe, c.agent,
    (SELECT COALESCE(o.name, o.username) FROM client_contacts k JOIN users o ON o.id = k.user_id WHERE k.client_id = c.id AND k.owner = TRUE AND o.disabled_at IS NULL LIMIT 1) AS owner_name,
    (SELECT COUNT(*) FROM authorizations a WHERE a.grant_id = g.id AND ${isLive}) AS places
  FROM grants g JOIN users u ON u.id = g.user_id JOIN clients c ON c.id = g.client_id
  LEFT JOIN client_introductions i ON i.client_id = c.id WHERE g.user_id = :userId AND (g.ends_at IS NULL OR g.ends_at > :now)`;

type AppRow = Columns<'grants', 'clientId' | 'scopes' | 'createdAt' | 'lastUsedAt' | 'endsAt'> &
  Columns<
    'clients',
    | 'name'
    | 'description'
    | 'homePage'
    | 'privacyLink'
    | 'termsLink'
    | 'logo'
    | 'origin'
    | 'recipe'
    | 'agent'
  > & {
    places: number;
    ownerName: string | null;
  } & Joined<{ host: string }>;

/** A user's connected apps, newest first. */
export async function listConnectedApps(userId: string, now: Date): Promise<ConnectedApp[]> {
  return toApps(
    await read<AppRow>(`${select} ORDER BY g.updated_at DESC, g.id DESC`, { userId, now }),
  );
}

/** One connected app, or null. */
export async function findConnectedApp(
  userId: string,
  clientId: string,
  now: Date,
): Promise<ConnectedApp | null> {
  const [app] = await toApps(
    await read<AppRow>(`${select} AND g.client_id = :clientId`, { userId, now, clientId }),
  );
  return app ?? null;
}

async function toApps(rows: AppRow[]): Promise<ConnectedApp[]> {
  if (rows.length === 0) return [];
  const [scopes, fields, apis] = await Promise.all([listScopes(), listFields(), listApis()]);
  return rows.map((row) => ({
    clientId: row.clientId,
    name: row.name,
    description: row.description || undefined,
    homePage: row.homePage || undefined,
    privacyLink: row.privacyLink || undefined,
    termsLink: row.termsLink || undefined,
    logo: pictureOf({ ...row, id: row.clientId }),
    scopes: row.scopes
      .split(' ')
      .filter(Boolean)
      .map((name) => wordFor(name, { scopes, fields, apis })),
    approvedAt: row.createdAt,
    lastUsedAt: row.lastUsedAt ?? undefined,
    host: row.host ?? undefined,
    endsAt: row.endsAt ?? undefined,
    places: row.places,
    ...(row.agent && { agent: { owner: row.ownerName } }),
  }));
}
