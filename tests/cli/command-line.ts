import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { everything } from '../lanes.ts';
import { newFolder } from '../support/database.ts';
import { type Ran, StandingProgram } from './standing.ts';

const root = resolve(import.meta.dirname, '../..');

/** The environment of a program that a test starts. */
const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  INIT_CWD: undefined,
  NODE_ENV: 'production',
});

/** Runs a program with this test's environment and, if given, some standard input. */
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

/** The folder that commands are run from. */
export const folder = newFolder('cli');

/** Runs a command in a separate process. */
export const inOwnProcess = (args: string[], input = '', env = environment()): Promise<Ran> =>
  run(process.execPath, [resolve(root, 'lib/cli.ts'), ...args], { input, cwd: folder, env });

/** Ends with this process. */
let standing: StandingProgram | undefined;

/**
 * Runs a command from a folder outside the project, in a program that runs commands one after
 * another. With `--all`, every command has its own process.
 * @param input the standard input. To read it as the file `-`, a command needs its own process.
 */
export function cli(args: string[], input = '', env = environment()): Promise<Ran> {
  if (everything) return inOwnProcess(args, input, env);
  standing ??= new StandingProgram();
  return standing.run({ args, input, env: { ...env, INIT_CWD: folder } });
}

/** The JSON object that a command prints. */
export async function json(args: string[], input?: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await cli([...args, '--json'], input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const object: unknown = JSON.parse(stdout);
  expect(object).toBeTypeOf('object');
  expect(Array.isArray(object)).toBe(false);
  return object as Record<string, unknown>;
}

/**
 * The error line of a command that must fail: exit code 1, one line on standard error, nothing on
 * standard output.
 */
export async function failure(args: string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await cli(args, input);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr.trim();
}
