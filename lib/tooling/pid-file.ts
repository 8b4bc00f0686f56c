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

/** Milliseconds after which a server looks whether the one that the file names has ended. */
const patience = 5000;

/**
 * Keeps a pid file until this process ends. If the folder is not writable, there is no file. A file
 * that names another running server stays its own until that has ended.
 * @returns the process of that server, or null
 */
export function keepPidFile(dataFolder: string): number | null {
  const file = pidFileIn(dataFolder);
  const other = serverNamedIn(file);
  if (other !== null && other !== process.pid) {
    setTimeout(() => keepPidFile(dataFolder), patience).unref();
    return other;
  }
  try {
    writeFileSync(file, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    return null;
  }
  process.once('exit', () => {
    if (numberIn(file) === process.pid) rmSync(file, { force: true });
  });
  return null;
}

/** Says that commands that signal a server signal another one; null if there is none. */
export const besideServer = (other: number | null): string | null =>
  other === null
    ? null
    : `Another server (process ${other}) runs on this data; gatehouse.pid and reload are for that one.`;

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
