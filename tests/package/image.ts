import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { environmentOf, lastStage, said } from '../support/dockerfile.ts';
import { packed } from './packed.ts';

/**
 * The file tree of the image, as the last stage of the Dockerfile makes it from a base and the
 * package.
 */
export const tree = resolve(packed.place, 'image');

/**
 * Enters the tree as an engine does: with no network except loopback, and with its own processes
 * and mounts. The base is this machine's system, read-only and without anything that could replace
 * the package's own Node.js; `/usr/local` is the image's. $1 is the tree. $2 is `ro` for a tree in
 * which only the volumes and /tmp are writable. $3 is the user.
 */
const inside = `
set -e
tree=$1 way=$2 user=$3; shift 3
ip link set lo up
mount --bind "$tree" "$tree"
for part in bin sbin lib lib64; do
  if [ -L /$part ]; then ln -sfn "$(readlink /$part)" "$tree/$part"; else mkdir -p "$tree/$part"; mount --bind /$part "$tree/$part"; fi
done
for part in usr/bin usr/sbin usr/lib usr/lib64 usr/share etc dev; do
  [ ! -d /$part ] || { mkdir -p "$tree/$part"; mount --rbind /$part "$tree/$part"; }
done
for tool in node npm npx; do [ ! -e "$tree/usr/bin/$tool" ] || mount --bind /dev/null "$tree/usr/bin/$tool"; done
mkdir -p "$tree/proc" "$tree/tmp"
mount -t proc proc "$tree/proc"
mount -t tmpfs tmpfs "$tree/tmp"
if [ "$way" = ro ]; then
  for volume in data backups; do mount --bind "$tree/$volume" "$tree/$volume"; done
  mount -o remount,ro,bind "$tree" "$tree"
fi
cd "$tree"
[ "$user" = root ] && exec chroot . "$@"
exec chroot . setpriv --reuid "\${user%:*}" --regid "\${user#*:}" --clear-groups --no-new-privs --bounding-set=-all "$@"
`;

const entering = (way: 'rw' | 'ro', user: string) => [
  '--mount',
  '--net',
  '--pid',
  '--fork',
  '--kill-child',
  'sh',
  '-c',
  inside,
  'sh',
  tree,
  way,
  user,
];

/** Whether this machine lets us enter a tree: namespaces, chroot and setpriv need root on Linux. */
export const canEnter = () =>
  process.platform === 'linux' &&
  spawnSync('unshare', [
    '--mount',
    '--net',
    '--pid',
    '--fork',
    'setpriv',
    '--bounding-set=-all',
    'true',
  ]).status === 0;

/**
 * Carries out COPY and RUN in the last stage of the Dockerfile. Its other instructions are for the
 * start.
 */
export function makeTree(): void {
  mkdirSync(resolve(tree, 'usr/local/bin'), { recursive: true });
  for (const { name, text } of lastStage) {
    if (name === 'COPY') copy(text);
    if (name === 'RUN')
      execFileSync('unshare', [...entering('rw', 'root'), 'sh', '-c', text], {
        env: environment(),
      });
  }
}

/** Copies the package, which the previous stage has made. @throws Error for anything else */
function copy(text: string): void {
  const [from = '', source = '', target = ''] = text.split(' ');
  if (from !== '--from=build' || source !== '/opt/gatehouse')
    throw new Error(`COPY ${text}: this test knows the package alone.`);
  const place = resolve(tree, target.slice(1));
  mkdirSync(dirname(place), { recursive: true });
  cpSync(packed.folder, place, {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
  });
}

/** The environment that an engine sets. */
const environment = () => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ...environmentOf(lastStage),
  NODE_ENV: 'production' as const,
});

/** Runs a program as the image's user, in a read-only tree, as compose.yaml does. */
export const runInside = (command: readonly string[], env: Record<string, string> = {}) =>
  spawnSync('unshare', [...entering('ro', said('USER', lastStage)[0] ?? ''), ...command], {
    encoding: 'utf8',
    env: { ...environment(), ...env },
    timeout: 120_000,
  });

/** Adds a file to the tree that is not in the image. */
export function putInside(name: string, text: string): string {
  writeFileSync(resolve(tree, name), text);
  return `/${name}`;
}

export const listTree = (folder: string) => readdirSync(resolve(tree, folder)).sort();
