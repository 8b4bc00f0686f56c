import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { haveDebianPackages } from './debian-packages.ts';
import { freePort } from './server.ts';

/** Whether pgbouncer is installed, if need be by this call. */
export const havePgbouncer = () => haveDebianPackages('pgbouncer');

export type Pgbouncer = { url: string; stop: () => Promise<void> };

/** Runs pgbouncer in front of a database, with these lines in its configuration. */
export async function startPgbouncer(databaseUrl: string, lines: string[]): Promise<Pgbouncer> {
  const { hostname, port: behind, pathname } = new URL(databaseUrl);
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-pgbouncer-'));
  const [file, port] = [resolve(folder, 'pgbouncer.ini'), await freePort()];
  const database = `* = host=${hostname} port=${behind} user=postgres`;
  const listen = ['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='];
  const own = ['[databases]', database, '[pgbouncer]', ...listen, 'auth_type = any', ...lines];
  writeFileSync(file, `${own.join('\n')}\n`);
  // It refuses to run as root.
  chmodSync(folder, 0o755);
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn('/usr/sbin/pgbouncer', [...user, file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = () => child.kill('SIGINT');
  process.once('exit', end);
  await isUp(createInterface(child.stderr));
  return {
    url: `postgresql://postgres@127.0.0.1:${port}${pathname}`,
    stop: async () => {
      process.removeListener('exit', end);
      const gone = child.exitCode === null && once(child, 'exit');
      child.kill('SIGTERM');
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
    if (line.includes('process up')) return;
  }
  throw new Error(`pgbouncer does not start: ${said.join('\n')}`);
}
