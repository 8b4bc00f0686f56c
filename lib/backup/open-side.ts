import { openPostgresSide } from './postgres-side.ts';
import type { Side, Use } from './side.ts';
import { openSqliteSide } from './sqlite-side.ts';

/**
 * Runs work on one side and closes it. Without a commit, nothing in the database has changed.
 * @param databaseUrl `file:` and an absolute path, or a PostgreSQL address
 */
export async function onSide<T>(
  databaseUrl: string,
  use: Use,
  work: (side: Side) => Promise<T>,
): Promise<T> {
  const side = databaseUrl.startsWith('file:')
    ? openSqliteSide(databaseUrl.slice('file:'.length), use)
    : await openPostgresSide(databaseUrl, use);
  try {
    return await work(side);
  } finally {
    await side.close();
  }
}
