import { digest } from '../oauth/secrets.ts';
import { database, write } from './engine/database.ts';

/**
 * Makes concurrent changes to one thing wait for each other, on every server, so that each can
 * check the version it is based on. The lock lasts until the transaction ends in which this is
 * called. It is a row with the thing's name, which cleaning removes later. SQLite has one writer
 * anyway.
 */
export async function lockChangesOf(thing: string, now: Date): Promise<void> {
  if (database().kind === 'sqlite') return;
  const sql = `INSERT INTO spent_values (hash, expires_at) VALUES (:hash, :expiresAt)
    ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at`;
  await write(sql, {
    hash: digest(`changes of ${thing}`),
    expiresAt: new Date(now.getTime() + 60_000),
  });
}
