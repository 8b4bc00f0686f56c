import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** Where a file of the checkout lies in the package: our programs are JavaScript there. */
export const placeOf = (path: string): string => path.replace(/\.tsx?$/, '.js');

/** What stands in a file of the package. A program there needs no types to be taken out at each start. */
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
    renamed(path.endsWith('.ts') ? stripTypeScriptTypes(text).replace(/[ \t]+$/gm, '') : text),
  );
}

/** Imports and threads by the names that their files have in the package. */
function renamed(text: string): string {
  return text
    .replace(/(\bfrom |\bimport |\bimport\(|new URL\()'([^'\n]+)\.ts'/g, "$1'$2.js'")
    .replace(/'lib\/(server|cli)\.ts'/g, "'lib/$1.js'");
}

/** What people are told to run is what they have: a package is run without npm. */
function withOwnCommands(text: string): string {
  return text
    .replace(/npm run (--silent )?cli --/g, 'gatehouse')
    .replaceAll('npm start', 'gatehouse start');
}

/** Next.js notes where it was built, and reads the rest of that file. */
function withoutPlace(text: string): string {
  const { appDir } = JSON.parse(text) as { appDir: string };
  return text.replaceAll(JSON.stringify(appDir).slice(1, -1), '.');
}

/** Keys of Next.js for previews: another one at each build, and no request comes so far (lib/server/for-next.ts). */
function withoutPreview(text: string): string {
  return text.replace(/("previewMode\w+":\s*")([0-9a-f]+)"/g, (_, name: string, key: string) => {
    return `${name}${'0'.repeat(key.length)}"`;
  });
}

type Manifest = { name: string; version: string; license: string; imports: object };

/** The package.json of the package: what Node.js has to know to run it. */
export function manifestOf({ name, version, license, imports }: Manifest): string {
  const said = { name, version, license, private: true, type: 'module', imports };
  return `${JSON.stringify(said, null, 2)}\n`;
}
