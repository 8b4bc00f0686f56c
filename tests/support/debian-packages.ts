import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { missing } from './missing.ts';

const run = promisify(execFile);
const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
const apt = (...args: string[]) => run('apt-get', args, { env });
// Another test file may be installing packages.
const patient = ['-o', 'DPkg::Lock::Timeout=120', '-y', '--no-install-recommends'];

/**
 * Whether these Debian packages are installed. Missing ones are installed first; if that fails, a
 * line in the output says why.
 */
export async function haveDebianPackages(...packages: string[]): Promise<boolean> {
  if (await areInstalled(packages)) return true;
  try {
    if (process.getuid?.() !== 0) throw new Error('Only root installs packages.');
    await apt('install', ...patient, ...packages).catch(async () => {
      await apt('update');
      await apt('install', ...patient, ...packages);
    });
    return true;
  } catch (error) {
    missing(packages.join(', '), `apt-get install ${packages.join(' ')}`, error);
    return false;
  }
}

async function areInstalled(packages: readonly string[]): Promise<boolean> {
  const { stdout } = await run('dpkg', ['--status', ...packages]).catch(() => ({ stdout: '' }));
  return stdout.match(/^Status: install ok installed$/gm)?.length === packages.length;
}
