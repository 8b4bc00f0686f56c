import { read, readOne } from './engine/database.ts';

/**
 * The most expensive hash of our own bcrypt: the index sorts by cost first. If there is none, a
 * hash of another scheme, or null.
 */
export async function findDearestPassword(): Promise<string | null> {
  const row = await readOne<{ dearest: string | null }>(
    'SELECT MAX(password_hash) AS dearest FROM users',
    {},
  );
  return row?.dearest ?? null;
}

/** All hashes of other schemes sort below this. The index contains only their beginnings. */
const isOther = "password_hash < 'i'";
const beginning = 'substr(password_hash, 1, 40)';
/**
 * The beginnings of the hashes of other schemes, each once. It takes one step in the index for
 * each, however many people there are.
 */
export async function findKindsOfPasswords(): Promise<string[]> {
  const next = `SELECT ${beginning} FROM users WHERE ${isOther} AND ${beginning} > kinds.work
    ORDER BY ${beginning} LIMIT 1`;
  const sql = `WITH RECURSIVE kinds(work) AS (
    SELECT '' UNION ALL SELECT (${next}) FROM kinds WHERE work IS NOT NULL
  ) SELECT work FROM kinds WHERE work > ''`;
  return (await read<{ work: string }>(sql, {})).map(({ work }) => work);
}
