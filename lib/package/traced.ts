import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

type Trace = (
  files: string[],
  options: {
    base: string;
    ignore: (path: string) => boolean;
    readFile: (path: string) => Promise<string | null>;
  },
) => Promise<{ fileList: Set<string> }>;

/** Our programs with their threads, and Next.js's entry points and configuration. */
const entries = [
  '.next/programs/*/*.mjs',
  'next.config.js',
  'node_modules/next/dist/server/next.js',
];

/**
 * Files that Next.js could load but a built server never does: compilers and development versions.
 */
const ofBuilds =
  /next\/dist\/(esm|docs|compiled\/(babel|babel-packages|next-devtools|terser))\/|-experimental\/|\.dev\.js$|\.development\.js$|@next\/swc|^node_modules\/\.cache\//;

/** Files that Next.js puts in place of imports, by names that cannot be traced. */
const byName = [
  'node_modules/next/dist/compiled/webpack/*.js',
  'node_modules/next/dist/compiled/@babel/runtime/package.json',
];

/** Files of a package that only compilers, debuggers and human readers need. */
const forReaders = /\.(d\.[cm]?ts|map|md|c|cc|h|gyp|tsbuildinfo)$/;

/**
 * Lists the files that a built checkout needs to serve and to run commands, ours and those of
 * packages, relative to the checkout: what is imported, what Next.js noted for its pages, and the
 * licences of all that. A file or folder that is read is seen where its place is
 * written out as a URL relative to `import.meta.url` (tooling/schema.ts), and nowhere else.
 */
export async function tracedFiles(root: string): Promise<string[]> {
  const noted = globSync(['.next/*.nft.json', '.next/server/**/*.nft.json'], { cwd: root });
  const ofNext = noted.flatMap((note) => notedIn(root, note));
  const imported = await importedFiles(root);
  const files = [...ofNext, ...imported, ...globSync(byName, { cwd: root })]
    .filter((file) => isOurs(file) && isRun(file))
    .filter((file) => existsSync(resolve(root, file)));
  const bundled = bundledPackages(root).map((name) => `node_modules/${name}/package.json`);
  return [...new Set([...files, ...licencesOf(root, [...files, ...bundled])])].sort();
}

/**
 * Whether a file belongs to this program or to a package. Our code names files that it creates,
 * such as the database and the secret in `data`. If a checkout has them, the tracer finds them as
 * if they were imported, but they must not go into a package.
 */
export const isOurs = (path: string): boolean =>
  /^(app|lib|node_modules|prisma|public)\/|^(next\.config\.js|package\.json)$/.test(path);

/** Whether a file of a package is needed to run it. */
export const isRun = (path: string): boolean => !forReaders.test(path) && !ofBuilds.test(path);

/** Lists packages that were bundled into the build and are not beside it as files. */
export function bundledPackages(root: string): string[] {
  const maps = globSync('.next/**/*.{js,mjs}.map', { cwd: root, exclude: ['.next/cache'] });
  const names = maps.flatMap((map) => [
    ...readFileSync(resolve(root, map), 'utf8').matchAll(
      /(?:\[project\]|\.\.)\/node_modules\/((?:(?:@|%40)[^/"]+\/)?[^/"]+)\//g,
    ),
  ]);
  const isThere = (name: string) => existsSync(resolve(root, 'node_modules', name, 'package.json'));
  return [...new Set(names.map(([, name = '']) => decodeURIComponent(name)))]
    .filter(isThere)
    .sort();
}

function notedIn(root: string, note: string): string[] {
  const { files } = JSON.parse(readFileSync(resolve(root, note), 'utf8')) as { files: string[] };
  return files
    .map((file) => relative(root, resolve(root, dirname(note), file)))
    .filter((file) => file.startsWith('node_modules/'));
}

async function importedFiles(root: string): Promise<string[]> {
  // Next.js includes the library that it uses to trace the imports of its own pages.
  const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft') as {
    nodeFileTrace: Trace;
  };
  const { fileList } = await nodeFileTrace(
    globSync(entries, { cwd: root }).map((file) => resolve(root, file)),
    { base: root, ignore: (path) => ofBuilds.test(path), readFile: readPlain },
  );
  return [...fileList];
}

/** Reads a file as JavaScript, because the library does not understand types. */
async function readPlain(path: string): Promise<string | null> {
  try {
    const text = readFileSync(path, 'utf8');
    return path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  } catch {
    return null;
  }
}

/** Finds the licences in the folders of package files and in the folders above. */
function licencesOf(root: string, files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files)
    for (let at = dirname(file); /node_modules\/./.test(at) && !folders.has(at); at = dirname(at))
      folders.add(at);
  return [...folders].flatMap((folder) =>
    readdirSync(resolve(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && /^(licen[cs]e|notice|copying)/i.test(entry.name))
      .map(({ name }) => join(folder, name)),
  );
}
