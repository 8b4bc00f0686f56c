import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SetupError } from './child.mjs';

/** Makes the secret that seals cookies and keys, unless the operator gives one or it is there already. */
export function ensureServerSecret(env: NodeJS.ProcessEnv): void {
  if (env.SERVER_SECRET || env.SERVER_SECRET_FILE) return;
  const folder = resolve(env.DATA_DIR || 'data');
  const file = resolve(folder, 'server-secret');
  if (existsSync(file)) return;
  try {
    makeSecret(folder, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SetupError(
      `${folder} cannot be written (${code}), and this server keeps its secret there. Give the user that runs it the right to, or set DATA_DIR or SERVER_SECRET.`,
    );
  }
}

function makeSecret(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    // A link is made whole or not at all and never replaces a file: of two starts at once, one wins.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
