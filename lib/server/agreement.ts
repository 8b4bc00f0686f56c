import { resolve } from 'node:path';
import { databaseIn, dataFolderOf, settingsFolderOf } from '../settings/data-folder.ts';
import { issuerAt } from '../settings/default-issuer.ts';
import { withSecretFiles } from '../settings/secret-files.ts';

type Environment = Record<string, string | undefined>;
/** By the name of the variable that says it. */
export type Agreement = Record<'ISSUER' | 'DATABASE_URL' | 'SERVER_SECRET' | 'DATA_DIR', string>;

/**
 * What workers that serve beside each other must agree about: one of them would not find, or not
 * open, what the other has made.
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

/** Why workers that agree about this cannot serve beside those that agreed about that; null: they can. Never says a value. */
export function disagreement(before: Agreement, now: Agreement): string | null {
  const names = Object.keys(before) as (keyof Agreement)[];
  const changed = names.filter((name) => before[name] !== now[name]);
  if (changed.length === 0) return null;
  return `${changed.join(' and ')} changed, and old and new workers would disagree about it while both serve. Restart the server for that.`;
}
