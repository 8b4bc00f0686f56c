import { read } from './database.ts';

const sql = `
  SELECT current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0) AS server,
    (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS role,
    (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS named`;

/**
 * How many connections PostgreSQL allows us: the lowest of its limits for everyone together, for
 * this user and for this database.
 */
export async function connectionsAllowed(): Promise<number> {
  const [row] = await read<{ server: number; role: number; named: number }>(sql, {});
  // -1: no limit.
  const limits = [row?.server ?? 0, row?.role ?? -1, row?.named ?? -1];
  return Math.min(...limits.filter((limit) => limit >= 0));
}
