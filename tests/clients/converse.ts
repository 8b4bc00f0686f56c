import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';

type Program = { command: string; args: readonly string[]; env: Readonly<Record<string, string>> };

/**
 * Runs a client to its end. It prints the address that a browser has to open, reads the one that
 * the browser came back to, and prints what it has learned as JSON. Without `browse` it only prints
 * that.
 */
export async function converse(
  { command, args, env }: Program,
  browse?: (url: string) => Promise<URL>,
): Promise<Record<string, unknown>> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  if (browse) {
    const asked = await lines.next();
    if (!asked.done) child.stdin.end(`${await browse(asked.value)}\n`);
  }
  const told = await lines.next();
  const [code] = await ended;
  expect(code, complaints.join('')).toBe(0);
  return JSON.parse(String(told.value)) as Record<string, unknown>;
}
