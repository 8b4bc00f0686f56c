import { readOne, type Statement, write } from './database.ts';

/**
 * The revision of everything a process may cache: clients, scopes, settings. Each hot statement
 * reads it along with its row, so a change is in force for every request that begins after the
 * change was answered. This is for requests that have no such statement.
 */
export async function readRevision(): Promise<number> {
  return Number((await readOne('SELECT value FROM revision WHERE id = 1', []))?.value);
}

/** Makes every process forget what it cached; part of each transaction that changes clients, scopes or settings. */
export const raising: Statement = {
  sql: 'UPDATE revision SET value = value + 1 WHERE id = 1',
  params: [],
};

/** For a change that was no transaction of ours. */
export async function raiseRevision(): Promise<void> {
  await write(raising.sql, raising.params);
}

/** A cache that empties itself when the revision moves. At most `size` entries. */
export class RevisionCache<T> {
  readonly #size: number;
  #revision = -1;
  #entries = new Map<string, T>();

  constructor(size: number) {
    this.#size = size;
  }

  /** The value under this key as of this revision, loaded when it is not held. */
  async get(key: string, revision: number, load: () => Promise<T>): Promise<T> {
    if (revision > this.#revision) {
      this.#entries = new Map();
      this.#revision = revision;
    }
    const held = this.#entries.get(key);
    if (held !== undefined) return held;
    const value = await load();
    if (revision === this.#revision && value !== null) {
      if (this.#entries.size >= this.#size) this.#entries.clear();
      this.#entries.set(key, value);
    }
    return value;
  }
}
