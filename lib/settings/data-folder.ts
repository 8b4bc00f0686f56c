import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

type Environment = Record<string, string | undefined>;

/**
 * The folder of `.env`, in which relative paths of the operator start.
 * @param root the folder of Gatehouse, where `SETTINGS_DIR` is not set
 */
export const settingsFolderOf = (env: Environment, root: string): string =>
  resolve(/* turbopackIgnore: true */ root, env.SETTINGS_DIR || '.');

/** The file that adds to the environment. */
export const settingsFileOf = (env: Environment, root: string): string =>
  resolve(/* turbopackIgnore: true */ settingsFolderOf(env, root), '.env');

/** Where data is while `DATA_DIR` is not set, beside `.env`. */
const usual = 'data';
const sqliteName = 'gatehouse.db';

/**
 * The folder of all data that this server keeps in files.
 * @param root the folder of Gatehouse
 */
export const dataFolderOf = (env: Environment, root: string): string =>
  resolve(/* turbopackIgnore: true */ settingsFolderOf(env, root), env.DATA_DIR || usual);

/** The secret that a server makes itself when none is given. */
export const ownSecretIn = (dataFolder: string): string =>
  resolve(/* turbopackIgnore: true */ dataFolder, 'server-secret');

/** The database that is used while `DATABASE_URL` is not set. */
export const databaseIn = (dataFolder: string): string =>
  `file:${resolve(/* turbopackIgnore: true */ dataFolder, sqliteName)}`;

/**
 * Why nothing may be made in this data folder: a database is in the usual one, which another
 * `DATA_DIR` would leave behind, with everybody in it. Null: nothing is left behind.
 */
export function leftBehind(env: Environment, root: string): string | null {
  if (env.DATABASE_URL || env.DATABASE_URL_FILE) return null;
  const [now, before] = [dataFolderOf(env, root), dataFolderOf({ ...env, DATA_DIR: '' }, root)];
  const at = (folder: string) => resolve(/* turbopackIgnore: true */ folder, sqliteName);
  if (now === before || existsSync(at(now)) || !existsSync(at(before))) return null;
  return `DATA_DIR is ${now}, which has no database, and there is one at ${at(before)}: it would be left behind. Stop the server and move everything from ${before} to ${now} (${sqliteName} with -wal and -shm, and server-secret unless one is there), or set DATABASE_URL=file:${at(before)} to go on with it where it is.`;
}
