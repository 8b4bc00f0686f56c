import { expect, test } from 'vitest';
import { openPostgres } from '#lib/store/engine/postgres.ts';
import { createDatabase, createEmptyDatabase } from '../support/database.ts';
import { openFrozenProxy } from '../support/frozen-proxy.ts';

const delay = 30;

test('opening a PostgreSQL connection takes two round trips before its first statement', async () => {
  const way = await openFrozenProxy(await createDatabase('postgresql'));
  const db = openPostgres(way.url, 4, { lock: 500, statement: 5000 });
  const ask = async () => {
    const before = way.roundTrips();
    await db.read('SELECT 1 AS one FROM revision', {});
    return way.roundTrips() - before;
  };
  // The first request finds out, once, whether there is a pooler.
  await ask();
  way.delay(delay);
  expect(await ask()).toBe(1);
  const sleeping = db.read('SELECT pg_sleep(3)', {});
  // One of these round trips is that of the sleeping statement.
  expect(await ask()).toBe(1 + 3);
  // It was given up. Each second, another connection checks whether it is over.
  await expect(sleeping).rejects.toThrow(/timeout/);
  expect(await ask()).toBe(3);
  way.delay(0);
  await db.close();
  await way.close();
});

test('lock and statement timeouts apply from the first statement on, also in an empty database', async () => {
  const db = openPostgres(await createEmptyDatabase('postgresql'), 1, {
    lock: 700,
    statement: 5000,
  });
  const sql =
    "SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement";
  expect(await db.read(sql, {})).toEqual([{ lock: '700ms', statement: '5s' }]);
  await db.close();
});
