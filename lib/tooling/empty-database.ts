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

/** An empty SQLite database with all tables. A package has one, a checkout does not. */
const emptyDatabase = resolve(root, 'prisma/empty.db');

/**
 * Puts an empty database in place if none exists and there is one to copy, so that a first start
 * needs no migration. An existing file stays as it is, and a killed process leaves either the
 * complete file or nothing.
 * @throws FolderError
 */
export function placeEmptyDatabase(file: string, from = emptyDatabase): void {
  // SQLite would replay a left-over write-ahead log into the new file.
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
