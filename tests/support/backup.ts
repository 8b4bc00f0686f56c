import { makeBackup } from '#lib/backup/backup.ts';
import { restore } from '#lib/backup/restore.ts';
import { newLogFile } from './database.ts';

/** Restores a database to its state at the backup, while other processes may be using it. */
type Restore = () => Promise<void>;

/**
 * Backs up a database and returns a function that restores it.
 * @param endSignIns whether restoring ends the sign-ins in the backup
 */
export async function takeBackup(databaseUrl: string, endSignIns = false): Promise<Restore> {
  const file = newLogFile('backup').replace(/log$/, 'backup');
  await makeBackup({ databaseUrl, file, passphrase: null }, new Date());
  const options = { passphrase: null, replace: true, endSignIns, dryRun: false };
  return async () => {
    await restore(file, databaseUrl, options, new Date());
  };
}
