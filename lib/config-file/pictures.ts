import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { logoFaults, logoHash, pictureLimits } from '../management/pictures.ts';
import { refuseAdmin } from '../management/refusal.ts';
import { sentence } from '../messages/sentence.ts';
import type { Run } from './run.ts';

/**
 * The bytes of a picture that the file names; null removes the present one.
 * @throws AdminRefusal
 */
export function readPictureFile(run: Run, said: string): Uint8Array | null {
  if (said === 'none') return null;
  const path = resolve(run.source.folder, said);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) refuseAdmin('logo', sentence('refused.picture.noFile', { path }));
  if (size > pictureLimits.logoBytes) refuseAdmin('logo', logoFaults.heavy);
  try {
    return readFileSync(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return refuseAdmin('logo', sentence('refused.picture.unreadable', { path, code }));
  }
}

/** Whether a file is identical to the stored picture, as an exported one is. */
export const isStored = (bytes: Uint8Array, hash: string | null) => logoHash(bytes) === hash;
