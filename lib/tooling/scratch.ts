import { randomUUID } from 'node:crypto';
import { basename, resolve } from 'node:path';
import pg from 'pg';
import { kindOf } from './connection.ts';

/** A database could not be created; the message is for the operator. */
class ScratchError extends Error {}

/**
 * The prefix of such a database's name; the rehearsed version recognises the database by it, too.
 */
const databasePrefix = 'gatehouse_rehearsal_';
const fileName = 'rehearsal-copy.db';

/** Whether a database was made to be thrown away. */
export const isScratch = (databaseUrl: string): boolean =>
  kindOf(databaseUrl) === 'sqlite'
    ? basename(databaseUrl) === fileName
    : new URL(databaseUrl).pathname.startsWith(`/${databasePrefix}`);

/**
 * Runs work on an empty database of the same kind as another one, then removes it. On PostgreSQL it
 * is created on the same server, so the user needs the right to create databases.
 * @param folder for a file
 * @throws ScratchError
 */
export async function withScratchDatabase<T>(
  databaseUrl: string,
  folder: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (kindOf(databaseUrl) === 'sqlite') return work(`file:${resolve(folder, fileName)}`);
  const name = `${databasePrefix}${randomUUID().replaceAll('-', '')}`;
  await onServer(databaseUrl, `CREATE DATABASE ${name}`).catch((cause: unknown) => {
    const { code, message } = cause as { code?: string; message: string };
    throw new ScratchError(
      code === '42501'
        ? 'The user in DATABASE_URL may not make databases, and the copy has to be in one. Let it (ALTER USER … CREATEDB), or call this with a DATABASE_URL whose user may.'
        : `A database for the copy could not be made: ${message}.`,
      { cause },
    );
  });
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  try {
    return await work(url.href);
  } finally {
    await onServer(databaseUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

async function onServer(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
