import { parentPort, workerData } from 'node:worker_threads';
import type { Row } from './database.ts';
import type { SqlParams } from './parameters.ts';
import { Connection } from './sqlite-connection.ts';

/** Statements that become durable together; the later ones run only when the first gives rows. */
export type Unit = { sql: string; params: SqlParams }[];
export type Failure = { message: string; code: string };
/** What became of a unit: its first statement's rows, a failure of its own, or no lock to be had just now. */
export type Outcome = { rows: Row[] } | { failed: Failure } | { locked: Failure };

let connection: Connection | null = null;

/*
 * The thread that writes to SQLite. Many units share a transaction, and so an fsync, and nobody who
 * only reads waits for it.
 */
parentPort?.on('message', (units: Unit[] | 'close') => {
  if (units !== 'close') return parentPort?.postMessage(commit(units));
  connection?.close();
  parentPort?.close();
});

function commit(units: Unit[]): Outcome[] {
  let on: Connection;
  try {
    connection ??= new Connection((workerData as { path: string }).path, 'writes');
    on = connection;
    on.begin();
  } catch (error) {
    const failure = failureOf(error);
    const outcome = failure.code.startsWith('SQLITE_BUSY')
      ? { locked: failure }
      : { failed: failure };
    return units.map(() => outcome);
  }
  try {
    const outcomes = units.map((unit) => ({ rows: perform(on, unit) }));
    on.commit();
    return outcomes;
  } catch (error) {
    on.rollBack();
    // One that fails takes none of its neighbours out: each gets a transaction of its own.
    if (units.length > 1) return units.flatMap((unit) => commit([unit]));
    return [{ failed: failureOf(error) }];
  }
}

function perform(on: Connection, [first, ...then]: Unit): Row[] {
  if (!first) return [];
  const rows = on.all(first.sql, first.params);
  if (rows.length > 0) for (const { sql, params } of then) on.all(sql, params);
  return rows;
}

/** An error as it goes from thread to thread: of the driver's own class only the message would arrive. */
function failureOf(error: unknown): Failure {
  const { message, code } = error as Partial<Failure>;
  return { message: String(message), code: String(code ?? '') };
}
