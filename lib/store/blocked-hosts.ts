import { type Columns, read, readOne } from './database.ts';

/** SQL for whether a host, or a domain that it belongs to, is blocked. */
export const blocking = (host: string) => `EXISTS (SELECT 1 FROM blocked_hosts b
  WHERE ${host} = b.host OR ${host} LIKE '%.' || b.host)`;

/** Whether an admin has blocked a host, or a domain that it belongs to. */
export async function isHostBlocked(host: string): Promise<boolean> {
  const sql = `SELECT 1 AS blocked WHERE ${blocking('CAST($1 AS TEXT)')}`;
  return (await readOne(sql, [host])) !== undefined;
}

/** The first blocked one to which any of these hosts belongs; null: there is none. */
export async function blockedAmong(hosts: readonly string[]): Promise<string | null> {
  if (hosts.length === 0) return null;
  const belongs = hosts.map((_, index) => {
    const host = `CAST($${index + 1} AS TEXT)`;
    return `${host} = b.host OR ${host} LIKE '%.' || b.host`;
  });
  const sql = `SELECT b.host FROM blocked_hosts b WHERE ${belongs.join(' OR ')} ORDER BY b.host LIMIT 1`;
  const [row] = await read<Columns<'blocked_hosts', 'host'>>(sql, [...hosts]);
  return row?.host ?? null;
}
