// Plain JavaScript for Node 20: this runs before anything is installed.
import { spawn } from 'node:child_process';
import nodeModule from 'node:module';
import { constants } from 'node:os';
import { resolve as resolvePath } from 'node:path';
import { showProgress } from './progress.mjs';
import { root } from './stamp.mjs';

/** Where Node.js keeps compiled code for later starts. */
export const compileCache = resolvePath(root, '.next/cache/compile');

/** An error whose message tells the reader what to do; shown without a stack. */
export class SetupError extends Error {}

/**
 * Advice on a project file or folder that can't be used; null for any other failure.
 * @param {unknown} error
 */
export function fileFailure(error) {
  const { code = '', path } = /** @type {NodeJS.ErrnoException} */ (error);
  if (!path || !/^(EACCES|EPERM|EROFS|ENOSPC|ENOTDIR|EISDIR|EEXIST)$/.test(code)) return null;
  return `${path} cannot be written (${code}). Give the user that runs this command the right to write the folder ${root}, and look for space on the disk.`;
}

/**
 * Runs a program in place of this one: it shares the terminal and receives the signals sent here.
 * The exit status is returned as a shell reports it (128 + signal). With `hear`, the output goes
 * there instead.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @param {(chunk: Buffer) => void} [hear]
 */
export function runChild(command, args, env, hear) {
  const { child, ended } = begin(command, args, {
    cwd: root,
    stdio: hear ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, ...env },
  });
  if (hear) for (const stream of [child.stdout, child.stderr]) stream?.on('data', hear);
  return ended;
}

/**
 * Ends this program and continues as another one in the same process, which so needs the memory of
 * one. Where Node.js or the system cannot do that, it is run as `runChild` does.
 * @param {string} command absolute
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<number>} the exit status, where this program had to go on
 */
export async function become(command, args, env) {
  if (!process.execve || process.platform === 'win32') return runChild(command, args, env);
  nodeModule.flushCompileCache?.();
  process.chdir(root);
  return process.execve(command, [command, ...args], { ...process.env, ...env });
}

/**
 * Runs one step of the set-up. Its output is shown only if it fails, with advice on what to do.
 * @param {{ title: string, place?: string, takes?: string, advice: string, command: string, args: string[], env?: Record<string, string> }} step
 * `place`: which step of how many; `takes`: how long it takes, if that is long
 */
export async function runStep({ title, place = '', takes, advice, command, args, env }) {
  const progress = showProgress(place + title + (takes ? ` (${takes})` : ''));
  const { child, ended } = begin(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  /** @type {Buffer[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => output.push(chunk));
  const code = await ended;
  progress.end(code === 0 ? 'done' : 'failed');
  if (code > 128) process.exit(code);
  if (code !== 0)
    throw new SetupError(
      `${Buffer.concat(output).toString().trimEnd()}\n\n"${title}" failed. ${advice}`,
    );
}

/**
 * Starts a program and forwards to it the signals sent here. The signal handlers are installed
 * before it starts; otherwise a signal arriving in between would end only this process.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {{ child: import('node:child_process').ChildProcess, ended: Promise<number> }}
 */
function begin(command, args, options) {
  const signals = /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']);
  const forward = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  const child = spawn(command, args, options);
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
  return { child, ended };
}
