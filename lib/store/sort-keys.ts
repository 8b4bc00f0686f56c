import { sortKey } from '../people/sort-key.ts';
import { read, write } from './engine/database.ts';

/**
 * Where a row stands in a list by name, as SQL: its sort key or, for a row that the previous release
 * stored, its plain name until the next start (an app stands first for some minutes: its name has
 * another collation on PostgreSQL). Indexes have these expressions.
 * @param as what the statement calls the table
 */
export const placeOf = {
  person: (as: string) => `coalesce(${as}.sort_key, ${as}.name_key, ${as}.username_key)`,
  group: (as: string) => `coalesce(${as}.sort_key, ${as}.name_key)`,
  client: (as: string) => `coalesce(${as}.sort_key, '')`,
};

/** The tables with sort keys, and the name that is shown for a row. */
const names = {
  users: "coalesce(nullif(name, ''), username)",
  user_groups: 'name',
  clients: 'name',
};

/** Fills in the sort keys of rows that were stored before these were kept. */
export async function fillSortKeys(): Promise<void> {
  for (const [table, name] of Object.entries(names)) await fillIn(table, name);
}

/** The same for apps, which the previous release may go on to store beside this one. */
export const fillSortKeysOfApps = (): Promise<void> => fillIn('clients', names.clients);

async function fillIn(table: string, name: string): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const rows: { id: string; name: string }[] = await read(
      `SELECT id, ${name} AS name FROM ${table} WHERE sort_key IS NULL AND id > :last ORDER BY id LIMIT 500`,
      { last },
    );
    // A row that was changed meanwhile already has one.
    for (const { id, name } of rows)
      await write(`UPDATE ${table} SET sort_key = :sortKey WHERE id = :id AND sort_key IS NULL`, {
        id,
        sortKey: sortKey(name),
      });
    last = rows.at(-1)?.id;
  }
}
