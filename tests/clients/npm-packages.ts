import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { missing } from '../support/missing.ts';

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, '../../node_modules/.cache');

/** Like {@link folderFromNpm}, but returns the loaded package. */
export async function packageFromNpm<Module>(
  name: string,
  version: string,
): Promise<Module | null> {
  const folder = await folderFromNpm(name, version);
  return folder === null ? null : (createRequire(resolve(folder, 'package.json'))(name) as Module);
}

/**
 * The folder of a published package in an exact version, with its dependencies and the peer
 * dependencies that are named. It is fetched once and kept beside this project's own packages. Null
 * if it is not available; a line in the output says why.
 */
export async function folderFromNpm(
  name: string,
  version: string,
  peers: readonly string[] = [],
): Promise<string | null> {
  const folder = resolve(cache, `npm-${name}-${version}`);
  const [found, stamp] = [resolve(folder, 'node_modules', name), resolve(folder, 'ready')];
  if (existsSync(stamp)) return found;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(resolve(folder, 'package.json'), '{}');
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
    await run('npm', ['install', ...options, `${name}@${version}`, ...peers], { cwd: folder });
    writeFileSync(stamp, '');
    return found;
  } catch (error) {
    missing(name, `npm install ${name}@${version}`, error);
    return null;
  }
}
