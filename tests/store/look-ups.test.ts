import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { database, inOneTransaction, read, write } from '#lib/store/engine/database.ts';
import { readHeld } from '#lib/store/engine/held.ts';
import { findGrant, widenGrantOf } from '#lib/store/grants.ts';
import { onDatabase, onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();

/** The number of reading statements that this work sends to PostgreSQL; null on SQLite. */
async function countReads(work: () => Promise<unknown>): Promise<number | null> {
  const db = database();
  if (db.kind === 'sqlite') {
    await work();
    return null;
  }
  const run = db.read.bind(db);
  let reads = 0;
  db.read = (...statement) => {
    reads += 1;
    return run(...statement);
  };
  await work().finally(() => Reflect.deleteProperty(db, 'read'));
  return reads;
}

onEachDatabase(() => {
  let clientId: string;
  const users: string[] = [];
  const scopes = ['profile', 'email'];

  /** Three users; all but the last have a grant for the client. */
  beforeAll(async () => {
    clientId = (await newClient()).id;
    for (let index = 0; index < 3; index += 1) {
      const userId = (await newUser()).id;
      users.push(userId);
      const given = { scopes: [scopes[index] ?? ''], remembered: [] };
      if (index < 2) await widenGrantOf({ userId, clientId }, null, given, now);
    }
  });

  const grantOf = (userId: string | undefined) => findGrant(userId ?? '', clientId);
  const lookUpAll = () =>
    Promise.all([...users, ...users, 'no ”such“ user', 'half \ud800'].map(grantOf));

  test('look-ups of one turn each get their own row, and share a statement on PostgreSQL', async () => {
    const alone = [];
    for (const userId of users) alone.push(await grantOf(userId));
    expect(alone.map((grant) => grant?.scopes[0])).toEqual([...scopes, undefined]);
    let found: unknown[] = [];
    const reads = await countReads(async () => {
      found = await lookUpAll();
    });
    expect(found).toEqual([...alone, ...alone, null, null]);
    expect([null, 1]).toContain(reads);
  });

  test('a look-up after a write sees it, also beside others', async () => {
    await lookUpAll();
    await write('DELETE FROM grants WHERE user_id = :userId', { userId: users[0] ?? '' });
    const [first, second] = await lookUpAll();
    expect([first, second?.scopes]).toEqual([null, ['email']]);
  });

  test('a look-up in a transaction, and right after it, sees what the transaction wrote', async () => {
    const seen = await inOneTransaction(async () => {
      await write('DELETE FROM grants WHERE user_id = :userId', { userId: users[1] ?? '' });
      return { keep: false, value: await Promise.all(users.map(grantOf)) };
    });
    expect(seen).toEqual([null, null, null]);
    expect((await grantOf(users[1]))?.scopes).toEqual(['email']);
    await inOneTransaction(async () => {
      await write('DELETE FROM grants WHERE user_id = :userId', { userId: users[1] ?? '' });
      return { keep: true, value: null };
    });
    expect(await grantOf(users[1])).toBeNull();
  });
});

onDatabase('postgresql', () => {
  test('the statement for many keys finds each by the index that serves one', async () => {
    const keys = Array.from({ length: 5 }, (_, index) => ({ userId: `${index}`, clientId: 'c' }));
    const sql = 'SELECT id FROM grants WHERE user_id = :userId AND client_id = :clientId';
    await Promise.all(keys.map((key) => readHeld(sql, key)));
    const prepared = await read<{ statement: string }>(
      `SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%json_to_recordset%'`,
      [],
    );
    const client = new pg.Client(process.env.DATABASE_URL);
    await client.connect();
    const { rows } = await client
      .query(`EXPLAIN (GENERIC_PLAN) ${prepared[0]?.statement}`)
      .finally(() => client.end());
    const plan = JSON.stringify(rows);
    expect(plan).toContain('Nested Loop');
    expect(plan).toContain('grants_user_id_client_id_key');
  });
});
