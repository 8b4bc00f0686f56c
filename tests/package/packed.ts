import {
  type ChildProcess,
  execFileSync,
  type SpawnOptionsWithoutStdio,
  spawn,
} from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { root } from '#lib/tooling/stamp.mjs';

const running = new Set<ChildProcess>();

/**
 * The package of this checkout, as a folder in a place for everything that belongs to it. It is
 * made once for all files. With TEST_PACKAGE, the folder of one that is there is tested instead, such as
 * an archive that was unpacked.
 */
export const packed = newPackage();

function newPackage() {
  const place = mkdtempSync(resolve(tmpdir(), 'gatehouse-packed-'));
  const folder = resolve(place, 'gatehouse');
  process.once('exit', () => rmSync(place, { recursive: true, force: true }));
  return {
    place,
    folder,
    gatehouse: resolve(folder, 'gatehouse'),
    /** Makes the package, which takes half a minute. */
    make: () => {
      mkdirSync(place, { recursive: true });
      // Other users have to be able to read it, like a package that root has unpacked.
      chmodSync(place, 0o755);
      if (existsSync(folder)) return;
      const given = process.env.TEST_PACKAGE;
      if (given) return cpSync(given, folder, { recursive: true, verbatimSymlinks: true });
      const main = resolve(root, 'lib/package/main.ts');
      const args = ['--disable-warning=ExperimentalWarning', main, '--folder', folder];
      execFileSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'pipe'] });
    },
    /** Ends what a file left running; the package stays for the next file. */
    leave: () => {
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

export type Env = Record<string, string>;
export type User = { uid: number; gid: number };

/** A new home folder, and an environment for programs. */
export function newHome(): { home: string; env: Env & { PATH: string } } {
  const home = mkdtempSync(resolve(packed.place, 'home-'));
  return { home, env: { HOME: home, PATH: '/usr/bin:/bin', PORT: '0', STOP_DELAY: '0' } };
}

export function start(command: string, args: readonly string[], env: Env, user?: User) {
  const options: SpawnOptionsWithoutStdio = {
    env: env as NodeJS.ProcessEnv,
    cwd: '/',
    ...user,
  };
  const child = spawn(command, args, options);
  running.add(child.on('close', () => running.delete(child)));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child, printed: () => text };
}
type Started = ReturnType<typeof start>;

/** The address where it is ready. @throws Error with its output if it ends */
export async function addressOf({ child, printed }: Started): Promise<string> {
  const address = () => /is ready at (http:\/\/localhost:\d+)/.exec(printed())?.[1];
  const ended = once(child, 'close').then(() => Promise.reject(new Error(printed())));
  ended.catch(() => {});
  while (!address()) await Promise.race([once(child.stdout, 'data'), ended]);
  return address() ?? '';
}

/** Runs a command to its end. @returns its exit code, and what it printed */
export async function run(
  command: string,
  args: readonly string[],
  env: Env,
  user?: User,
): Promise<[code: unknown, printed: string]> {
  const ended = start(command, args, env, user);
  const [code] = await once(ended.child, 'close');
  return [code, ended.printed()];
}

/** Returns its exit code. */
export async function stop({ child }: Started): Promise<unknown> {
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  return (await ended)[0];
}
