import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { haveDebianPackages } from './debian-packages.ts';
import { freePort } from './server.ts';

/** Whether pgpool is installed, if need be by this call. */
export const havePgpool = () => haveDebianPackages('pgpool2');

export type Pgpool = { url: string; stop: () => Promise<void> };

/**
 * Runs pgpool in front of servers, the primary first.
 * @param databaseUrls the same database, as each of them has it
 * @param settings further lines of its configuration
 */
export async function startPgpool(databaseUrls: string[], settings: string[]): Promise<Pgpool> {
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-pgpool-'));
  const [first = '', port, control] = [databaseUrls[0], await freePort(), await freePort()];
  const backends = databaseUrls.flatMap((url, index) => [
    `backend_hostname${index} = '${new URL(url).hostname}'`,
    `backend_port${index} = ${new URL(url).port}`,
    `backend_weight${index} = 1`,
  ]);
  const own = [
    "listen_addresses = '127.0.0.1'",
    `port = ${port}`,
    `pcp_port = ${control}`,
    ...['socket_dir', 'pcp_socket_dir', 'work_dir'].map((name) => `${name} = '${folder}'`),
    `pid_file_name = '${folder}/pgpool.pid'`,
    "backend_clustering_mode = 'streaming_replication'",
    "sr_check_user = 'postgres'",
    'num_init_children = 40',
    'enable_pool_hba = off',
  ];
  const file = resolve(folder, 'pgpool.conf');
  writeFileSync(file, `${[...own, ...backends, ...settings].join('\n')}\n`);
  chmodSync(folder, 0o777);
  // Its own user, as its package runs it.
  const user =
    process.getuid?.() === 0
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
      : [];
  const [command = '', ...args] = [...user, '/usr/sbin/pgpool', '-n', '-f', file];
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const end = () => child.kill('SIGINT');
  process.once('exit', end);
  await isUp(createInterface(child.stderr));
  child.stderr.resume();
  return {
    url: `postgresql://postgres@127.0.0.1:${port}${new URL(first).pathname}`,
    stop: async () => {
      process.removeListener('exit', end);
      const gone = child.exitCode === null && once(child, 'exit');
      child.kill('SIGINT');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @throws Error with what it said when it ends instead */
async function isUp(lines: AsyncIterable<string>): Promise<void> {
  const said: string[] = [];
  for await (const line of lines) {
    said.push(line);
    if (line.includes('pgpool-II successfully started')) return;
  }
  throw new Error(`pgpool does not start: ${said.join('\n')}`);
}
