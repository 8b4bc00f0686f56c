import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { haveDebianPackages } from './debian-packages.ts';
import { freePort } from './free-port.ts';
import { runPooler } from './pooler-process.ts';

/** Whether pgpool is installed. If it is missing, it is installed first. */
export const havePgpool = () => haveDebianPackages('pgpool2');

type Pgpool = { url: string; stop: () => Promise<void> };

/**
 * Runs pgpool in front of several servers, the primary first.
 * @param databaseUrls the same database on each server
 * @param settings further lines of its configuration
 */
export async function startPgpool(databaseUrls: string[], settings: string[]): Promise<Pgpool> {
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-pgpool-'));
  const [first = ''] = databaseUrls;
  const port = await freePort();
  const control = await freePort();
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
  // The user that its Debian package runs it as.
  const user =
    process.getuid?.() === 0
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
      : [];
  const [command = '', ...args] = [...user, '/usr/sbin/pgpool', '-n', '-f', file];
  const stop = await runPooler(command, args, folder, {
    up: 'pgpool-II successfully started',
    endsBy: 'SIGINT',
  });
  return { url: `postgresql://postgres@127.0.0.1:${port}${new URL(first).pathname}`, stop };
}
