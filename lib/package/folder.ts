import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Architecture, filesFor, nodeFor, packageFolder } from './architecture.ts';
import { billOfMaterials } from './bill.ts';
import { contentOf, manifestOf, placeOf } from './program.ts';
import { readMe } from './read-me.ts';

const served =
  /^\.next\/(BUILD_ID|package\.json|required-server-files\.json|[\w-]+-manifest\.json|(docs|node_modules|programs|server|static)\/.+)$/;

/**
 * Files that only the build needs. Source maps of the programs are kept, because errors name our
 * own files through them.
 */
const ofBuild = /\.nft\.json$|\/\.stamp$|^\.next\/(server|static)\/.*\.map$/;

/** Whether a file below `.next` goes into the package. */
export const isServed = (path: string): boolean => served.test(path) && !ofBuild.test(path);

/** What the package of every architecture is made from. */
export type Parts = {
  /** A built checkout. */
  root: string;
  /** The files that it needs to run. */
  traced: readonly string[];
  /** An SQLite database with all tables. */
  emptyDatabase: string;
};

/**
 * Writes the package of an architecture into a folder that does not exist yet: `gatehouse`, the
 * files for people to read, and everything else in `program`.
 * @throws SetupError if a package of another architecture is not available
 */
export function writeFolder(parts: Parts, folder: string, arch: Architecture): void {
  const { root, traced, emptyDatabase } = parts;
  const program = resolve(folder, 'program');
  const manifest = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
  for (const { path, from } of filesFor(root, traced, arch))
    write(resolve(program, placeOf(path)), contentOf(from, path));
  writeBuild(root, program);
  for (const file of globSync('lib/messages/compiled/*.json', { cwd: root }))
    write(resolve(program, file), contentOf(resolve(root, file), file));
  cpSync(resolve(root, 'public'), resolve(program, 'public'), { recursive: true });
  write(resolve(program, 'package.json'), manifestOf(manifest));
  write(resolve(program, 'prisma/empty.db'), readFileSync(emptyDatabase));
  const node = packageFolder(root, nodeFor(arch));
  write(resolve(program, 'node'), readFileSync(resolve(node, 'bin/node')), 0o755);
  write(resolve(program, 'node.LICENSE'), readFileSync(resolve(node, 'LICENSE')));
  for (const file of ['LICENSE', 'CHANGELOG.md', '.env.example'])
    write(resolve(folder, file), readFileSync(resolve(root, file)));
  write(
    resolve(folder, 'gatehouse.service'),
    readFileSync(resolve(root, 'docs/containers/gatehouse.service')),
  );
  write(resolve(folder, 'README.md'), readMe(manifest.version));
  write(resolve(folder, 'sbom.json'), billOfMaterials(root, traced, arch));
  const launcher = readFileSync(resolve(import.meta.dirname, 'gatehouse.sh'));
  write(resolve(folder, 'gatehouse'), launcher, 0o755);
}

/** Copies what Next.js has built; packages that it did not bundle are symbolic links. */
function writeBuild(root: string, program: string): void {
  const entries = globSync('.next/**', {
    cwd: root,
    withFileTypes: true,
    exclude: ['.next/cache'],
  });
  for (const entry of entries) {
    const from = join(entry.parentPath, entry.name);
    const path = from.slice(root.length + 1);
    if (!isServed(path)) continue;
    if (entry.isSymbolicLink()) link(readlinkSync(from), resolve(program, path));
    else if (entry.isFile()) write(resolve(program, path), contentOf(from, path));
  }
}

function link(to: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) symlinkSync(to, path);
}

function write(path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}
