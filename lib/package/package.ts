import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SetupError } from '../tooling/child.mjs';
import { git } from '../tooling/git.ts';
import { showProgress } from '../tooling/progress.mjs';
import { type Architecture, architectures } from './architecture.ts';
import { packFolder, writeSums } from './archive.ts';
import { writeEmptyDatabase } from './empty-database.ts';
import { type Parts, writeFolder } from './folder.ts';
import { tracedFiles } from './traced.ts';

const help = `npm run package [-- [--arch x64|arm64] [--to FOLDER | --folder FOLDER]]

Makes what runs without npm, Node.js and network: gatehouse-VERSION-linux-ARCH.tar.xz for both architectures, and their
SHA256SUMS. The same commit gives the same bytes.

  --arch    this architecture alone
  --to      where the archives go; dist, if nothing is said
  --folder  no archive but the folder, of this machine's architecture or --arch; it must not be there yet

SOURCE_DATE_EPOCH is the time that files are given; without it, it is that of the commit.
PACKAGE_KEY_FILE names a private Ed25519 key in PEM, and SHA256SUMS.sig is made with it.
`;

const options = {
  arch: { type: 'string' },
  to: { type: 'string', default: 'dist' },
  folder: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Makes packages of a built checkout, according to the arguments of `npm run package`.
 * @throws SetupError that says what is in the way
 */
export async function makePackages(root: string, args: string[]): Promise<void> {
  const { arch, to, folder, help: asked } = read(args);
  if (asked) return console.log(help);
  const place = resolve(root, folder ? resolve(root, folder, '..') : to);
  mkdirSync(place, { recursive: true });
  const work = mkdtempSync(join(place, '.gatehouse-package-'));
  try {
    const archs = arch ? [arch] : folder ? [process.arch as Architecture] : architectures;
    const step = counted(folder ? 2 : 2 * archs.length + 1);
    const parts = await step('Finding the files that the program reads', () => partsIn(work, root));
    if (folder) {
      await step('Copying them', () =>
        writeFolder(parts, join(work, 'folder'), archs[0] as Architecture),
      );
      renameSync(join(work, 'folder'), resolve(root, folder));
      return;
    }
    for (const file of await archivesIn(work, parts, archs, step)) {
      renameSync(file, join(place, basename(file)));
      console.log(join(place, basename(file)));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function read(args: string[]) {
  try {
    const { values } = parseArgs({ args, options });
    const arch = architectures.find((one) => one === values.arch);
    if (values.arch !== undefined && !arch)
      throw new Error(`--arch is ${architectures.join(' or ')}; "${values.arch}" is neither.`);
    return { ...values, arch };
  } catch (error) {
    throw new SetupError(`${(error as Error).message}\n\n${help}`);
  }
}

async function partsIn(work: string, root: string): Promise<Parts> {
  const emptyDatabase = join(work, 'empty.db');
  await writeEmptyDatabase(emptyDatabase);
  return { root, traced: await tracedFiles(root), emptyDatabase };
}

type Step = <Made>(title: string, work: () => Made | Promise<Made>) => Promise<Made>;

/** Shows on standard error which step it is, of how many, and how long it takes. */
function counted(all: number): Step {
  let at = 0;
  return async (title, work) => {
    at += 1;
    const progress = showProgress(`Package, step ${at} of ${all}: ${title}`);
    try {
      const made = await work();
      progress.end('done');
      return made;
    } catch (error) {
      progress.end('failed');
      throw error;
    }
  };
}

/** Makes the archives, whose names say what they contain, and the checksums last. */
async function archivesIn(work: string, parts: Parts, archs: readonly Architecture[], step: Step) {
  const { version } = JSON.parse(readFileSync(resolve(parts.root, 'package.json'), 'utf8'));
  const time = timeOfFiles(parts.root);
  const archives: string[] = [];
  for (const arch of archs) {
    const folder = join(work, `gatehouse-${version}-linux-${arch}`);
    await step(`Copying them for ${arch}`, () => writeFolder(parts, folder, arch));
    archives.push(await step(`Packing ${basename(folder)}`, () => packFolder(folder, time)));
  }
  return [...archives, ...(await writeSums(archives, process.env.PACKAGE_KEY_FILE))];
}

/** The time given to all files: browsers tell versions of a file apart by it. @throws SetupError */
function timeOfFiles(root: string): number {
  const said = process.env.SOURCE_DATE_EPOCH;
  if (said === undefined) return Number(git(root, ['log', '-1', '--format=%ct']));
  if (/^\d{1,12}$/.test(said)) return Number(said);
  throw new SetupError(`SOURCE_DATE_EPOCH is seconds since 1970; "${said}" is not.`);
}
