import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, relative } from 'node:path';

/**
 * Where a file of the checkout goes in the package, where our programs are JavaScript. If they were
 * called .js, Node.js would look for a package.json in every folder above each of some nine hundred
 * files.
 */
export const placeOf = (path: string): string => path.replace(/\.tsx?$/, '.mjs');

/**
 * The content of a file in the package. Types are stripped here, so that programs need no stripping
 * at each start.
 */
export function contentOf(file: string, path: string): string | Buffer {
  const bytes = readFileSync(file);
  if (path.startsWith('node_modules/') || !/\.(ts|mjs|js|json)$/.test(path)) return bytes;
  const text = bytes.toString();
  if (path === '.next/required-server-files.json') return withoutPlace(text);
  if (/^\.next\/(prerender-manifest|server\/preview-props)\.json$/.test(path))
    return withoutPreview(text);
  if (path.startsWith('.next/')) return withOwnCommands(text);
  if (path.startsWith('public/')) return text;
  return withOwnCommands(
    renamed(
      path.endsWith('.ts') ? stripTypeScriptTypes(text).replace(/[ \t]+$/gm, '') : text,
      path,
    ),
  );
}

/** Rewrites imports to where their files are in the package. */
function renamed(text: string, path: string): string {
  return text.replace(
    /(\bfrom |\bimport |\bimport\(|new URL\()'([^'\n]+\.(?:ts|mjs))'/g,
    (_, before: string, file: string) => `${before}'${placeOf(fromBeside(path, file))}'`,
  );
}

/**
 * Names one of our files relative to the importing file, because for `#lib/…` Node.js would consult
 * the package.json each time.
 */
function fromBeside(path: string, file: string): string {
  if (!file.startsWith('#')) return file;
  const way = relative(dirname(path), file.slice(1));
  return way.startsWith('.') ? way : `./${way}`;
}

/** Replaces the commands that people are told to run: a package is run without npm. */
function withOwnCommands(text: string): string {
  return text
    .replace(/npm run (--silent )?cli --/g, 'gatehouse')
    .replaceAll('npm start', 'gatehouse start');
}

/** Next.js records where it was built, but reads only the rest of that file. */
function withoutPlace(text: string): string {
  const { appDir } = JSON.parse(text) as { appDir: string };
  return text.replaceAll(JSON.stringify(appDir).slice(1, -1), '.');
}

/**
 * Blanks the preview keys of Next.js: they differ in each build, and no request ever reaches their
 * code (lib/server/for-next.ts).
 */
function withoutPreview(text: string): string {
  return text.replace(/("previewMode\w+":\s*")([0-9a-f]+)"/g, (_, name: string, key: string) => {
    return `${name}${'0'.repeat(key.length)}"`;
  });
}

type Manifest = { name: string; version: string; license: string; imports: object };

/** Writes the package.json of the package, with what Node.js needs to run it. */
export function manifestOf({ name, version, license, imports }: Manifest): string {
  const said = { name, version, license, private: true, type: 'module', imports };
  return `${JSON.stringify(said, null, 2)}\n`;
}
