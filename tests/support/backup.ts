import { makeBackup } from '#lib/backup/backup.ts';
import { restore } from '#lib/backup/restore.ts';
import { newLogFile } from './database.ts';

/** Brings a database back to what it held when the backup was taken, under whatever is running on it. */
type Restore = () => Promise<void>;

/** Takes a backup of a database and gives the way to restore it. @param endSignIns that is alive in it */
export async function takeBackup(databaseUrl: string, endSignIns = false): Promise<Restore> {
  const file = newLogFile('backup').replace(/log$/, 'backup');
  await makeBackup(databaseUrl, file, null, new Date());
  const options = { passphrase: null, replace: true, endSignIns, dryRun: false };
  return async () => {
    await restore(file, databaseUrl, options, new Date());
  };
}
