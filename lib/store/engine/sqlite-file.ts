import { statSync } from 'node:fs';
import { DatabaseAway } from './away.ts';
import { noteAway } from './health.ts';

/** Minimum milliseconds between two checks of the file. */
const every = 200;

/**
 * The file that a connection has opened. If it is moved, deleted or replaced, the connection keeps
 * working on a file without a name, and everything it acknowledges is lost.
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

  /** @throws DatabaseAway if the path now has another file or none */
  check(now = Date.now()): void {
    if (Math.abs(now - this.#lookedAt) >= every) {
      this.#lookedAt = now;
      const found = identityOf(this.#path);
      // The file is created on first use.
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
