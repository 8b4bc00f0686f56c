import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import pg from 'pg';
import { kindOf } from './connection.ts';

/** A database that could not be made; the message is for the operator. */
class ScratchError extends Error {}

/**
 * Runs work on an empty database of the same kind as another one, and removes it. On PostgreSQL it is
 * beside the other one, so the user must be one that may make databases.
 * @param folder for a file
 * @throws ScratchError
 */
export async function withScratchDatabase<T>(
  databaseUrl: string,
  folder: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (kindOf(databaseUrl) === 'sqlite') return work(`file:${resolve(folder, 'copy.db')}`);
  const name = `gatehouse_rehearsal_${randomUUID().replaceAll('-', '')}`;
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
