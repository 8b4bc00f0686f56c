import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, expect } from 'vitest';

export type Ran = { code: number | null; stdout: string; stderr: string };

const root = resolve(import.meta.dirname, '../..');

/** Runs a program with this test's environment and, if given, something on its standard input. */
export function run(
  program: string,
  args: string[],
  { input = '', cwd = root } = {},
): Promise<Ran> {
  return new Promise((settle, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, INIT_CWD: undefined, NODE_ENV: 'production' },
    });
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
export const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command as it is, from a folder that is not the project's. */
export function cli(args: string[], input?: string): Promise<Ran> {
  return run(process.execPath, [resolve(root, 'lib/cli.ts'), ...args], { input, cwd: folder });
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
