import { resolve } from 'node:path';
import { databaseIn, dataFolderOf, settingsFolderOf } from '../settings/data-folder.ts';
import { issuerAt } from '../settings/default-issuer.ts';
import { withSecretFiles } from '../settings/secret-files.ts';

type Environment = Record<string, string | undefined>;
/** Each value is under the name of its environment variable. */
export type Agreement = Record<'ISSUER' | 'DATABASE_URL' | 'SERVER_SECRET' | 'DATA_DIR', string>;

/**
 * The settings on which workers that serve side by side must agree. Otherwise one worker would not
 * find, or could not open, what another has made.
 * @param root the folder of Gatehouse
 * @throws Error with a sentence for the operator if a file with a secret cannot be read
 */
export function agreementOf(env: Environment, root: string): Agreement {
  const { env: read } = withSecretFiles(env, root);
  const dataFolder = dataFolderOf(read, root);
  const database = read.DATABASE_URL || databaseIn(dataFolder);
  return {
    ISSUER: read.ISSUER || issuerAt(Number(read.PORT || 3000)),
    DATABASE_URL: database.startsWith('file:')
      ? resolve(settingsFolderOf(read, root), database.slice('file:'.length))
      : database,
    SERVER_SECRET: read.SERVER_SECRET || '',
    DATA_DIR: dataFolder,
  };
}

/** `now` beside `before`; null if they can. Never contains a value. */
export function disagreement(before: Agreement, now: Agreement): string | null {
  const names = Object.keys(before) as (keyof Agreement)[];
  const changed = names.filter((name) => before[name] !== now[name]);
  if (changed.length === 0) return null;
  return `${changed.join(' and ')} changed, and old and new workers would disagree about it while both serve. Restart the server for that.`;
}
