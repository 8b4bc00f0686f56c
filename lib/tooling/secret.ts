import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { dataFolderOf, leftBehind, ownSecretIn } from '../settings/data-folder.ts';
import { SetupError } from './child.mjs';
import { FolderError, makeFolder } from './folder.ts';

/**
 * Creates the secret that seals cookies and keys, unless the operator provides one or it exists.
 */
export function ensureServerSecret(env: NodeJS.ProcessEnv): void {
  if (env.SERVER_SECRET || env.SERVER_SECRET_FILE) return;
  const lost = leftBehind(env, process.cwd());
  if (lost) throw new SetupError(lost);
  const folder = dataFolderOf(env, process.cwd());
  const file = ownSecretIn(folder);
  if (existsSync(file)) return;
  try {
    makeSecret(folder, file);
  } catch (error) {
    const why =
      error instanceof FolderError
        ? error.message
        : `${file} cannot be written (${(error as NodeJS.ErrnoException).code})`;
    throw new SetupError(
      `${why}. This server keeps its data in DATA_DIR: make the folder writable, or name another one, such as DATA_DIR=/var/lib/gatehouse.`,
    );
  }
}

function makeSecret(folder: string, file: string): void {
  makeFolder(folder);
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    // link() is atomic and never replaces a file: of two simultaneous starts, one wins.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
