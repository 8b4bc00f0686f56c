import type { Rule } from '../oauth/facts.ts';
import { listed } from './access.ts';
import { type Columns, date, type Moment, read, readOne } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import { pictureOf } from './logos.ts';
import { shownName } from './shown-name.ts';
import { placeOf } from './sort-keys.ts';
import { byDay, everyClient, type UsageName } from './usage.ts';

/** How often something happened in an hour, over all clients. */
type HourCount = { hour: Date; name: UsageName; value: number };

/** The counts since a moment, hour by hour. */
export function countsSince(since: Date): Promise<HourCount[]> {
  const sql =
    'SELECT hour, name, value FROM usage_counters WHERE client_id = :everyClient AND hour >= :since ORDER BY hour';
  return read<HourCount>(sql, { everyClient, since });
}

const mostCounted = 10_000;

/** How many people and apps are new since a moment; 10,000 means that or more. */
export async function newSince(since: Date): Promise<{ people: number; apps: number }> {
  const counted = (table: string) =>
    `(SELECT COUNT(*) FROM (SELECT 1 AS one FROM ${table} WHERE created_at >= :since LIMIT ${mostCounted}) AS made)`;
  type Found = { people: number | string; apps: number | string };
  const sql = `SELECT ${counted('users')} AS people, ${counted('clients')} AS apps`;
  const row = await readOne<Found>(sql, { since });
  return { people: Number(row?.people), apps: Number(row?.apps) };
}

/** Whether anyone had an account before a moment. */
export async function hadPeopleBefore(moment: Date): Promise<boolean> {
  const sql = 'SELECT 1 AS one FROM users WHERE created_at < :moment LIMIT 1';
  return (await read(sql, { moment })).length > 0;
}

/** How often requests were refused for a reason, in the day and in the week ending now. */
export type ReasonCount = { rule: Rule; day: number; week: number };

/**
 * The most frequent reasons for refusals, for one client or for all; ordered by the count of the
 * day.
 */
export async function refusalReasons(
  since: { day: Date; week: Date },
  clientId: string | null,
  limit: number,
): Promise<ReasonCount[]> {
  const sql = `SELECT rule, SUM(CASE WHEN hour >= :day THEN value ELSE 0 END) AS day, SUM(value) AS week
    FROM refusal_counters WHERE client_id = :clientId AND hour >= :week
    GROUP BY rule ORDER BY 2 DESC, 3 DESC, rule LIMIT :limit`;
  type Found = { rule: Rule; day: number | string; week: number | string };
  const { day, week } = since;
  const rows = await read<Found>(sql, { clientId: clientId ?? everyClient, day, week, limit });
  return rows.map(({ rule, ...row }) => ({ rule, day: Number(row.day), week: Number(row.week) }));
}

/** What a client did: the tokens it got, and its requests that were refused. */
export type ClientCount = {
  id: string;
  name: string;
  /** Where its picture is, if it has one. */
  logo: string | undefined;
  issued: number;
  refused: number;
};

type Since = { since: Date; days: boolean; limit: number };

// The `|| ''` after client_id makes SQLite use the index that begins with the name.
const sums = (names: string) => `
  SELECT client_id, SUM(CASE WHEN name LIKE 'refusal%' THEN 0 ELSE value END) AS issued,
    SUM(CASE WHEN name LIKE 'refusal%' THEN value ELSE 0 END) AS refused
  FROM usage_counters WHERE hour >= :since AND client_id || '' > '*' AND name IN (${names}) GROUP BY client_id`;
const counted = (days: boolean) =>
  ['tokens-issued', 'refresh', 'refusal'].map((name) => `'${name}${days ? byDay : ''}'`);

/**
 * The active clients, those with the most refusals first; counted in whole days if `days` is set.
 */
export async function activeClients({ since, days, limit }: Since): Promise<ClientCount[]> {
  const sql = `SELECT c.id, ${shownName('c')} AS name, c.logo, c.origin, c.recipe, s.issued, s.refused FROM (${sums(counted(days).join(', '))}) s
    JOIN clients c ON c.id = s.client_id WHERE s.issued + s.refused > 0
    ORDER BY s.refused DESC, s.issued DESC, ${placeOf.client('c')}, c.id LIMIT :limit`;
  type Found = Columns<'clients', 'id' | 'name' | 'origin' | 'recipe' | 'logo'> & {
    issued: number;
    refused: number;
  };
  const rows = await read<Found>(sql, { since, limit });
  return rows.map(({ origin, recipe, logo, ...row }) => {
    return { ...row, logo: pictureOf({ id: row.id, origin, recipe, logo }) };
  });
}

/** How many tokens clients got in an hour, or a day (UTC). */
type TokenCount = { clientId: string; hour: Date; value: number };

/** The tokens these clients got since a moment, hour by hour, or day by day if `days` is set. */
export async function tokensOfClients(
  ids: readonly string[],
  { since, days }: Omit<Since, 'limit'>,
): Promise<TokenCount[]> {
  if (ids.length === 0) return [];
  const { marks, params } = inList('id', ids);
  const names = ['tokens-issued', 'refresh'].map((name) => `'${name}${days ? byDay : ''}'`);
  const sql = `SELECT client_id, hour, SUM(value) AS value FROM usage_counters
    WHERE client_id IN (${marks}) AND name IN (${names.join(', ')}) AND hour >= :since GROUP BY client_id, hour`;
  type Found = Columns<'usage_counters', 'clientId' | 'hour'> & { value: number | string };
  const rows = await read<Found>(sql, { since, ...params });
  return rows.map((row) => ({ ...row, value: Number(row.value) }));
}

/** The latest attempt of each of these clients, if any: when, and why it was refused, or null. */
export async function latestAttempts(
  ids: readonly string[],
): Promise<{ id: string; lastAt: Date; rule: Rule | null }[]> {
  const sql =
    'SELECT last_at, rule FROM traces WHERE client_id = :id ORDER BY last_at DESC, id DESC LIMIT 1';
  const found = await Promise.all(
    ids.map((id) => readOne<Columns<'traces', 'lastAt' | 'rule'>>(sql, { id })),
  );
  return ids.flatMap((id, index) => {
    const row = found[index];
    return row ? [{ id, lastAt: row.lastAt, rule: row.rule as Rule | null }] : [];
  });
}

/** A client whose latest attempt failed, the rule that refused it, and when. */
export type FailingClient = { id: string; name: string; rule: Rule; at: Date };

/** This shows that a client works: one of its own requests was answered. */
const works = `t.outcome = 'done' AND t.step IN ('token', 'refresh', 'userinfo', 'introspect', 'guard', 'bind')`;

/** A user who may use the client did this, or followed a link that did. */
const ofPerson = `t.behind = 'person' AND (c.access <> 'listed' OR ${listed('c.id', 't.user_id')})`;

/**
 * The refused attempts of each enabled client since it last worked, and whether they are its own.
 * They are if they were sent with its credential, or by a user who may use it and another such user
 * was refused as well. Attempts are not compared with each other, because a client can have
 * hundreds.
 */
const refusedSince = (rules: string) => `
  suspects AS (
    SELECT DISTINCT t.client_id FROM traces t WHERE t.last_at >= :since AND t.rule IN (${rules}) AND t.client_id IS NOT NULL
  ), working AS (
    SELECT s.client_id, (SELECT t.id FROM traces t WHERE t.client_id = s.client_id AND ${works}
      ORDER BY t.last_at DESC, t.id DESC LIMIT 1) AS worked FROM suspects s
  ), refused AS (
    SELECT t.id, t.client_id, t.behind, t.rule, t.last_at, CASE WHEN ${ofPerson} THEN t.user_id END AS person
    FROM working s JOIN clients c ON c.id = s.client_id LEFT JOIN traces w ON w.id = s.worked
    JOIN traces t ON t.client_id = s.client_id AND t.last_at >= :since AND t.rule IN (${rules})
    WHERE c.disabled_at IS NULL AND (w.id IS NULL OR (t.last_at, t.id) > (w.last_at, w.id))
  ), people AS (
    SELECT client_id, COUNT(DISTINCT person) AS several FROM refused GROUP BY client_id
  ), judged AS (
    SELECT r.*, CASE WHEN r.behind = 'app' OR (r.person IS NOT NULL AND p.several > 1) THEN 1 ELSE 0 END AS own
    FROM refused r JOIN people p ON p.client_id = r.client_id
  )`;

/**
 * The enabled clients that one of `rules` has refused since a moment, and that have not been served
 * since. Each comes with its latest such refusal, the latest first.
 * @param by 'own': refusals that are the client's own; 'anyone': clients whose latest refusal
 * anyone could have caused in their name, so that it says nothing about the client
 */
export async function failingClients(
  rules: readonly Rule[],
  by: 'own' | 'anyone',
  since: Date,
  limit: number,
): Promise<FailingClient[]> {
  const { marks, params } = inList('rule', rules);
  const sql = `WITH ${refusedSince(marks)}, latest AS (
      SELECT j.*, ROW_NUMBER() OVER (PARTITION BY client_id ORDER BY last_at DESC, id DESC) AS place
      FROM judged j ${by === 'own' ? 'WHERE own = 1' : ''}
    )
    SELECT c.id, ${shownName('c')} AS name, l.rule, l.last_at FROM latest l JOIN clients c ON c.id = l.client_id
    WHERE l.place = 1 AND l.own = ${by === 'own' ? 1 : 0} ORDER BY l.last_at DESC, l.id DESC LIMIT :limit`;
  type Found = Columns<'clients', 'id' | 'name'> & Columns<'traces', 'lastAt'> & { rule: Rule };
  const rows = await read<Found>(sql, { since, limit, ...params });
  return rows.map(({ lastAt, ...row }) => ({ ...row, at: lastAt }));
}

/** An enabled client with a secret that has long been unused, or is old, and when it was made. */
export type StaleSecret = { id: string; name: string; createdAt: Date };

/**
 * The clients with a secret made before a moment that was never used, or that has been used. The
 * oldest first.
 */
export async function staleSecrets(
  kind: 'never-used' | 'used',
  before: Date,
  limit: number,
): Promise<StaleSecret[]> {
  const sql = `SELECT c.id, ${shownName('c')} AS name, s.made FROM (
      SELECT client_id, MIN(created_at) AS made FROM client_secrets
      WHERE created_at < :before AND last_used_at IS ${kind === 'used' ? 'NOT' : ''} NULL GROUP BY client_id
    ) s JOIN clients c ON c.id = s.client_id
    WHERE c.disabled_at IS NULL ORDER BY s.made LIMIT :limit`;
  type Found = Columns<'clients', 'id' | 'name'> & { made: Moment };
  return (await read<Found>(sql, { before, limit })).map(({ made, ...client }) => ({
    ...client,
    createdAt: date(made),
  }));
}

/** A client that is allowed to be less strict than the server. */
export type WeakClient = {
  id: string;
  name: string;
  noPkce: boolean;
  noAuthOnRefresh: boolean;
  insecureUri: boolean;
};

type Demands = { requirePkce: boolean; requireClientAuthOnRefresh: boolean };

/** Enabled clients that are not held to all the demands of the server's settings, by name. */
export async function weakClients(server: Demands, limit: number): Promise<WeakClient[]> {
  const insecure = `EXISTS (SELECT 1 FROM client_addresses a WHERE a.client_id = c.id AND a.kind = 'redirect' AND LOWER(a.uri) LIKE 'http://%'
    AND LOWER(a.uri) NOT LIKE 'http://127.%' AND LOWER(a.uri) NOT LIKE 'http://[::1]%' AND LOWER(a.uri) NOT LIKE 'http://localhost%')`;
  const sql = `SELECT id, name, require_pkce, require_client_auth_on_refresh, insecure FROM (
      SELECT c.id, ${shownName('c')} AS name, c.require_pkce, c.require_client_auth_on_refresh, CASE WHEN ${insecure} THEN 1 ELSE 0 END AS insecure, ${placeOf.client('c')} AS place
      FROM clients c WHERE c.disabled_at IS NULL) AS found
    WHERE insecure = 1 OR (require_pkce = FALSE AND CAST(:requirePkce AS BOOLEAN)) OR (require_client_auth_on_refresh = FALSE AND CAST(:requireClientAuthOnRefresh AS BOOLEAN))
    ORDER BY place, id LIMIT :limit`;
  type Found = { insecure: 0 | 1 } & Columns<
    'clients',
    'id' | 'name' | 'requirePkce' | 'requireClientAuthOnRefresh'
  >;
  const { requirePkce, requireClientAuthOnRefresh } = server;
  const params = { limit, requirePkce, requireClientAuthOnRefresh };
  const rows = await read<Found>(sql, params);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    noPkce: requirePkce && row.requirePkce === false,
    noAuthOnRefresh: requireClientAuthOnRefresh && row.requireClientAuthOnRefresh === false,
    insecureUri: row.insecure === 1,
  }));
}

/** A user whose sign-in is blocked for a while after wrong passwords. */
export type LockedUser = { id: string; username: string; until: Date };

export async function lockedUsers(now: Date, limit: number): Promise<LockedUser[]> {
  // They can be blocked under either of their names, or both.
  const sql = `SELECT u.id, u.username, MAX(t.blocked_until) AS blocked_until FROM throttles t JOIN users u ON u.id = t.user_id
    WHERE t.blocked_until > :now AND t.key LIKE 'login:%' GROUP BY u.id, u.username ORDER BY 3 DESC LIMIT :limit`;
  type Found = Columns<'users', 'id' | 'username'> & { blockedUntil: Moment };
  const rows = await read<Found>(sql, { now, limit });
  return rows.map(({ blockedUntil, ...user }) => ({ ...user, until: date(blockedUntil) }));
}
