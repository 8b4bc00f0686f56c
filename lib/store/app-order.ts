import { type Columns, read, write } from './engine/database.ts';

/** The ids of clients in the order that a person gave their apps; empty: ordered by use. */
export async function readAppOrder(userId: string): Promise<string[]> {
  const [row] = await read<Columns<'users', 'appOrder'>>(
    'SELECT app_order FROM users WHERE id = :userId',
    { userId },
  );
  return (row?.appOrder ?? '').split(' ').filter(Boolean);
}

/** Gives a person's apps this order; an empty one means that they are ordered by use. */
export async function storeAppOrder(userId: string, clientIds: readonly string[]): Promise<void> {
  await write('UPDATE users SET app_order = :order WHERE id = :userId', {
    userId,
    order: clientIds.join(' ') || null,
  });
}
