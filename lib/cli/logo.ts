import { readFile } from 'node:fs/promises';
import { fileNamed } from './called-from.ts';
import { refuseCommand } from './refuse.ts';

/**
 * Reads the `--logo` file, relative to where the command was called, as base64. Returns null for an
 * empty name, which removes the logo, and undefined if the option is absent.
 */
export async function readLogo(file: string | undefined): Promise<string | null | undefined> {
  if (file === undefined) return undefined;
  if (file === '') return null;
  const source = file === '-' ? '/dev/stdin' : fileNamed(file);
  const bytes = await readFile(source).catch(() =>
    refuseCommand(`The file "${file}" cannot be read; --logo takes a PNG, JPEG, WebP or GIF file.`),
  );
  return bytes.toString('base64');
}
