import { readdirSync, readFileSync, statSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { root } from './stamp.mjs';

/** Whatever could name a file: a relative path, or one of the `imports` in package.json. */
const names = /['"`](?:(\.{1,2}\/[^'"`\n]+)|#([\w.-]+\/[^'"`\n]+))['"`]/g;

/**
 * The files of this checkout that these files and folders consist of, and those that they import,
 * directly or through others, sorted. A file that is only named counts as imported: rather one too
 * many than one too few. Imports name whole files, so a new file joins only by a change of another.
 * @param paths relative to the project, with `/`
 * @param within only paths that begin with this
 */
export function importedBy(paths: readonly string[], within = ''): string[] {
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.has(path) || !path.startsWith(within) || !isFile(path)) return;
    found.add(path);
    for (const [, near, own] of readFileSync(resolve(root, path), 'utf8').matchAll(names))
      visit(own ?? posix.join(posix.dirname(path), near ?? ''));
  };
  for (const path of paths.flatMap(filesIn)) visit(path);
  return [...found].sort();
}

const isFile = (path: string) =>
  statSync(resolve(root, path), { throwIfNoEntry: false })?.isFile() === true;

function filesIn(path: string): string[] {
  if (isFile(path)) return [path];
  return readdirSync(resolve(root, path), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${path}/${name.replaceAll('\\', '/')}`,
  );
}
