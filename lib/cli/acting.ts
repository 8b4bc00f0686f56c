import type { Command } from 'commander';
import type { z } from 'zod';
import { type Act, actingFreely, perform } from '../management/act.ts';
import { type Answer, answering, cli, printed } from './answer.ts';
import { callRemote, RefusedThere, type Remote, remoteServer } from './remote.ts';

/*
 * A command made of acts runs either on this machine, in the server's database, or on a server
 * elsewhere, through its API.
 */

/**
 * Runs an act for a command. Anyone who can run commands on the server's machine may do everything.
 */
export async function performHere<Takes extends z.ZodType, Tells extends z.ZodType>(
  definition: Act<Takes, Tells>,
  said: z.input<Takes>,
  seen?: string,
): Promise<z.output<Tells>> {
  const remote = remoteServer();
  if (remote) return performThere(definition, said as Said, remote) as Promise<z.output<Tells>>;
  const by = { ...actingFreely('admin', cli, new Date()), seen };
  return perform(definition, said, by);
}

type Said = Record<string, unknown>;

// Imported late, because only calls to another server need the table of addresses.
const table = async () => (await import('../endpoints/api/operations.ts')).operations;

async function performThere(definition: unknown, said: Said, remote: Remote): Promise<unknown> {
  const operation = (await table()).find(({ act }) => act === definition);
  if (!operation) throw new Error('This only works on the server’s own machine.');
  const { method, template } = operation;
  const rest = { ...said };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name];
    return pathPart(String(said[name]));
  });
  return callRemote({ method, path, said: rest }, remote);
}

/** The path segment for a value. @throws Error for a value that would lead to another address */
function pathPart(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new Error(`${JSON.stringify(value)} is no id.`);
  return encodeURIComponent(value);
}

/** Turns a command made of acts into its action. */
export function actingBy<A extends unknown[]>(
  work: (...args: A) => Promise<Answer>,
): (this: Command, ...args: A) => Promise<void> {
  return function (this: Command, ...args: A) {
    return (remoteServer() ? printed(work) : answering(work)).apply(this, args);
  };
}

/** Finds the id of what was typed: here by the given look-up, elsewhere in the lists of the API. */
export const finding =
  (noun: string, here: (typed: string) => Promise<string>) =>
  async (typed: string): Promise<string> => {
    const remote = remoteServer();
    return remote ? idThere(noun, typed, remote) : here(typed);
  };

/**
 * The unique names that people can type instead of an id. Names of people and apps are left out,
 * because they are freely chosen.
 */
const names: Partial<Record<string, readonly string[]>> = {
  user: ['username', 'email'],
  client: [],
};

/**
 * The id of what was typed. An exact id takes precedence over names.
 * @throws Error if several things have that name
 */
async function idThere(noun: string, typed: string, remote: Remote): Promise<string> {
  const operations = await table();
  const operation = (name: string) =>
    operations.find(({ id }) => id === `${noun.replaceAll('-', '_')}_${name}`);
  const list = operation('list');
  if (!list || (await isThere(operation('show')?.template, typed, remote))) return typed;
  const wanted = typed.trim().toLowerCase();
  const isCalledSo = (row: Said) =>
    (names[noun] ?? ['name', 'email']).some(
      (name) => String(row[name] ?? '').toLowerCase() === wanted,
    );
  const found = (await rowsThere(list, typed, remote)).filter(isCalledSo);
  if (found.length > 1) throw new Error(`Several are called ${JSON.stringify(typed)}: use the id.`);
  return found[0] ? String(found[0].id) : typed;
}

/** Whether there is something with this id. */
async function isThere(template: string | undefined, typed: string, remote: Remote) {
  if (template === undefined) return false;
  const path = template.replace(/\{\w+\}/, () => pathPart(typed));
  return callRemote({ method: 'GET', path, said: {} }, remote).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RefusedThere && [404, 422].includes(error.status)) return false;
      throw error;
    },
  );
}

async function rowsThere(
  { act, template }: { act: { takes: z.ZodType }; template: string },
  typed: string,
  remote: Remote,
): Promise<Said[]> {
  const said = 'q' in (act.takes as z.ZodObject).shape ? { q: typed } : {};
  const told = await callRemote({ method: 'GET', path: template, said }, remote);
  return (Object.values(told as object).find(Array.isArray) as Said[] | undefined) ?? [];
}
