import { chmodSync, statSync } from 'node:fs';
import { log } from '../telemetry/log.ts';
import { FolderError, makeFolder } from '../tooling/folder.ts';

const octal = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');

/** Restricts our files to their owner. Logs each file that it changed or could not change. */
export function closeToOthers(files: readonly string[]): void {
  for (const file of files) {
    const mode = modeOf(file);
    if ((mode & 0o077) === 0) continue;
    try {
      chmodSync(file, mode & 0o700);
      log().warn({ file, mode: octal(mode) }, 'others could use this file; its mode was changed');
    } catch {
      log().warn({ file, mode: octal(mode) }, 'others can use this file; run chmod go= on it');
    }
  }
}

/**
 * Checks that the folder for scheduled backups can be used, because otherwise each of them would
 * fail.
 * @throws FolderError, no wrong setting: the folder may be mounted later
 */
export function checkBackupFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    throw new FolderError(
      `No backup can be made in BACKUP_DIR: ${error.message}. Make the folder writable, or name another one`,
      { cause: error },
    );
  }
}

/** Warns if everyone can read a file that the operator manages. */
export function warnIfOpen(file: string): void {
  const mode = modeOf(file);
  if ((mode & 0o007) !== 0)
    log().warn({ file, mode: octal(mode) }, 'everyone can read this secret; run chmod o= on it');
}

/** A file's permission bits; 0 if it doesn't exist or has none. */
function modeOf(file: string): number {
  if (process.platform === 'win32') return 0;
  return statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
}
