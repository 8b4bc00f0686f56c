import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makePlaceOf } from './folder.ts';
import { root } from './schema.ts';

/** An SQLite database with all tables and nothing in them. A package has one, a checkout has none. */
const emptyDatabase = resolve(root, 'prisma/empty.db');

/**
 * Puts an empty database where none is, if there is one to copy: its first start needs no migration. A file that is
 * there stays as it is, and a process that is killed leaves the whole of it or nothing.
 * @throws FolderError
 */
export function placeEmptyDatabase(file: string, from = emptyDatabase): void {
  // SQLite would play a log that was left behind into the new file.
  if (!existsSync(from) || existsSync(file) || existsSync(`${file}-wal`)) return;
  makePlaceOf(file);
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, readFileSync(from), { mode: 0o600, flag: 'wx', flush: true });
    // link() is atomic and never replaces a file.
    linkSync(draft, file);
    flushFolder(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
