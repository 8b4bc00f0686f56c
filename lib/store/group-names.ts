import { type Columns, read } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import { normalKey } from './users.ts';

/** Those of these names that no group has, compared letter for letter. */
export async function unknownGroups(names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { marks, params } = inList('key', names.map(normalKey));
  const sql = `SELECT name FROM user_groups WHERE name_key IN (${marks})`;
  const rows = await read<Columns<'user_groups', 'name'>>(sql, params);
  const known = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}
