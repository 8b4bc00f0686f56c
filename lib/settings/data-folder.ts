import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

type Environment = Record<string, string | undefined>;

/**
 * The folder of `.env`. The operator's relative paths start here.
 * @param root the folder of Gatehouse, used while `SETTINGS_DIR` is not set
 */
export const settingsFolderOf = (env: Environment, root: string): string =>
  resolve(/* turbopackIgnore: true */ root, env.SETTINGS_DIR || '.');

/** The `.env` file, whose variables are added to the environment. */
export const settingsFileOf = (env: Environment, root: string): string =>
  resolve(/* turbopackIgnore: true */ settingsFolderOf(env, root), '.env');

/** The data folder while `DATA_DIR` is not set, relative to the folder of `.env`. */
const usual = 'data';
const sqliteName = 'gatehouse.db';

/**
 * The folder of all data that this server keeps in files.
 * @param root the folder of Gatehouse
 */
export const dataFolderOf = (env: Environment, root: string): string =>
  resolve(/* turbopackIgnore: true */ settingsFolderOf(env, root), env.DATA_DIR || usual);

/** The secret that the server generates when none is configured. */
export const ownSecretIn = (dataFolder: string): string =>
  resolve(/* turbopackIgnore: true */ dataFolder, 'server-secret');

/** The database URL while `DATABASE_URL` is not set. */
export const databaseIn = (dataFolder: string): string =>
  `file:${resolve(/* turbopackIgnore: true */ dataFolder, sqliteName)}`;

/**
 * Says why this data folder must not be used: the default folder has a database, which another
 * `DATA_DIR` would leave behind, with every account in it. Null if nothing would be left behind.
 */
export function leftBehind(env: Environment, root: string): string | null {
  if (env.DATABASE_URL || env.DATABASE_URL_FILE) return null;
  const [now, before] = [dataFolderOf(env, root), dataFolderOf({ ...env, DATA_DIR: '' }, root)];
  const at = (folder: string) => resolve(/* turbopackIgnore: true */ folder, sqliteName);
  if (now === before || existsSync(at(now)) || !existsSync(at(before))) return null;
  return `DATA_DIR is ${now}, which has no database, and there is one at ${at(before)}: it would be left behind. Stop the server and move everything from ${before} to ${now} (${sqliteName} with -wal and -shm, and server-secret unless one is there), or set DATABASE_URL=file:${at(before)} to go on with it where it is.`;
}
