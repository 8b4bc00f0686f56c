import { readAskedClaims } from '../oauth/claims.ts';
import { type GrantWord, wordFor } from '../oauth/grant-words.ts';
import type { HeldToken } from '../oauth/userinfo.ts';
import { listApis } from './apis.ts';
import { type AppColumns, type AppPage, appColumns, toAppPage } from './app-page.ts';
import { type Columns, type Joined, read } from './engine/database.ts';
import { isLive } from './live-sign-ins.ts';
import { listScopes } from './scopes.ts';
import { listFields } from './user-fields.ts';

/** A connected app, for the pages where the user can remove it. */
export type ConnectedApp = AppPage & {
  description?: string;
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
  /** Its identifier for the user is known to no other app. */
  pairwise: boolean;
  /** The tokens that it holds, one for each kind; if none is live, those that it had. */
  tokens: HeldToken[];
};

const select = `
  SELECT g.client_id, g.scopes, g.created_at, g.last_used_at, g.ends_at, i.host, ${appColumns}, c.description, c.agent, c.subject_type,
    (SELECT COALESCE(o.name, o.username) FROM client_contacts k JOIN users o ON o.id = k.user_id WHERE k.client_id = c.id AND k.owner = TRUE AND o.disabled_at IS NULL LIMIT 1) AS owner_name,
    (SELECT COUNT(*) FROM authorizations a WHERE a.grant_id = g.id AND ${isLive}) AS places
  FROM grants g JOIN users u ON u.id = g.user_id JOIN clients c ON c.id = g.client_id
  LEFT JOIN client_introductions i ON i.client_id = c.id WHERE g.user_id = :userId AND (g.ends_at IS NULL OR g.ends_at > :now)`;

type AppRow = Columns<'grants', 'clientId' | 'scopes' | 'createdAt' | 'lastUsedAt' | 'endsAt'> &
  Columns<'clients', 'description' | 'agent' | 'subjectType'> &
  AppColumns & { places: number; ownerName: string | null } & Joined<{ host: string }>;

/** A user's connected apps, newest first. */
export async function listConnectedApps(userId: string, now: Date): Promise<ConnectedApp[]> {
  const order = 'ORDER BY g.updated_at DESC, g.id DESC';
  const rows = await read<AppRow>(`${select} ${order}`, { userId, now });
  return toApps(rows, await heldBy(userId, now));
}

/** One connected app, or null. */
export async function findConnectedApp(
  userId: string,
  clientId: string,
  now: Date,
): Promise<ConnectedApp | null> {
  const sql = `${select} AND g.client_id = :clientId`;
  const rows = await read<AppRow>(sql, { userId, now, clientId });
  const [app] = await toApps(rows, await heldBy(userId, now));
  return app ?? null;
}

const mostHeld = 1000;

/** The kinds of tokens that a user's apps hold or, where none is live, had. */
async function heldBy(userId: string, now: Date): Promise<Map<string, HeldToken[]>> {
  type Held = Columns<'authorizations', 'clientId' | 'scope' | 'resources' | 'claims'>;
  const rows = await read<Held & { live: number }>(
    `SELECT DISTINCT g.client_id, a.scope, a.resources, a.claims, CASE WHEN ${isLive} THEN 1 ELSE 0 END AS live
    FROM grants g JOIN users u ON u.id = g.user_id JOIN clients c ON c.id = g.client_id
    JOIN authorizations a ON a.grant_id = g.id WHERE g.user_id = :userId AND a.redeemed_at IS NOT NULL
    ORDER BY live DESC LIMIT ${mostHeld}`,
    { userId, now },
  );
  const live = new Set(rows.flatMap((row) => (row.live === 1 ? [row.clientId] : [])));
  const held = new Map<string, HeldToken[]>();
  for (const { clientId, scope, resources, claims, ...row } of rows) {
    if (live.has(clientId) && row.live !== 1) continue;
    const audience = resources.split(' ').filter(Boolean);
    const asked = readAskedClaims(claims)?.userinfo ?? [];
    const token = { scope, audience, asked, live: row.live === 1 };
    held.set(clientId, [...(held.get(clientId) ?? []), token]);
  }
  return held;
}

async function toApps(
  rows: AppRow[],
  held: ReadonlyMap<string, HeldToken[]>,
): Promise<ConnectedApp[]> {
  if (rows.length === 0) return [];
  const [scopes, fields, apis] = await Promise.all([listScopes(), listFields(), listApis()]);
  return rows.map((row) => ({
    ...toAppPage({ ...row, id: row.clientId }),
    description: row.description || undefined,
    scopes: row.scopes
      .split(' ')
      .filter(Boolean)
      .map((name) => wordFor(name, { scopes, fields, apis })),
    approvedAt: row.createdAt,
    lastUsedAt: row.lastUsedAt ?? undefined,
    host: row.host ?? undefined,
    endsAt: row.endsAt ?? undefined,
    places: row.places,
    pairwise: row.subjectType === 'pairwise',
    tokens: held.get(row.clientId) ?? [],
    ...(row.agent && { agent: { owner: row.ownerName } }),
  }));
}
