import { randomBytes } from 'node:crypto';
import { type Columns, readOne, write } from './engine/database.ts';

/**
 * The key that pairwise subjects are made with, 32 bytes in base64url. It is stored in the database
 * and made only once: another key would turn every user into a stranger at every app.
 */
export async function pairwiseKey(): Promise<string> {
  const there = await storedKey();
  if (there !== null) return there;
  const key = randomBytes(32).toString('base64url');
  await write('INSERT INTO pairwise_keys (id, key) VALUES (1, :key) ON CONFLICT DO NOTHING', {
    key,
  });
  // If two processes did this at the same time, one was first.
  return (await storedKey()) ?? key;
}

async function storedKey(): Promise<string | null> {
  const row = await readOne<Columns<'pairwise_keys', 'key'>>(
    'SELECT key FROM pairwise_keys WHERE id = 1',
    {},
  );
  return row?.key ?? null;
}
