import { randomInt } from 'node:crypto';
import { once } from '../../once.ts';
import { metrics } from '../../telemetry/metrics.ts';
import { type Columns, database, readHeld, readOne, write } from './database.ts';
import type { SqlParams, Statement } from './statement.ts';

/**
 * The revision of everything a process may cache: clients, scopes, settings, keys. Each hot
 * statement reads it along with its row, so a change is in force for every request that begins
 * after the change was answered. This is for requests that have no such statement.
 *
 * A revision is a random number and has no order. A database can go back, by a backup that is
 * restored or a replica that lagged when it took over: a counter would then meet its old numbers
 * again, and a process would take what it holds for what is stored.
 */
export async function readRevision(): Promise<number> {
  return sawRevision(revisionOf(await readOne<RevisionRow>(selectRevision, {})));
}

type RevisionRow = Columns<'revision', 'value'>;
/** A database without its row has no revision that equals another. */
const revisionOf = (row: RevisionRow | undefined) => row?.value ?? Number.NaN;
const selectRevision = 'SELECT value FROM revision WHERE id = 1';
const seen = () => once('revision.seen', (): { revision: number | null } => ({ revision: null }));

/** Notes the revision that a statement has just read. */
export function sawRevision(revision: number): number {
  seen().revision = revision;
  return revision;
}

/**
 * The revision as far as this process knows, without a round trip: for a statement that does
 * something only while it still is so.
 */
export async function likelyRevision(): Promise<number> {
  if (database().kind === 'sqlite')
    return revisionOf(await readHeld<RevisionRow>(selectRevision, {}));
  return seen().revision ?? readRevision();
}

/**
 * Makes every process forget what it cached; part of each transaction that changes clients, scopes or
 * settings. It is its last statement but for those that look again: on PostgreSQL whoever raises waits
 * for each other one, and that for no longer than a commit takes.
 */
export function raising(): Statement {
  return {
    sql: 'UPDATE revision SET value = :value WHERE id = 1',
    params: { value: newRevision() },
    last: true,
  };
}

/** As `raising`, for a change that was judged at a revision: nothing has happened where there is another one by now. */
export function raisingFrom(revision: number): Statement {
  return {
    sql: 'UPDATE revision SET value = :value WHERE id = 1 AND value = CAST(:revision AS BIGINT) RETURNING id',
    params: { value: newRevision(), revision },
    last: true,
    must: true,
  };
}

const newRevision = () => randomInt(2 ** 48 - 1);

/**
 * Looks again after raising the revision whether a condition still holds that the first statement was
 * written with. Of two changes that each keep the other from being made, both found it true while neither
 * was committed; the one that raises later waits for the other, and finds it false.
 */
export function lookingAgain(condition: string, params: SqlParams): Statement {
  return { sql: `SELECT 1 AS found WHERE ${condition}`, params, last: true, must: true };
}

/** For a change that was no transaction of ours. */
export async function raiseRevision(): Promise<void> {
  const { sql, params } = raising();
  await write(sql, params);
}

/** Values that may be used for as long as the revision is the one they were loaded at. At most `size` entries. */
export class RevisionCache<T> {
  readonly #size: number;
  #revision: number | null = null;
  #entries = new Map<string, T>();

  constructor(size: number) {
    this.#size = size;
  }

  /** The value under this key as of this revision, loaded when it is not held. */
  async get(key: string, revision: number, load: () => Promise<T>): Promise<T> {
    const held = revision === this.#revision ? this.#entries.get(key) : undefined;
    metrics()?.lookedUp('configuration', held !== undefined);
    if (held !== undefined) return held;
    const value = await load();
    // Something may have changed since the caller read its revision. What was loaded is then newer
    // than that and good for this request, but it must not stand for a number that a restore brings back.
    if (value !== null && (await readRevision()) === revision) this.#keep(key, revision, value);
    return value;
  }

  #keep(key: string, revision: number, value: T): void {
    if (revision !== this.#revision || this.#entries.size >= this.#size) this.#entries = new Map();
    this.#revision = revision;
    this.#entries.set(key, value);
  }
}
