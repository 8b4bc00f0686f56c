import { noteAway } from './health.ts';

/**
 * The database is unavailable; the message says why, for the log. Recognised by name across module
 * graphs.
 */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway';
  /** The database answers, but its disk is full: reads still work. */
  isFull = false;
}

/**
 * What a driver reports when the statement is fine but the database is unreachable, not ready,
 * full, locked or read-only. PostgreSQL's classes are 08 (connection), 53 (resources) and 57P
 * (stopping, starting, failing over). The single codes are: login refused, no such database,
 * cancelled by a time limit, lock not obtained in time, conflicts with other transactions at every
 * try, and a read-only or standby server.
 */
const codes = [
  /^(08\w{3}|53\w{3}|57P\w{2}|28000|28P01|3D000|57014|55P03|40001|40P01|25006)$/,
  /^(ECONN\w+|ETIMEDOUT|EPIPE|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE|ENOSPC)$/,
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|PROTOCOL|NOMEM)/,
];
/** Some failures carry no code. */
const messages =
  /Query read timeout|timeout expired|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed|database is locked/;

/** Gives a store failure as `DatabaseAway` if it is one, and unchanged otherwise. */
export function orAway(error: unknown): unknown {
  if (isDatabaseAway(error)) return error;
  const found = chainOf(error);
  if (!found.some(saysAway)) return error;
  noteAway();
  const isFull = found.some(saysFull);
  const reason = found.map(({ message }) => message).find(Boolean) ?? 'no answer';
  const what = isFull ? diskFull : 'The database is away';
  const away = new DatabaseAway(`${what}: ${String(reason).split('\n').at(-1)}`, { cause: error });
  return Object.assign(away, { isFull });
}

/** How the log, /readyz and doctor name a full disk. */
export const diskFull = 'The disk of the database is full';

/** Whether an error means that the database's disk is full. */
export function isDatabaseFull(error: unknown): boolean {
  return isDatabaseAway(error) && (error as DatabaseAway).isFull;
}

/**
 * SQLite's code, PostgreSQL's code, and what the operating system reports beneath either of them.
 */
const saysFull = ({ code, message }: Link): boolean =>
  /^(SQLITE_FULL|53100|ENOSPC)$/.test(String(code)) ||
  /No space left on device/.test(String(message));

/** Whether an error means that the database is unavailable. */
export function isDatabaseAway(error: unknown): boolean {
  return (error as { name?: unknown } | null)?.name === 'DatabaseAway';
}

/** Whether an error means that the connection timed out in silence. */
export function isSilence(error: unknown): boolean {
  return /Query read timeout|connection timeout|timeout exceeded|timeout expired/.test(
    (error as Error).message,
  );
}

type Link = { code?: unknown; message?: unknown; cause?: unknown; errors?: unknown[] };

/** An error and its causes; a connection that was tried at several addresses has one for each. */
function chainOf(error: unknown, depth = 0): Link[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const link = error as Link;
  const causes = [link.cause, ...(link.errors ?? []).slice(0, 5)];
  return [link, ...causes.flatMap((cause) => chainOf(cause, depth + 1))];
}

function saysAway({ code, message }: Link): boolean {
  return (
    (typeof code === 'string' && codes.some((pattern) => pattern.test(code))) ||
    (typeof message === 'string' && messages.test(message))
  );
}
