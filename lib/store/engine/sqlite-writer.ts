import { parentPort, workerData } from 'node:worker_threads';
import { type Bound, Connection } from './sqlite-connection.ts';
import type { Row, Statement } from './statement.ts';

/** Statements that become durable together; the later ones run only when the first gives rows. */
export type Unit = Pick<Statement, 'sql' | 'params' | 'must'>[];
/**
 * A unit on its way between threads: a statement is sent as its number, with its text only the
 * first time, and its values in the order of its placeholders.
 */
export type PostedUnit = { number: number; sql?: string; values: Bound[]; must?: true }[];
export type Failure = { message: string; code: string };
/**
 * What became of a unit: the rows of its first statement, its own failure, or no lock available
 * just now.
 */
export type Outcome = { rows: Row[] } | { failed: Failure } | { locked: Failure };

let connection: Connection | null = null;
/** The texts of statements, by number. */
const texts: string[] = [];

/*
 * The thread that writes to SQLite. Many units share a transaction, and so an fsync, and readers do
 * not wait for it.
 */
parentPort?.on('message', (units: PostedUnit[] | 'close') => {
  if (units !== 'close') {
    units.forEach(learn);
    return parentPort?.postMessage(commit(units));
  }
  connection?.close();
  parentPort?.close();
});

/** Stores new texts before anything can fail, because they are not sent again. */
function learn(unit: PostedUnit): void {
  for (const { number, sql } of unit) if (sql !== undefined) texts[number] = sql;
}

function commit(units: PostedUnit[]): Outcome[] {
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
    // A unit that fails must not take the others with it: each gets a transaction of its own.
    if (units.length > 1) return units.flatMap((unit) => commit([unit]));
    return [error === unmet ? { rows: [] } : { failed: failureOf(error) }];
  }
}

/** A statement that must give a row gave none. */
const unmet = new Error('unmet');

function perform(on: Connection, [first, ...then]: PostedUnit): Row[] {
  if (!first) return [];
  const rows = run(on, first);
  if (rows.length > 0)
    for (const statement of then)
      if (run(on, statement).length === 0 && statement.must) throw unmet;
  return rows;
}

function run(on: Connection, { number, values }: PostedUnit[number]): Row[] {
  const sql = texts[number];
  if (sql === undefined) throw new Error(`The writer was never told statement ${number}.`);
  return on.allBound(sql, values);
}

/**
 * An error as it is sent between threads: of the driver's own error class only the message would
 * arrive.
 */
function failureOf(error: unknown): Failure {
  const { message, code } = error as Partial<Failure>;
  return { message: String(message), code: String(code ?? '') };
}
