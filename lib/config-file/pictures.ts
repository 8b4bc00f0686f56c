import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { logoHash, pictureLimits } from '../management/pictures.ts';
import { refuseAdmin } from '../management/refusal.ts';
import type { Run } from './run.ts';

/** The bytes of a picture that the file names; null to remove what is there. @throws AdminRefusal */
export function pictureAt(run: Run, said: string): Uint8Array | null {
  if (said === 'none') return null;
  const path = resolve(run.source.folder, said);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) refuseAdmin('logo', `There is no file ${path}.`);
  if (size > pictureLimits.logoBytes)
    refuseAdmin('logo', `The picture is larger than ${pictureLimits.logoBytes / 1024} KB.`);
  try {
    return readFileSync(path);
  } catch (error) {
    return refuseAdmin(
      'logo',
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

/** Whether a file holds just what is stored, as one that was exported does. */
export const isStored = (bytes: Uint8Array, hash: string | null) => logoHash(bytes) === hash;
