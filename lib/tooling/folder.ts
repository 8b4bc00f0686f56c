import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { userName } from '../settings/text-file.ts';

/** Why our files cannot be stored in a folder. The message is a clause without a full stop. */
export class FolderError extends Error {}

/**
 * Creates a folder that only its owner can use, with its parents, and checks that files can be
 * created there. Node's recursive mkdir loops for ever if the parent exists but nothing can be
 * created in it, as below /proc.
 * @throws FolderError
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  let path = resolve(folder);
  for (; !existsSync(path); path = dirname(path)) missing.unshift(path);
  if (!statSync(path).isDirectory())
    throw new FolderError(`${path} is a file, and a folder is needed there`);
  try {
    for (path of missing) makeOne(path);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritable(path, error);
  }
}

/** Does the same for the folder of a file, and checks the file itself. @throws FolderError */
export function makePlaceOf(file: string): void {
  makeFolder(dirname(file));
  if (!existsSync(file)) return;
  if (statSync(file).isDirectory())
    throw new FolderError(`${file} is a folder, and a file is needed there`);
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw notWritable(file, error);
  }
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function notWritable(path: string, error: unknown): FolderError {
  const { code } = error as NodeJS.ErrnoException;
  return new FolderError(`${path} cannot be written by ${userName()} (${code})`, { cause: error });
}
