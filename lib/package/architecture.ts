import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { SetupError } from '../tooling/child.mjs';
import { isRun } from './traced.ts';

export const architectures = ['x64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

/** A file of the package: its path in the package, and where it is read from. */
type Source = { path: string; from: string };

const own = `linux-${process.arch}`;

export const nodeFor = (arch: Architecture): string => `node-linux-${arch}`;

/**
 * Returns the traced files for an architecture: native code for the machine that did the tracing is
 * replaced with what the same packages offer for the target.
 * @throws SetupError if a package is not available
 */
export function filesFor(root: string, traced: readonly string[], arch: Architecture): Source[] {
  const isNative = (file: string) => file.startsWith('node_modules/') && file.includes(`-${own}/`);
  const packages = new Set(traced.filter(isNative).map(packageOf));
  const common = traced.filter((file) => !isNative(file)).filter((file) => isForLinux(file, arch));
  return [
    ...common.map((path) => ({ path, from: resolve(root, path) })),
    ...[...packages].flatMap((name) => filesOfPackage(root, name.replace(own, `linux-${arch}`))),
  ];
}

export const packageOf = (file: string): string =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(file)?.[1] ?? '';

/** better-sqlite3 ships its code for all systems. */
function isForLinux(file: string, arch: Architecture): boolean {
  const [, system] = /\/prebuilds\/([^/]+)\.node$/.exec(file) ?? [];
  return system === undefined || system === `linux-${arch}`;
}

function filesOfPackage(root: string, name: string): Source[] {
  const folder = packageFolder(root, name);
  return globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => resolve(entry.parentPath, entry.name))
    .filter(isRun)
    .map((from) => ({ path: `node_modules/${name}${from.slice(folder.length)}`, from }));
}

/**
 * Returns the folder of a package that the lock file names: the installed one, or one downloaded
 * for another architecture.
 * @throws SetupError
 */
export function packageFolder(root: string, name: string): string {
  const installed = resolve(root, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const { version, integrity } = locked(root, name);
  const folder = resolve(root, 'node_modules/.cache/gatehouse-packages', `${name}@${version}`);
  if (!existsSync(folder)) fetchInto(folder, `${name}@${version}`, integrity);
  return folder;
}

type Locked = { version: string; integrity: string };

function locked(root: string, name: string): Locked {
  const { packages } = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const found = packages[`node_modules/${name}`];
  if (!found) throw new SetupError(`package-lock.json has no package ${name}.`);
  return found;
}

function fetchInto(folder: string, spec: string, integrity: string): void {
  mkdirSync(resolve(folder, '..'), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    const args = ['pack', spec, '--silent', '--pack-destination', work];
    const file = resolve(work, execFileSync('npm', args, { encoding: 'utf8' }).trim());
    const [kind = '', wanted] = integrity
      .split('-', 1)
      .concat(integrity.slice(integrity.indexOf('-') + 1));
    if (createHash(kind).update(readFileSync(file)).digest('base64') !== wanted)
      throw new SetupError(`${spec} is not what package-lock.json has: its checksum differs.`);
    execFileSync('tar', ['-xzf', file, '-C', work]);
    renameSync(resolve(work, 'package'), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
