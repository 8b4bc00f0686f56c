import type { Command } from 'commander';
import type { z } from 'zod';
import { type Act, actingAs, perform } from '../management/act.ts';
import { type Answer, answering, cli, printed } from './answer.ts';
import { callRemote, type Remote, remoteServer } from './remote.ts';

/*
 * A command that is made of acts runs on this machine, in the database of the server, or by the API of
 * a server elsewhere.
 */

/** Runs an act for a command: whoever runs commands on the machine of the server may do everything. */
export async function performHere<Takes extends z.ZodType, Tells extends z.ZodType>(
  definition: Act<Takes, Tells>,
  said: z.input<Takes>,
  seen?: string,
): Promise<z.output<Tells>> {
  const remote = remoteServer();
  if (remote) return performThere(definition, said as Said, remote) as Promise<z.output<Tells>>;
  const by = { ...actingAs('admin', cli), now: new Date(), seen, demandFresh: () => {} };
  return perform(definition, said, by);
}

type Said = Record<string, unknown>;

// Late: only a call of another server needs the table of addresses.
const table = async () => (await import('../endpoints/api/operations.ts')).operations;

async function performThere(definition: unknown, said: Said, remote: Remote): Promise<unknown> {
  const operation = (await table()).find(({ act }) => act === definition);
  if (!operation) throw new Error('This is done on the machine of the server alone.');
  const { method, template } = operation;
  const rest = { ...said };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(said[name]));
  });
  return callRemote({ method, path, said: rest }, remote);
}

/** Turns a command that is made of acts into its action. */
export function actingBy<A extends unknown[]>(
  work: (...args: A) => Promise<Answer>,
): (this: Command, ...args: A) => Promise<void> {
  return function (this: Command, ...args: A) {
    return (remoteServer() ? printed(work) : answering(work)).apply(this, args);
  };
}

/** Finds the id of what was typed: here by a look-up of its own, elsewhere in what the API lists. */
export const finding =
  (noun: string, here: (typed: string) => Promise<string>) =>
  async (typed: string): Promise<string> => {
    const remote = remoteServer();
    return remote ? idThere(noun, typed, remote) : here(typed);
  };

const names = ['id', 'name', 'username', 'email'];

async function idThere(noun: string, typed: string, remote: Remote): Promise<string> {
  const list = (await table()).find(({ id }) => id === `${noun.replaceAll('-', '_')}_list`);
  if (!list) return typed;
  const said = 'q' in (list.act.takes as z.ZodObject).shape ? { q: typed } : {};
  const told = await callRemote({ method: 'GET', path: list.template, said }, remote);
  const rows = Object.values(told as object).find(Array.isArray) as Said[] | undefined;
  const wanted = typed.trim().toLowerCase();
  const found = rows?.filter((row) =>
    names.some((name) => String(row[name] ?? '').toLowerCase() === wanted),
  );
  // What it is not called by may be its id.
  return found?.length === 1 ? String(found[0]?.id) : typed;
}
