import type { ClientOrigin } from '../oauth/client.ts';
import { nameByProof } from '../oauth/self-given-name.ts';
import { listed } from './access.ts';
import { type Columns, type Joined, read } from './engine/database.ts';
import { Conditions, likePattern } from './engine/page.ts';
import { pictureOf } from './logos.ts';
import { placeOf } from './sort-keys.ts';

/** An app that a user may use, and the address where it starts, if it gives one. */
export type UsableApp = {
  clientId: string;
  origin: ClientOrigin;
  /** For a client that registered itself, where it leads. */
  name: string;
  description?: string;
  homePage?: string;
  initiateLoginUri?: string;
  oldIssuer: string | null;
  logo?: string;
  /** Whether the user has allowed it. */
  connected: boolean;
  lastUsedAt?: Date;
};

const sites = "SELECT k.uri FROM client_addresses k WHERE k.client_id = c.id AND k.kind = 'site'";

type UsableRow = Columns<
  'clients',
  | 'id'
  | 'origin'
  | 'name'
  | 'description'
  | 'homePage'
  | 'initiateLoginUri'
  | 'oldIssuer'
  | 'logo'
  | 'recipe'
> &
  Joined<{ host: string; site: string }> &
  Joined<Columns<'grants', 'userId' | 'lastUsedAt'>>;

/**
 * The apps that a user may use now: those they have allowed, and those that say where they start,
 * as guarded sites do.
 * They come in the order that the user gave them, then those used last first. An app in which no
 * one signs in does not count, and an app that registered itself counts only for users who have
 * allowed it. `search` matches a part of the name.
 */
export async function listUsableApps(
  userId: string,
  { search, limit, order }: { search: string; limit: number; order: readonly string[] },
): Promise<{ rows: UsableApp[]; more: boolean }> {
  const conditions = new Conditions()
    .and('c.disabled_at IS NULL')
    .and(
      `(g.user_id IS NOT NULL OR COALESCE(c.initiate_login_uri, '') <> '' OR COALESCE(c.home_page, '') <> '' OR EXISTS (${sites}))`,
    )
    .and("(g.user_id IS NOT NULL OR ' ' || c.grants || ' ' LIKE ?)", '% authorization_code %')
    .and("(c.origin = 'admin' OR g.user_id IS NOT NULL)")
    .and(`(c.access = 'everybody' OR ${listed('c.id', ':userId')})`);
  if (search)
    conditions.and(
      "lower(COALESCE(i.host, c.name)) LIKE ? ESCAPE '\\'",
      likePattern(search.toLowerCase()),
    );
  const given = Object.fromEntries(order.map((id, index) => [`place${index}`, id]));
  const places = order.map((_, index) => `WHEN :place${index} THEN ${index}`).join(' ');
  const place = places ? `CASE c.id ${places} ELSE ${order.length} END, ` : '';
  const sql = `SELECT c.id, c.origin, c.name, i.host, c.description, c.home_page, c.initiate_login_uri, c.old_issuer, c.logo, c.recipe, g.user_id, g.last_used_at, (${sites} ORDER BY k.position LIMIT 1) AS site
    FROM clients c LEFT JOIN client_introductions i ON i.client_id = c.id
    LEFT JOIN grants g ON g.client_id = c.id AND g.user_id = :userId ${conditions.where}
    ORDER BY ${place}CASE WHEN g.user_id IS NULL THEN 2 WHEN g.last_used_at IS NULL THEN 1 ELSE 0 END, g.last_used_at DESC, ${placeOf.client('c')}, c.id
    LIMIT :most`;
  const params = { ...conditions.params, ...given, userId, most: limit + 1 };
  const rows = await read<UsableRow>(sql, params);
  return { rows: rows.slice(0, limit).map(toApp), more: rows.length > limit };
}

function toApp(row: UsableRow): UsableApp {
  const origin = row.origin as ClientOrigin;
  return {
    clientId: row.id,
    origin,
    name: nameByProof({ name: row.name, origin, host: row.host }),
    description: row.description || undefined,
    homePage: row.homePage || row.site || undefined,
    initiateLoginUri: row.initiateLoginUri || undefined,
    oldIssuer: row.oldIssuer,
    logo: pictureOf(row),
    connected: row.userId !== null,
    lastUsedAt: row.lastUsedAt ?? undefined,
  };
}
