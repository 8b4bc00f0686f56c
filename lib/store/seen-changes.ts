import { digest } from '../oauth/secrets.ts';
import { database, write } from './engine/database.ts';

/**
 * Lets those who change one thing by the version that they have seen come one after the other, on every
 * server: until the transaction ends that this is called in. They meet at a row of its name, which
 * cleaning takes away. SQLite has one writer anyway.
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
