import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { haveDebianPackages } from './debian-packages.ts';
import { freePort } from './free-port.ts';
import { runPooler } from './pooler-process.ts';

/** To use a version other than Debian's: PGBOUNCER=/path/to/pgbouncer npm test -- store/pooler */
const program = process.env.PGBOUNCER ?? '/usr/sbin/pgbouncer';

/** Whether pgbouncer is installed. If it is missing, it is installed first. */
export const havePgbouncer = async () =>
  process.env.PGBOUNCER !== undefined || haveDebianPackages('pgbouncer');

export type Pgbouncer = { url: string; stop: () => Promise<void> };

/** Runs pgbouncer in front of a database, with these lines in its configuration. */
export async function startPgbouncer(databaseUrl: string, lines: string[]): Promise<Pgbouncer> {
  const { hostname, port: behind, pathname } = new URL(databaseUrl);
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-pgbouncer-'));
  const file = resolve(folder, 'pgbouncer.ini');
  const port = await freePort();
  const database = `* = host=${hostname} port=${behind} user=postgres`;
  const listen = ['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='];
  const own = ['[databases]', database, '[pgbouncer]', ...listen, 'auth_type = any', ...lines];
  writeFileSync(file, `${own.join('\n')}\n`);
  // It refuses to run as root.
  chmodSync(folder, 0o755);
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const stop = await runPooler(program, [...user, file], folder, {
    up: 'process up',
    endsBy: 'SIGTERM',
  });
  return { url: `postgresql://postgres@127.0.0.1:${port}${pathname}`, stop };
}
