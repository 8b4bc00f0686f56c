import { digest } from '../oauth/secrets.ts';
import { database, write } from './engine/database.ts';

/**
 * Makes changes to one thing, each based on the version its author has seen, run one after the
 * other on all servers, until the transaction ends that this is called in. They lock a row with the
 * thing's name, which cleaning removes later. SQLite has one writer anyway.
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
