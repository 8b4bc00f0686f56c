import { statSync } from 'node:fs';
import { DatabaseAway } from './away.ts';
import { noteAway } from './health.ts';

/** So often at most the file is looked for, in milliseconds. */
const every = 200;

/**
 * The file that a connection has opened. When it is moved away, deleted or replaced, the connection
 * goes on working with what has no name any more, and all it acknowledges is lost.
 */
export class DatabaseFile {
  readonly #path: string;
  #opened: string | null;
  #lookedAt = 0;
  #gone = false;

  constructor(path: string) {
    this.#path = path;
    this.#opened = identityOf(path);
  }

  /** @throws DatabaseAway when another file, or none, is where this one was */
  check(now = Date.now()): void {
    if (Math.abs(now - this.#lookedAt) >= every) {
      this.#lookedAt = now;
      const found = identityOf(this.#path);
      // The first use of a connection makes the file.
      this.#opened ??= found;
      this.#gone = this.#opened !== found;
    }
    if (!this.#gone) return;
    noteAway();
    throw new DatabaseAway(
      `The database file ${this.#path} was moved or replaced while the server was running. Put it back, or restart with the new one.`,
    );
  }
}

function identityOf(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : null;
}
