import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { environmentOf, lastStage, said } from '../support/dockerfile.ts';
import { packed } from './packed.ts';

/** The tree of the image, as the last stage of the Dockerfile makes it of a base and the package. */
export const tree = resolve(packed.place, 'image');

/**
 * Goes into the tree as an engine does: no network but its loopback, processes and mounts of its own. The base is this
 * machine's system, read-only and without what could stand in for the package's own Node.js; `/usr/local` is the image's.
 * $1 is the tree, $2 `ro` for a tree that cannot be written but for its volumes and /tmp, $3 the user.
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
  ...['--mount', '--net', '--pid', '--fork', '--kill-child'],
  ...['sh', '-c', inside, 'sh', tree, way, user],
];

/** Whether this machine lets us into a tree: namespaces, chroot and setpriv want root on Linux. */
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

/** Carries out the last stage of the Dockerfile: COPY and RUN; what else it says is for the start. */
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

/** The package is what the stage before has made. @throws Error for what else is copied */
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

/** What an engine sets. */
const environment = () => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ...environmentOf(lastStage),
  NODE_ENV: 'production' as const,
});

/** Runs a program as the image's user, in a tree that cannot be written, as compose.yaml has it. */
export const runInside = (command: readonly string[], env: Record<string, string> = {}) =>
  spawnSync('unshare', [...entering('ro', said('USER', lastStage)[0] ?? ''), ...command], {
    encoding: 'utf8',
    env: { ...environment(), ...env },
    timeout: 120_000,
  });

/** Puts a file into the tree, beside the image. */
export function putInside(name: string, text: string): string {
  writeFileSync(resolve(tree, name), text);
  return `/${name}`;
}

export const listTree = (folder: string) => readdirSync(resolve(tree, folder)).sort();
