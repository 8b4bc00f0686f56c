import { randomInt } from 'node:crypto';
import { once } from '../../once.ts';
import { metrics } from '../../telemetry/metrics.ts';
import { type Columns, database, readOne, write } from './database.ts';
import { readHeld } from './held.ts';
import type { SqlParams, Statement } from './statement.ts';

/**
 * The revision of everything that a process may cache: clients, scopes, settings, keys. Each hot
 * statement reads it along with its row, so a change applies to every request that begins after the
 * change was answered. This function is for requests that have no such statement.
 *
 * A revision is a random number and has no order. A database can go back in time, when a backup is
 * restored or a lagging replica takes over. A counter would then reach its old numbers again, and a
 * process would mistake its cache for what is stored.
 */
export async function readRevision(): Promise<number> {
  return sawRevision(revisionOf(await readOne<RevisionRow>(selectRevision, {})));
}

type RevisionRow = Columns<'revision', 'value'>;
/** NaN for a database without the row: it equals no revision. */
const revisionOf = (row: RevisionRow | undefined) => row?.value ?? Number.NaN;
const selectRevision = 'SELECT value FROM revision WHERE id = 1';
const seen = () => once('revision.seen', (): { revision: number | null } => ({ revision: null }));

/** Notes the revision that a statement has just read. */
export function sawRevision(revision: number): number {
  seen().revision = revision;
  return revision;
}

/**
 * The revision as far as this process knows, without a round trip: for a statement that acts only
 * if this is still the revision.
 */
export async function likelyRevision(): Promise<number> {
  if (database().kind === 'sqlite')
    return revisionOf(await readHeld<RevisionRow>(selectRevision, {}));
  return seen().revision ?? readRevision();
}

/**
 * Makes every process forget what it cached; part of each transaction that changes clients, scopes
 * or settings. It comes last, followed only by the statements that look again. On PostgreSQL,
 * transactions that raise the revision wait for each other; because this comes last, they wait no
 * longer than a commit takes.
 */
export function raising(): Statement {
  return {
    sql: 'UPDATE revision SET value = :value WHERE id = 1',
    params: { value: newRevision() },
    last: true,
  };
}

/**
 * As `raising`, for a change that was checked at a revision: nothing happens if the revision has
 * changed since.
 */
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
 * Checks again, after the revision was raised, whether a condition of the first statement still
 * holds. Two changes that exclude each other can both find it true while neither is committed. The
 * one that raises the revision later waits for the other, and then finds it false.
 */
export function lookingAgain(condition: string, params: SqlParams): Statement {
  return { sql: `SELECT 1 AS found WHERE ${condition}`, params, last: true, must: true };
}

/** Raises the revision for a change made outside our transactions. */
export async function raiseRevision(): Promise<void> {
  const { sql, params } = raising();
  await write(sql, params);
}

/**
 * Values that may be used for as long as the revision stays the one they were loaded at. At most
 * `size` entries.
 */
export class RevisionCache<T> {
  readonly #size: number;
  #revision: number | null = null;
  #entries = new Map<string, T>();

  constructor(size: number) {
    this.#size = size;
  }

  /** The value under this key at this revision, loaded if it is not cached. */
  async get(key: string, revision: number, load: () => Promise<T>): Promise<T> {
    const held = revision === this.#revision ? this.#entries.get(key) : undefined;
    metrics()?.lookedUp('configuration', held !== undefined);
    if (held !== undefined) return held;
    const value = await load();
    // Something may have changed since the caller read its revision. The loaded value is then newer
    // than that revision and good for this request, but it must not be kept under a number that a
    // restore can bring back.
    if (value !== null && (await readRevision()) === revision) this.#keep(key, revision, value);
    return value;
  }

  #keep(key: string, revision: number, value: T): void {
    if (revision !== this.#revision || this.#entries.size >= this.#size) this.#entries = new Map();
    this.#revision = revision;
    this.#entries.set(key, value);
  }
}
