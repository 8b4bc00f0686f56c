import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pythonWith } from '../../../clients/python.ts';
import { haveDebianPackages } from '../../../support/debian-packages.ts';
import type { Outcome, Part } from '../part.ts';

const debian = ['postgresql-15', 'etcd-server', 'haproxy', 'iproute2', 'util-linux'];
const patroni = ['patroni[etcd3]==4.1.5', 'psycopg2-binary==2.9.13'];

/**
 * Finds the programs of a cluster and installs those that are missing, or says why there can be no
 * cluster.
 */
export async function findCluster(): Promise<{ programs: string } | { missing: string }> {
  if (process.getuid?.() !== 0) return { missing: 'only root makes networks to cut' };
  if (!(await haveDebianPackages(...debian)))
    return { missing: `one of ${debian.join(', ')} is not installed` };
  const programs = await pythonWith(patroni);
  return programs === null ? { missing: 'Patroni is not installed' } : { programs };
}

/**
 * `rate`: the requests per second that are aimed for; a machine with few processors manages fewer.
 * `patience`: recovery may take this many times as long as it should, for when other tests run at
 * the same time.
 */
type Options = { rate: number; patience: number };

/**
 * Two servers of two workers each, on three PostgreSQL servers under Patroni, behind HAProxy, under
 * constant load. The primary is killed, cut off and paused, and a clock steps. What all clients saw
 * is judged as one history.
 */
export const clusterWith =
  (options: Options): Part =>
  async ({ goesOn }) => {
    const found = await findCluster();
    if ('missing' in found) {
      console.log(`cluster: skipped, because ${found.missing}.`);
      return { figures: { skipped: 1 }, failures: [] };
    }
    const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-cluster-'));
    try {
      return await runWorld(folder, found.programs, options, goesOn);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

/**
 * Everything ends together with the first process of the world, and nothing of its network and
 * files remains.
 */
async function runWorld(
  folder: string,
  programs: string,
  { rate, patience }: Options,
  goesOn: (round: number) => boolean,
): Promise<Outcome> {
  const world = resolve(import.meta.dirname, 'world.ts');
  const options = [
    `--folder=${folder}`,
    `--programs=${programs}`,
    `--rate=${rate}`,
    `--patience=${patience}`,
  ];
  // The shell is the first process of the world, which has to reap orphans.
  const script =
    'mount -t tmpfs tmpfs "$1" && mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && shift && "$@"; exit $?';
  const own = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const command = ['sh', '-c', script, 'world', folder, process.execPath, world, ...options];
  const child = spawn('unshare', [...own, ...command], { stdio: ['pipe', 'pipe', 'inherit'] });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let last = '';
  let round = 0;
  child.stdin.on('error', () => {});
  child.stdin.write('go\n');
  for await (const line of createInterface(child.stdout)) {
    last = line;
    if (line !== 'round') continue;
    round += 1;
    child.stdin.write(goesOn(round) ? 'go\n' : 'end\n');
  }
  process.removeListener('exit', end);
  if (!last.startsWith('{')) throw new Error(`The cluster ended with: ${last}`);
  return JSON.parse(last);
}
