import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { missing } from '../support/missing.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/**
 * The folder of the programs of a Python with these packages, in exact versions. It is made once
 * and kept beside this project's own packages. Null if it is not available; a line in the output
 * says why.
 */
export async function pythonWith(packages: readonly string[]): Promise<string | null> {
  const name = createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 12);
  const folder = resolve(root, 'node_modules/.cache', `python-${name}`);
  const [stamp, programs] = [resolve(folder, 'ready'), resolve(folder, 'bin')];
  if (existsSync(stamp)) return programs;
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(resolve(root, 'node_modules/.cache'), { recursive: true });
    await run('python3', ['-m', 'venv', folder]);
    await run(resolve(programs, 'pip'), ['install', '--quiet', '--retries', '5', ...packages]);
    writeFileSync(stamp, '');
    return programs;
  } catch (error) {
    missing(`Python with ${packages.join(', ')}`, 'apt-get install python3-venv', error);
    return null;
  }
}
