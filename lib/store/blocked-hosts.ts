import { type Columns, read, readOne } from './engine/database.ts';

/*
 * The host is what comes before the port, path or query, in lower case whatever the app wrote. Both
 * databases know LTRIM with a set of characters, and neither knows the other's function to find a
 * character.
 */
const ofHosts = [...Array(94).keys()]
  .map((index) => String.fromCharCode(33 + index))
  .filter((character) => !"/:?#'".includes(character))
  .join('');
const behindScheme = (uri: string) =>
  `SUBSTR(${uri}, CASE WHEN ${uri} LIKE 'https:%' THEN 9 ELSE 8 END)`;

/** SQL for the host of an http or https address. */
export function hostIn(uri: string): string {
  const rest = behindScheme(`LOWER(${uri})`);
  return `SUBSTR(${rest}, 1, LENGTH(${rest}) - LENGTH(LTRIM(${rest}, '${ofHosts}''')))`;
}

/**
 * SQL for whether a host is this one or a subdomain of it. Not LIKE, which takes an underscore in a
 * host for a wildcard.
 */
export const belongsTo = (host: string, domain: string) =>
  `(${host} = ${domain} OR SUBSTR(${host}, LENGTH(${host}) - LENGTH(${domain})) = '.' || ${domain})`;

/** SQL for whether a host, or a domain that it belongs to, is blocked. */
export const blocking = (host: string) =>
  `EXISTS (SELECT 1 FROM blocked_hosts b WHERE ${belongsTo(host, 'b.host')})`;

/** Whether an admin has blocked a host, or a domain that it belongs to. */
export async function isHostBlocked(host: string): Promise<boolean> {
  const sql = `SELECT 1 AS blocked WHERE ${blocking('CAST(:host AS TEXT)')}`;
  return (await readOne(sql, { host })) !== undefined;
}

/** The first blocked host or domain that any of these hosts belongs to; null: there is none. */
export async function blockedAmong(hosts: readonly string[]): Promise<string | null> {
  if (hosts.length === 0) return null;
  const belongs = hosts.map((_, index) => belongsTo(`CAST(:host${index} AS TEXT)`, 'b.host'));
  const params = Object.fromEntries(hosts.map((host, index) => [`host${index}`, host]));
  const sql = `SELECT b.host FROM blocked_hosts b WHERE ${belongs.join(' OR ')} ORDER BY b.host LIMIT 1`;
  const [row] = await read<Columns<'blocked_hosts', 'host'>>(sql, params);
  return row?.host ?? null;
}
