import { readOne } from './database.ts';

/** SQL for whether a host, or a domain that it belongs to, is blocked. */
export const blocking = (host: string) => `EXISTS (SELECT 1 FROM blocked_hosts b
  WHERE ${host} = b.host OR ${host} LIKE '%.' || b.host)`;

/** Whether an admin has blocked a host, or a domain that it belongs to. */
export async function isHostBlocked(host: string): Promise<boolean> {
  const sql = `SELECT 1 AS blocked WHERE ${blocking('CAST($1 AS TEXT)')}`;
  return (await readOne(sql, [host])) !== undefined;
}
