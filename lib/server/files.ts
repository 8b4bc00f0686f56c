import { chmodSync, statSync } from 'node:fs';
import { log } from '../log.ts';

const octal = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');

/** Takes from everybody but their owner the right to read files of ours; says so, or that it could not. */
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

/** Says that everybody can read a file which the operator keeps. */
export function warnIfOpen(file: string): void {
  const mode = modeOf(file);
  if ((mode & 0o007) !== 0)
    log().warn({ file, mode: octal(mode) }, 'everybody can read this secret; run chmod o= on it');
}

/** A file's permissions; 0 where there is none, or where they mean nothing. */
function modeOf(file: string): number {
  if (process.platform === 'win32') return 0;
  return statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
}
