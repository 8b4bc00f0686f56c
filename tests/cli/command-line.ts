import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { everything } from '../lanes.ts';
import { newFolder } from '../support/database.ts';
import { type Ran, StandingProgram } from './standing.ts';

const root = resolve(import.meta.dirname, '../..');

/** What a program is told that this test starts. */
const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ...{ INIT_CWD: undefined, NODE_ENV: 'production' },
});

/** Runs a program with this test's environment and, if given, something on its standard input. */
export function run(
  program: string,
  args: string[],
  { input = '', cwd = root, env = environment() } = {},
): Promise<Ran> {
  return new Promise((settle, reject) => {
    const child = spawn(program, args, { cwd, env });
    const ran: Ran = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      ran.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      ran.stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => settle({ ...ran, code }));
    child.stdin.end(input);
  });
}

/** Where the commands are called from. */
export const folder = newFolder('cli');

/** Runs a command as a process of its own. */
export const inOwnProcess = (args: string[], input = '', env = environment()): Promise<Ran> =>
  run(process.execPath, [resolve(root, 'lib/cli.ts'), ...args], { input, cwd: folder, env });

/** Ends with this process. */
let standing: StandingProgram | undefined;

/**
 * Runs a command from a folder that is not the project's, in a program that runs one after the other; with `--all` in
 * a process of its own.
 * @param input what it is given to read, but for a file that is named `-`: that takes a process of its own
 */
export function cli(args: string[], input = '', env = environment()): Promise<Ran> {
  if (everything) return inOwnProcess(args, input, env);
  standing ??= new StandingProgram();
  return standing.run({ args, input, env: { ...env, INIT_CWD: folder } });
}

/** The one JSON object that a command prints. */
export async function json(args: string[], input?: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await cli([...args, '--json'], input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const object: unknown = JSON.parse(stdout);
  expect(object).toBeTypeOf('object');
  expect(Array.isArray(object)).toBe(false);
  return object as Record<string, unknown>;
}

/** The line of a command that must fail: exit code 1, one line on standard error, nothing on standard output. */
export async function failure(args: string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await cli(args, input);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr.trim();
}
