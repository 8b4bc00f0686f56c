import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { dataFolderOf } from '../settings/data-folder.ts';
import { serverPrograms } from './programs.ts';

/**
 * The file in which the first process of a server records its process id; all signals go to that
 * process.
 */
const pidFileIn = (dataFolder: string): string => resolve(dataFolder, 'gatehouse.pid');

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
  try {
    const other = claim(file);
    if (other !== null) {
      setTimeout(() => keepPidFile(dataFolder), patience).unref();
      return other;
    }
  } catch {
    return null;
  }
  process.once('exit', () => {
    if (numberIn(file) === process.pid) rmSync(file, { force: true });
  });
  return null;
}

/**
 * Makes the file name this process, unless it names another running server, which is returned. Of
 * several that start at once one gets it: it appears whole, and only where there is none.
 * @throws the errors of the file system
 */
function claim(file: string): number | null {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${process.pid}\n`, { mode: 0o600 });
  try {
    for (;;) {
      if (appears(own, file)) return null;
      const other = serverNamedIn(file);
      if (other === process.pid) return null;
      if (other !== null) return other;
      takeAway(file, `${own}.old`);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Whether a file could be given this name, which another may have. */
function appears(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // A file system without links.
    renameSync(file, name);
    return true;
  }
}

/** Removes the file of a server that has ended. One that another has put there meanwhile returns. */
function takeAway(file: string, aside: string): void {
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (serverNamedIn(aside) !== null) appears(aside, file);
  rmSync(aside, { force: true });
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
