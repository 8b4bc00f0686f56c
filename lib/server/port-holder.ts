import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename } from 'node:path';

/** Such as "node (process 4711)"; null if unknown. Only Linux reveals it. */
function holderOf(port: number): string | null {
  try {
    const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listening(table, port)));
    const holder = readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && holds(pid, sockets));
    return holder ? described(holder) : null;
  } catch {
    return null;
  }
}

/** The inodes of the sockets that listen on a port: column ten of the rows in state 0A. */
function listening(table: string, port: number): string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local?.endsWith(end))
    .flatMap((cells) => cells[9] ?? []);
}

function holds(pid: string, sockets: Set<string>): boolean {
  try {
    const files = readdirSync(`/proc/${pid}/fd`);
    return files.some((file) => sockets.has(inodeOf(`/proc/${pid}/fd/${file}`)));
  } catch {
    // Another user's process, or one that has ended.
    return false;
  }
}

function inodeOf(file: string): string {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(file))?.[1] ?? '';
  } catch {
    return '';
  }
}

/** The program's command line is left out, because it may contain a secret. */
function described(pid: string): string {
  const name = basename(readlinkSync(`/proc/${pid}/exe`));
  const here = readlinkSync(`/proc/${pid}/cwd`) === process.cwd();
  return `${name} (process ${pid}${here ? ', started in this folder: perhaps Gatehouse runs already' : ''})`;
}

/** What to tell the operator if another program has the port, and which port to use instead. */
export async function portTaken(port: number, host: string): Promise<string> {
  const holder = holderOf(port);
  const free = await freePortAfter(port, host).catch(() => null);
  const other = free ? `set another one: PORT=${free}` : 'set PORT to another one.';
  const by = holder ? ` by ${holder}` : '';
  return `Port ${port} of ${host} is taken${by}. Stop that program, or ${other}`;
}

/** The first of the next twenty ports that is free now; null if none is. */
async function freePortAfter(port: number, host: string): Promise<number | null> {
  for (let next = port + 1; next <= Math.min(port + 20, 65_535); next++)
    if (await isFree(next, host)) return next;
  return null;
}

/**
 * Whether a server could listen there now.
 * @throws Error as `listen` does, for any other reason than a taken port
 */
export function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
