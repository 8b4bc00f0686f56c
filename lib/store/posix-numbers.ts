import { isTaken, read, writeTogether } from './engine/database.ts';
import { inList } from './engine/parameters.ts';

/** Below are the numbers that machines give to accounts of their own. */
const lowest = 200_000;

/*
 * The numbers of people and groups on machines (uidNumber, gidNumber). Files belong to numbers, so
 * one is never given again: it stays when its person or group is deleted.
 */

type Numbered = { id: string; number: number | null };

/** The numbers of these people or groups, by their ids. Who has none yet is given the next one. */
export async function numbersOf(rows: readonly Numbered[]): Promise<ReadonlyMap<string, number>> {
  const missing = rows.filter(({ number }) => number === null).map(({ id }) => id);
  for (let tries = 0; ; tries++) {
    const given = await readNumbers(missing);
    const [first, ...others] = missing.filter((id) => !given.has(id)).map(giving);
    if (!first)
      return new Map(rows.map(({ id, number }) => [id, number ?? given.get(id) ?? 0] as const));
    // Another server can give the same number at the same moment.
    await writeTogether(first, others).catch((error: unknown) => {
      if (!isTaken(error) || tries > 5) throw error;
    });
  }
}

async function readNumbers(ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const { marks, params } = inList('id', ids);
  const sql = `SELECT subject, number FROM posix_numbers WHERE subject IN (${marks})`;
  const rows = await read<{ subject: string; number: number }>(sql, params);
  return new Map(rows.map(({ subject, number }) => [subject, number]));
}

const giving = (subject: string) => ({
  sql: `INSERT INTO posix_numbers (subject, number)
    SELECT :subject, COALESCE(MAX(number), ${lowest - 1}) + 1 FROM posix_numbers WHERE true
    ON CONFLICT (subject) DO NOTHING RETURNING subject`,
  params: { subject },
});
