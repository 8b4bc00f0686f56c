import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * Tells build output and the files of `public/` from pages, which need the database. Compares full
 * paths, because the address of a page can end like a file name: a client's id can.
 *
 * @param folder `public/`, read once
 * @returns whether a path is an asset's
 */
export function assetsIn(folder: string): (path: string) => boolean {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length));
  const paths = new Set(files.map((file) => file.split(sep).join('/')));
  return (path) => path.startsWith('/_next/') || paths.has(path);
}
