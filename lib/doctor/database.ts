import { existsSync } from 'node:fs';
import { type Config, config } from '../config.ts';
import { diskFull, isDatabaseAway, isDatabaseFull } from '../store/engine/away.ts';
import { connectionsAllowed } from '../store/engine/connection-count.ts';
import { database, read, write } from '../store/engine/database.ts';
import { lendsConnections } from '../store/engine/pooler.ts';
import { type Finding, fine, reasonOf, trouble, warning } from './finding.ts';

const writeAccess = 'Give the user of the server write access to the file and its folder.';
const makeRoom =
  'Make room on it: until then no one can sign in, and no token is issued or ended. No restart is needed.';
/** Milliseconds. */
const slowWrite = 250;
const clockTolerance = 5000;

/** Finds the migrations that a database lacks; throws if the database cannot be used. */
export type FindPending = (databaseUrl: string) => Promise<string[]>;

/**
 * Checks that the database exists, is up to date and accepts writes, and that its clock agrees with
 * ours.
 * @param findPending left out by a running server, which would not run if it were not up to date
 */
export async function examineDatabase(
  now: () => Date,
  findPending?: FindPending,
): Promise<Finding[]> {
  const { databaseUrl, database } = config();
  const file = databaseUrl.slice('file:'.length);
  if (database === 'sqlite' && !existsSync(file))
    return [trouble('database', `There is no database at ${file}.`, 'Run "npm start" once.')];
  const tables = findPending ? [await examineTables(databaseUrl, findPending)] : [];
  if (tables.some(({ is }) => is === 'trouble')) return tables;
  if (database === 'sqlite') return [...tables, await examineWriting()];
  const isLent = await lendsConnections(databaseUrl);
  return [
    ...tables,
    isLent ? await examineLending(config()) : direct,
    isLent ? countClients(config()) : judgeConnections(config(), await connectionsAllowed()),
    await examineWriting(),
    await examineClock(now),
  ];
}

const direct = fine(
  'pooler',
  'No connection pooler in transaction mode is in front of the database.',
);

const selectLimits = `
  SELECT name, reset_val AS "limit" FROM pg_settings
  WHERE name IN ('lock_timeout', 'statement_timeout')`;

/**
 * Behind a pooler in transaction mode nothing can be set on a connection. So the limits of a
 * statement outside a transaction are those of the database user.
 */
async function examineLending({
  databaseLimits,
}: Pick<Config, 'databaseLimits'>): Promise<Finding> {
  const says = 'DATABASE_URL leads to a connection pooler in transaction mode.';
  const rows = await read<{ name: string; limit: string }>(selectLimits, {});
  const missing = rows.filter(({ limit }) => limit === '0').map(({ name }) => name);
  if (missing.length === 0) return fine('pooler', says);
  const { lock, statement } = databaseLimits;
  return warning(
    'pooler',
    `${says} The user of the database has no ${missing.toSorted().join(' and no ')}: a statement that waits for a lock may still be carried out after its request was answered 503.`,
    `Run once as the owner of the database: ALTER ROLE CURRENT_USER SET lock_timeout = ${lock}; ALTER ROLE CURRENT_USER SET statement_timeout = ${statement};`,
  );
}

/** @returns how many client connections a pooler has to accept */
function countClients(config: Pick<Config, 'workers' | 'databasePoolSize'>): Finding {
  const { says } = sumOf(config);
  return fine(
    'database-connections',
    `${says} of the pooler (pgbouncer: max_client_conn); each further server takes the same number.`,
  );
}

/**
 * The most connections this server can open: each process opens its pool and one more. Connections
 * that a process opens at its start, to migrate and to detect a pooler, are closed before it has a
 * pool.
 */
function sumOf({ workers, databasePoolSize }: Pick<Config, 'workers' | 'databasePoolSize'>) {
  // During a reload the new worker serves beside the old one it replaces.
  const processes = workers > 1 ? workers + 1 : 1;
  const sum = processes * (databasePoolSize + 1);
  const reload = workers > 1 ? ', with the one more that a reload starts' : '';
  const says = `WORKERS=${workers} and DATABASE_POOL_SIZE=${databasePoolSize} take up to ${sum} connections (${processes} x ${databasePoolSize + 1}${reload})`;
  return { sum, says };
}

/**
 * Whether PostgreSQL accepts as many connections as this server can open.
 * @param allowed the limit without the connections that PostgreSQL reserves
 */
function judgeConnections(
  config: Pick<Config, 'workers' | 'databasePoolSize'>,
  allowed: number,
): Finding {
  const { sum, says: takes } = sumOf(config);
  const says = `${takes}, and PostgreSQL allows ${allowed} in all; each further server takes the same number.`;
  return sum > allowed
    ? warning(
        'database-connections',
        says,
        'Lower DATABASE_POOL_SIZE or WORKERS, or raise max_connections of PostgreSQL.',
      )
    : fine('database-connections', says);
}

async function examineTables(databaseUrl: string, findPending: FindPending): Promise<Finding> {
  try {
    const pending = await findPending(databaseUrl);
    if (pending.length === 0) return fine('migrations', 'The database is up to date.');
    return trouble(
      'migrations',
      `The database is of an older version: ${pending.length} changes are missing (${pending.at(0)} and later).`,
      'Restart the server, which makes them; until then old and new code share it.',
    );
  } catch (error) {
    const says = reasonOf(error);
    return trouble(
      'database',
      says,
      /\b(EACCES|EPERM|EROFS)\b/.test(says)
        ? writeAccess
        : 'Check DATABASE_URL, the disk, and who may use the database.',
    );
  }
}

const probe = `
  INSERT INTO leases (name, holder, expires_at) VALUES ('doctor', '', $1)
  ON CONFLICT (name) DO UPDATE SET expires_at = $1 RETURNING name`;

/** Waits until they are on disk. A briefly busy machine delays only one of them. */
async function examineWriting(): Promise<Finding> {
  const took: number[] = [];
  try {
    for (let turn = 0; turn < 3; turn += 1) took.push(await timeOf(write(probe, [new Date(0)])));
  } catch (error) {
    if (isDatabaseFull(error)) return trouble('write', `${diskFull}.`, makeRoom);
    const cause = isDatabaseAway(error) && error instanceof Error ? (error.cause ?? error) : error;
    return trouble(
      'write',
      `The database takes no writes: ${reasonOf(cause)}.`,
      database().kind === 'sqlite'
        ? `${writeAccess} Check the free disk space, too.`
        : 'Point DATABASE_URL at the primary, and check its disk space and the rights of the user.',
    );
  }
  return judgeWrites(took);
}

async function timeOf(work: Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work;
  return Math.round(performance.now() - from);
}

/** @param took milliseconds of three writes */
export function judgeWrites(took: readonly number[]): Finding {
  const median = took.toSorted((one, other) => one - other)[1] ?? 0;
  const says = `Three writes were on disk after ${took.join(', ')} ms.`;
  return median > slowWrite
    ? warning(
        'write',
        says,
        'Each sign-in and refresh waits for a write: use a local or faster disk.',
      )
    : fine('write', says);
}

async function examineClock(now: () => Date): Promise<Finding> {
  const before = now().getTime();
  const [row] = await read<{ at: Date }>('SELECT clock_timestamp() AS at', []);
  const apart = Math.round((row?.at.getTime() ?? 0) - (before + now().getTime()) / 2);
  const says = `The clock of the database is ${Math.abs(apart)} ms ${apart < 0 ? 'behind' : 'ahead of'} this one.`;
  return Math.abs(apart) > clockTolerance
    ? trouble(
        'database-clock',
        says,
        'Run a time service (chrony, systemd-timesyncd) on both machines.',
      )
    : fine('database-clock', says);
}
