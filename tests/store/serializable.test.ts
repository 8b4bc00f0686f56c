import { afterAll, beforeAll, expect, test } from 'vitest';
import { inOneTransaction, read, write, writeTogether } from '#lib/store/engine/database.ts';
import { createDatabase } from '../support/database.ts';
import { endWork, workOn } from '../support/work-on.ts';

/*
 * A PostgreSQL database that refuses what could not have happened one after another (40001). That
 * is what SERIALIZABLE does, and similar databases do it at lower levels too. The endpoints are
 * tested on one as well (`serializable-postgresql` in tests/vitest.config.ts).
 */
beforeAll(async () => workOn(await createDatabase('postgresql', 'serializable')));
afterAll(endWork);

const all = 'SELECT count(*) AS count FROM spent_values';
const count = async () => (await read<{ count: number }>(all, {}))[0]?.count;
const adding = (name: string) => ({
  sql: 'INSERT INTO spent_values (hash, expires_at) VALUES (:name, now())',
  params: { name },
});

test('conflicting transactions under SERIALIZABLE are repeated until all are done', async () => {
  const [level] = await read("SELECT current_setting('transaction_isolation') AS level", {});
  expect(level).toEqual({ level: 'serializable' });
  // Each reads what all the others write.
  const units = Array.from({ length: 8 }, (_, at) =>
    writeTogether({ sql: all, params: {} }, [adding(`unit ${at}`)]),
  );
  const works = Array.from({ length: 8 }, (_, at) =>
    inOneTransaction(async () => {
      await count();
      await writeTogether({ sql: all, params: {} }, [adding(`work ${at}`)]);
      return { keep: true, value: null };
    }),
  );
  await Promise.all([...units, ...works]);
  expect(await count()).toBe(16);
});

test('a transaction that conflicts at each attempt is rolled back, and the database counts as away', async () => {
  const refused = "DO $$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = '40001'; END $$";
  await expect(write(refused, {})).rejects.toMatchObject({ name: 'DatabaseAway' });
  const first = { sql: all, params: {} };
  const undone = writeTogether(first, [adding('undone'), { sql: refused, params: {} }]);
  await expect(undone).rejects.toMatchObject({ name: 'DatabaseAway' });
  expect(await read("SELECT 1 AS found FROM spent_values WHERE hash = 'undone'", {})).toEqual([]);
});
