import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, '../../node_modules/.cache');

/**
 * A published package in an exact version, with what it needs; fetched once and kept beside this
 * project's own packages. Null, and a line that says why, where it cannot be had.
 */
export async function packageFromNpm<Module>(
  name: string,
  version: string,
): Promise<Module | null> {
  const folder = resolve(cache, `npm-${name}-${version}`);
  const load = createRequire(resolve(folder, 'package.json'));
  try {
    return load(name) as Module;
  } catch {}
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(resolve(folder, 'package.json'), '{}');
    await run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`],
      {
        cwd: folder,
      },
    );
    return load(name) as Module;
  } catch (error) {
    const [reason = ''] = String(error).split('\n');
    console.info(`No test with ${name} in this run: ${reason}`);
    return null;
  }
}
