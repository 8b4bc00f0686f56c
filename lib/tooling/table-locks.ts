import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { nameIn, statementsOf } from './sql-tokens.ts';

/** Those they change, and those that must not be written to meanwhile. */
type Touched = { changed: Set<string>; held: Set<string> };

/** @param scripts the SQL of migrations that only add (`disturbanceIn`) */
function touchedBy(scripts: readonly string[]): Touched {
  const made = new Set<string>();
  const changed = new Set<string>();
  const held = new Set<string>();
  for (const statement of scripts.flatMap(statementsOf)) {
    const words = statement.map(({ text }) => text);
    const nameAfter = (at: number) => nameIn(statement[at + 1]) ?? '';
    if (words[0] === 'CREATE' && words[1] === 'TABLE') made.add(nameAfter(1));
    if (words[0] === 'ALTER') changed.add(nameAfter(1));
    for (const [at, { is, text }] of statement.entries())
      if (is === 'word' && text === 'REFERENCES') held.add(nameAfter(at));
    if (words[0] === 'CREATE' && words.includes('INDEX')) held.add(nameAfter(words.indexOf('ON')));
  }
  for (const name of made) for (const names of [changed, held]) names.delete(name);
  for (const name of changed) held.delete(name);
  return { changed, held };
}

/**
 * Milliseconds to wait for a lock. A long wait makes PostgreSQL cancel a VACUUM that is in the way.
 */
const patience = { usual: 100, long: 1500 };
/** Every tenth attempt waits long. */
const longEvery = 10;
/** Milliseconds. */
const longestWait = 60_000;

/** PostgreSQL's codes for a lock that was not granted: the wait was too long, or a deadlock. */
export const lockedOut = ['55P03', '40P01'];

/**
 * The error code of databases that speak PostgreSQL's protocol but have no table locks, and need
 * none to alter tables.
 */
const noSuchLocks = '0A000';
const tooLong =
  'another session has held a lock for a minute on one of the tables to be changed (pg_stat_activity shows which); nothing was changed';

/**
 * Locks the tables that migrations touch, in an open transaction on PostgreSQL. All or nothing: if
 * we held one table while waiting for the next, every request would queue behind us. If one lock is
 * not granted quickly, all are released and the attempt is repeated.
 * @throws an error that is not about locks, or, after a minute of attempts, one that says the
 * tables are held
 */
export async function lockTables(
  connection: Connection,
  scripts: readonly string[],
): Promise<void> {
  const locks = locksFor(touchedBy(scripts));
  if (connection.kind === 'sqlite' || locks.length === 0) return;
  const deadline = Date.now() + longestWait;
  for (let tries = 1; ; tries += 1) {
    const limit = tries % longEvery === 0 ? patience.long : patience.usual;
    try {
      await run(connection, [limiting(limit), ...locks]);
      return await run(connection, [limiting(patience.long)]);
    } catch (error) {
      delete connection.failure;
      const { code = '' } = error as { code?: string };
      const isKnown = code !== noSuchLocks;
      if (isKnown && !lockedOut.includes(code)) throw error;
      if (Date.now() > deadline) throw new Error(tooLong, { cause: error });
      // No locks are held by now: the failure ended the transaction, and the pool closed its
      // connection.
      await pause(20 + 80 * Math.random());
      await run(connection, connection.begin);
      if (!isKnown) return;
    }
  }
}

const limiting = (milliseconds: number) => `SET LOCAL lock_timeout = ${milliseconds}`;

function locksFor({ changed, held }: Touched): string[] {
  const lock = (names: Set<string>, mode: string) =>
    names.size > 0
      ? [`LOCK TABLE ${[...names].map((name) => `"${name}"`).join(', ')} IN ${mode}`]
      : [];
  return [...lock(changed, 'ACCESS EXCLUSIVE MODE'), ...lock(held, 'SHARE ROW EXCLUSIVE MODE')];
}

async function run({ adapter }: Connection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await adapter.executeScript(statement);
}
