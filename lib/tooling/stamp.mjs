// Plain JavaScript for Node 20: this runs before anything is installed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * A hash over the names and contents of files and folders; missing ones count too.
 * @param {string[]} paths
 */
export function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) addTo(hash, path);
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} path
 */
function addTo(hash, path) {
  const full = resolve(root, path);
  const found = statSync(full, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    for (const name of readdirSync(full).sort()) addTo(hash, `${path}/${name}`);
  } else {
    hash.update(`${path}\0${found?.size}\0`);
    if (found) hash.update(readFileSync(full));
  }
}

/**
 * @param {string} file
 * @param {string} hash
 */
export function isStamped(file, hash) {
  return existsSync(file) && readFileSync(file, 'utf8') === hash;
}

/**
 * Runs `work`, and writes the stamp only if it succeeds.
 * @param {string} file
 * @param {string} hash
 * @param {() => Promise<void>} work
 */
export async function stamped(file, hash, work) {
  rmSync(file, { force: true });
  await work();
  writeFileSync(file, hash);
}
