// Plain JavaScript for Node 20: this runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { runStep, SetupError } from './child.mjs';
import { withLock } from './lock.mjs';
import { root } from './stamp.mjs';

/** @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean }} Package */

/**
 * Installs what the lock file lists, if npm's record of the last complete install differs from it
 * (so an install by hand counts too). Development packages that are already installed are kept up
 * to date, not removed.
 * @param {boolean} withDev
 * @param {string} place which step of how many
 */
export async function install(withDev, place) {
  if (isInstalled(withDev)) return;
  await withLock(async () => {
    if (isInstalled(withDev)) return;
    const dev =
      withDev ||
      Object.values(readPackages('node_modules/.package-lock.json')).some((entry) => entry.dev);
    await runStep({
      title: 'Installing packages',
      place,
      takes: 'they are downloaded once',
      advice:
        'Check the network connection (npm must reach its registry) and run the command again.',
      ...npm([
        'ci',
        dev ? '--include=dev' : '--omit=dev',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
      ]),
    });
  });
}

/**
 * @param {boolean} withDev
 * @param {string} [folder]
 */
export function isInstalled(withDev, folder = root) {
  const installed = readPackages('node_modules/.package-lock.json', folder);
  return Object.entries(readPackages('package-lock.json', folder)).every(([path, entry]) => {
    const found = installed[path];
    if (!found) return path === '' || entry.optional || (entry.dev && !withDev);
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * @param {string} file
 * @returns {Record<string, Package>}
 */
function readPackages(file, folder = root) {
  const path = resolve(folder, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

/** @param {string[]} args */
function npm(args) {
  const cli = process.env.npm_execpath;
  return cli ? { command: process.execPath, args: [cli, ...args] } : { command: 'npm', args };
}

/**
 * process.execPath has its symbolic links resolved. If it were compared with an unresolved path,
 * the process would start itself for ever.
 * @param {string} path
 */
function realPath(path) {
  return existsSync(path) ? realpathSync(path) : path;
}

/**
 * Finds the Node to run everything with: the installed one, else the machine's if it is new enough.
 */
export function findNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const bundled = realPath(
    resolve(
      root,
      `node_modules/node-${platform}-${process.arch}/bin/node${platform === 'win' ? '.exe' : ''}`,
    ),
  );
  if (process.execPath === bundled || runs(bundled)) return bundled;
  // An installed Node that does not run here (built for another C library, say) would hide the
  // machine's own Node from npm scripts.
  removeLink(resolve(root, 'node_modules/.bin/node'));
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  throw new SetupError(
    `Gatehouse needs Node 22.18 or newer and this is ${process.version}: install Node 24 and run the command again.`,
  );
}

/** @param {string} link */
function removeLink(link) {
  try {
    rmSync(link, { force: true });
  } catch {
    // The folder is not writable: the user who starts this has chosen their own Node.
  }
}

/** @param {string} node */
function runs(node) {
  return existsSync(node) && spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0;
}
