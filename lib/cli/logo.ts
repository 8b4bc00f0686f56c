import { readFile } from 'node:fs/promises';
import { fileNamed } from './called-from.ts';
import { refuseCommand } from './refuse.ts';

/**
 * The `--logo` file in base64, relative to where the command was called; null for an empty name, which
 * removes the logo; undefined if the option is absent.
 */
export async function readLogo(file: string | undefined): Promise<string | null | undefined> {
  if (file === undefined) return undefined;
  if (file === '') return null;
  const bytes = await readFile(fileNamed(file)).catch(() =>
    refuseCommand(`The file "${file}" cannot be read; --logo takes a PNG, JPEG, WebP or GIF file.`),
  );
  return bytes.toString('base64');
}
