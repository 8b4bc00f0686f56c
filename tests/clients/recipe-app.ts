import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClient } from '#lib/management/client/clients.ts';
import { judgeAnswers } from '#lib/recipes/answers.ts';
import { clientOf, fillRecipe } from '#lib/recipes/fill.ts';
import { findRecipe } from '#lib/recipes/list.ts';
import { actor } from '../management/people.ts';

const root = resolve(import.meta.dirname, '../..');

/** What a person has after following a recipe up to the texts to paste. */
type Connected = {
  clientId: string;
  clientSecret: string | null;
  redirectUris: readonly string[];
  /** The text with this title. */
  text: (title: string) => string;
  /** A new folder with every text that is a file, in which this project's packages are found. */
  folder: string;
};

/**
 * Follows a recipe as the dashboard does: checks the answers, creates the client, and fills in the
 * texts.
 */
export async function followRecipe(
  issuer: string,
  id: string,
  typed: Record<string, string> = {},
): Promise<Connected> {
  const recipe = findRecipe(id);
  if (!recipe) throw new Error(`There is no recipe ${id}.`);
  const { answers, faults } = judgeAnswers(recipe, typed);
  if (!answers) throw new Error(JSON.stringify(faults));
  const asked = clientOf(recipe, answers);
  const { client, secret } = await createClient({ ...asked, name: recipe.name }, actor, new Date());
  const credentials = { issuer, clientId: client.id, clientSecret: secret };
  const blocks = fillRecipe(recipe, answers, credentials);
  const text = (title: string) => {
    const found = blocks.find((block) => block.title === title);
    if (!found) throw new Error(`${id} has no text ${title}.`);
    return found.text;
  };
  const folder = newFolder(id);
  for (const block of blocks)
    if (/^[^ ]*\.[\w.]+$/.test(block.title)) write(folder, block.title, block.text);
  return {
    clientId: client.id,
    clientSecret: secret,
    redirectUris: client.redirectUris,
    text,
    folder,
  };
}

/** A new folder, in which this project's packages are found. */
export function newFolder(name: string): string {
  const parent = resolve(root, 'test-results');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(resolve(parent, `${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file below a folder. */
export function write(folder: string, name: string, text: string): void {
  mkdirSync(dirname(resolve(folder, name)), { recursive: true });
  writeFileSync(resolve(folder, name), text);
}

/** Starts an app in its folder; it ends with the test, together with every process it started. */
export function start(
  folder: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
): ChildProcess & { complaints: () => string } {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  onTestFinished(() => end(child));
  return Object.assign(child, { complaints: () => complaints.join('') });
}

/** Ends a process and every process it started. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

/** Waits until the app listens. @throws Error with its complaints if it ends instead */
export async function listening(port: number, child: ReturnType<typeof start>): Promise<void> {
  while (!(await isOpen(port))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The app ended: ${child.complaints()}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, 'localhost');
  const open = await new Promise<boolean>((answer) => {
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
  socket.destroy();
  return open;
}
