import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** What only a file has that starts a server, or reads what Next.js builds. */
const ofBuild = /tooling\/programs\.ts'|['`](?:[^'`\n]*\/)?\.next\b/;
const imports = /(?:from|import\() ?'(\.[^']*)'/g;

/**
 * Whether a test starts a server or reads the built screens, itself or by what it imports from
 * `tests`, so that `.next` has to be there.
 * @param file its path, relative to the project
 */
export function needsBuild(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  if (ofBuild.test(text)) return true;
  return [...text.matchAll(imports)].some(([, path = '']) =>
    needsBuild(posix.join(posix.dirname(file), path), seen),
  );
}
