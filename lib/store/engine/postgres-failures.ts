/*
 * What a failure says about its statement and its connection, in the words of PostgreSQL and its
 * driver. A statement is undone if nothing of it was committed, so it may run again; this is noted
 * with its error.
 */

type Failure = Readonly<Record<'code' | 'severity' | 'routine' | 'message', string | undefined>>;

const undone = new WeakSet<object>();

/** Notes that nothing of the statement or transaction that failed with this error was committed. */
export function noteUndone(error: unknown): void {
  undone.add(error as Error);
}

/** Whether it was noted that nothing was committed. */
export function isUndone(error: unknown): boolean {
  return undone.has(error as Error);
}

/**
 * Whether another transaction was in the way (deadlock or serialisation failure), so that the
 * statement had no effect.
 */
export function isConflict(error: unknown): boolean {
  const { code } = error as Failure;
  return code === '40P01' || code === '40001';
}

/**
 * Whether the server connection has not prepared the statement, or already has it from another
 * client of a pooler.
 */
export function isPreparedElsewhere(error: unknown): boolean {
  const { code } = error as Failure;
  return code === '26000' || code === '42P05';
}

/**
 * Whether the connection ended in a way that guarantees that a statement not yet carried out has no
 * effect. A connection that broke (`isBroken`) leaves that open.
 */
export const endedUndone = (error: unknown): boolean => saysEnding(error) || isUnsent(error);

/** PostgreSQL itself, not a pooler, reports that it was told to end the connection (57P01). */
function saysEnding(error: unknown): boolean {
  const { code, routine } = error as Failure;
  return code === '57P01' && routine === 'ProcessInterrupts';
}

/** The connection had already ended unnoticed, so nothing was sent. */
const isUnsent = (error: unknown) =>
  /^Client .* is not queryable$/.test((error as Failure).message ?? '');

/**
 * Whether a connection is no longer usable: the failure was not just an answer about its statement.
 * A primary that became a standby beneath its connections also answers, but is of no use.
 */
export function isNoMoreOfUse(error: unknown): boolean {
  const { severity, code } = error as Failure;
  return severity !== 'ERROR' || code === '25006';
}

/**
 * Whether the connection ended with time left for another try. A timeout does not count: it has
 * used the time up.
 */
export function isBroken(error: unknown): boolean {
  const { severity, code = '', message = '' } = error as Failure;
  return (
    (severity !== 'ERROR' && /^(ECONNRESET|EPIPE|57P0[12])$/.test(code)) ||
    /^Connection terminated|Client has encountered a connection error/.test(message)
  );
}
