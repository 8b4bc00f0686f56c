/*
 * What a failure says of its statement and of its connection, in the words of PostgreSQL and of its driver.
 * A statement is undone where nothing of it was committed, so it may run again; that is noted with its error.
 */

type Failure = Readonly<Record<'code' | 'severity' | 'routine' | 'message', string | undefined>>;

const undone = new WeakSet<object>();

/** Says that nothing of the statement or transaction that failed so was committed. */
export function noteUndone(error: unknown): void {
  undone.add(error as Error);
}

/** Whether nothing of it was committed, as it was noted. */
export function isUndone(error: unknown): boolean {
  return undone.has(error as Error);
}

/** Whether another transaction was in the way (deadlock, serialisation failure): the statement had no effect. */
export function isConflict(error: unknown): boolean {
  const { code } = error as Failure;
  return code === '40P01' || code === '40001';
}

/** Whether a server connection has not prepared the statement, or has it from another client of a pooler. */
export function isPreparedElsewhere(error: unknown): boolean {
  const { code } = error as Failure;
  return code === '26000' || code === '42P05';
}

/**
 * Whether the connection ended in a way by which a statement that was not carried out before has no effect.
 * One that broke (`isBroken`) leaves that open.
 */
export const endedUndone = (error: unknown): boolean => saysEnding(error) || isUnsent(error);

/** PostgreSQL itself, and no pooler, says that it was told to end the connection (57P01). */
function saysEnding(error: unknown): boolean {
  const { code, routine } = error as Failure;
  return code === '57P01' && routine === 'ProcessInterrupts';
}

/** The connection had ended before, and nobody had noticed. */
const isUnsent = (error: unknown) =>
  /^Client .* is not queryable$/.test((error as Failure).message ?? '');

/**
 * Whether a connection is no more of use: what failed otherwise than by an answer about its statement.
 * A primary that became a standby beneath its connections answers well enough.
 */
export function isNoMoreOfUse(error: unknown): boolean {
  const { severity, code } = error as Failure;
  return severity !== 'ERROR' || code === '25006';
}

/** Whether the connection ended, and the time for another try is there: silence has used it up. */
export function isBroken(error: unknown): boolean {
  const { severity, code = '', message = '' } = error as Failure;
  return (
    (severity !== 'ERROR' && /^(ECONNRESET|EPIPE|57P0[12])$/.test(code)) ||
    /^Connection terminated|Client has encountered a connection error/.test(message)
  );
}
