import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { dataFolderOf } from '../settings/data-folder.ts';
import { serverPrograms } from './programs.ts';

/**
 * The file in which the first process of a server records its process id; all signals go to that
 * process.
 */
const pidFileIn = (dataFolder: string): string => resolve(dataFolder, 'gatehouse.pid');

/** The pid file of the server that this environment configures. */
export const ownPidFile = () => pidFileIn(dataFolderOf(process.env, process.cwd()));

/** Keeps a pid file until this process ends. If the folder is not writable, there is no file. */
export function keepPidFile(dataFolder: string): void {
  const file = pidFileIn(dataFolder);
  try {
    writeFileSync(file, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    return;
  }
  process.once('exit', () => {
    // Another server may have been started beside this one.
    if (numberIn(file) === process.pid) rmSync(file, { force: true });
  });
}

/** Returns the process that a pid file names, if it is a running server. */
export function serverNamedIn(file: string): number | null {
  const pid = numberIn(file);
  return pid !== null && lives(pid) && isServer(pid) ? pid : null;
}

function numberIn(file: string): number | null {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Once a process is killed, its id can be given to another one. */
function isServer(pid: number): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return serverPrograms.some((program) => command.includes(program));
  } catch {
    return false;
  }
}
