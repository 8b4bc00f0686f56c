import pg from 'pg';
import { expect, test } from 'vitest';
import { completeUsernames } from '#lib/identity/usernames.ts';
import { moveIn, readArrivals } from '#lib/import/move.ts';
import { Rounds } from '#lib/jobs.ts';
import { actingAs, perform } from '#lib/management/act.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { userActs } from '#lib/management/user/acts.ts';
import { byName, sortKey } from '#lib/people/sort-key.ts';
import { clientList } from '#lib/store/client-list.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { groupList } from '#lib/store/group-list.ts';
import { listUsableApps } from '#lib/store/usable-apps.ts';
import { matrixApps } from '#lib/store/usage-matrix.ts';
import { findUserRecord, userList } from '#lib/store/user-list.ts';
import { databases } from '#lib/tooling/schema.ts';
import { actor, password, unique } from '../management/people.ts';
import { onDatabase, onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';
import { linesWith } from './doors.ts';
import { inOrder } from './sorting.ts';

/** Letters and marks are compared, capitals and widths are not. */
const root = new Intl.Collator('en-u-co-standard', { sensitivity: 'accent' });
const names = inOrder.flat();
const inBytes = (one: string, other: string) =>
  Buffer.compare(Buffer.from(sortKey(one)), Buffer.from(sortKey(other)));

test('keys sort names as the root collation of CLDR does', () => {
  const wrong = names.flatMap((one) =>
    names
      .filter((other) => inBytes(one, other) !== root.compare(one, other))
      .map((other) => [one, other, root.compare(one, other)]),
  );
  expect(wrong).toEqual([]);
});

test('the table is in the order of the keys', () => {
  expect(names.toSorted(inBytes)).toEqual(names);
});

test.each([
  ['a name longer than anybody has', 'ﷺ'.repeat(10_000)],
  ['half a surrogate pair', 'Ada\ud83d'],
  ['NUL', 'Ada\0'],
])('a key is short and can be stored: %s', (_, name) => {
  const key = sortKey(name);
  expect(Buffer.byteLength(key)).toBeLessThan(2000);
  expect([key.isWellFormed(), key.includes('\0')]).toEqual([true, false]);
});

test('lists that are read whole are sorted by these keys', () => {
  const apis = names.toReversed().map((name) => ({ name }));
  expect(apis.toSorted(byName).map(({ name }) => sortKey(name))).toEqual(names.map(sortKey));
});

test('no list is sorted by a name in any other way', () => {
  // Words of our own, in the order of the reader's language.
  const words = 'app/admin/settings/api/keys-card.tsx';
  const comparing = linesWith(/\blocaleCompare\(|Intl\.Collator/).map((line) => line.split(':')[0]);
  expect(comparing.filter((file) => !file?.startsWith('lib/tooling/'))).toEqual([words]);
  const byPlainNames =
    /ORDER BY [^`']*(?<!_at(?: DESC)?, )\b(?:\w\.)?(?:name|name_key|username_key|label)\b/;
  // The order of locks, pages that programs read, and names that are identifiers.
  expect(linesWith(byPlainNames).map((line) => line.split(':')[0])).toEqual([
    'lib/store/grants.ts',
    'lib/store/ldap-people.ts',
    'lib/store/user-fields.ts',
  ]);
});

onEachDatabase(() => {
  const by = { ...actingAs('admin', actor), now: new Date(), demandFresh: () => {} };
  const one = inOrder.flatMap(([first]) => first ?? []);
  const listed = async (direction: 'ascending' | 'descending') => {
    const pages = [1, 2, 3, 4].map((page) =>
      userList.numbered({}, { page, sort: { by: 'name', direction }, limit: 30 }),
    );
    return (await Promise.all(pages)).flat().map(({ name, username }) => name ?? username);
  };

  test('people are listed by name in that order, however they came', async () => {
    const people = one.toReversed().map((name, index) => {
      const username = unique('sorted');
      return { username, email: `${username}@example.org`, name: index % 9 ? name : 'Somebody' };
    });
    const arrivals = readArrivals({ from: 'json', text: JSON.stringify({ people }) });
    const choices = { leaveOut: false, agreed: () => true };
    await moveIn(arrivals, 'json', choices, by);
    for (const [index, name] of one.toReversed().entries())
      if (index % 9 === 0) {
        const found = await findUserRecord(people[index]?.username ?? '');
        if (!found || found === 'several') throw new Error('Nobody came.');
        await perform(userActs.update, { id: found.id, name }, by);
      }
    expect(await listed('ascending')).toEqual(one);
    expect(await listed('descending')).toEqual(one.toReversed());
  });

  test('people stored by the previous release are listed, and get their place at a start', async () => {
    await write('UPDATE users SET sort_key = NULL', {});
    expect((await listed('ascending')).toSorted()).toEqual(one.toSorted());
    await completeUsernames();
    expect(await listed('ascending')).toEqual(one);
    expect(await read('SELECT id FROM users WHERE sort_key IS NULL', {})).toEqual([]);
  });

  test('a person without a name is listed by username, also after another is chosen', async () => {
    const username = unique('zz');
    const email = `${username}@example.org`;
    const { id } = await perform(userActs.create, { username, email, password }, by);
    const after = unique('adb');
    await perform(userActs.update, { id, username: after }, by);
    const names = await listed('ascending');
    expect([names.indexOf(after), names.length]).toEqual([one.indexOf('Adam') + 2, one.length + 1]);
  });

  type Cursor = { limit: number; cursor?: string };
  type Rows = { rows: { name: string }[]; next: string | null };
  const pageByPage = async (list: (paging: Cursor) => Promise<Rows>) => {
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Rows = await list({ limit: 7, ...(cursor && { cursor }) });
      found.push(...page.rows.map(({ name }) => name));
      cursor = page.next;
    }
    return found;
  };
  const byNumber = { page: 1, sort: { by: 'name', direction: 'ascending' }, limit: 200 } as const;
  const namesIn = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);

  test('groups, with the cursor as well', async () => {
    for (const name of one.toReversed()) await createGroup({ name }, actor, new Date());
    expect(await pageByPage((paging) => groupList.page({ sort: 'name', ...paging }))).toEqual(one);
    expect(namesIn(await groupList.numbered({}, byNumber))).toEqual(one);
    await write('UPDATE user_groups SET sort_key = NULL', {});
    expect(
      (await pageByPage((paging) => groupList.page({ sort: 'name', ...paging }))).toSorted(),
    ).toEqual(one.toSorted());
    await completeUsernames();
    expect(namesIn(await groupList.numbered({}, byNumber))).toEqual(one);
  });

  test('apps, with the cursor and as tiles as well', async () => {
    for (const name of one.toReversed()) await newClient({ name, homePage: 'https://a.example/' });
    const apps = (paging: Cursor) => clientList.page({ sort: 'name', ...paging });
    expect(await pageByPage(apps)).toEqual(one);
    expect(namesIn(await clientList.numbered({}, byNumber))).toEqual(one);
    expect(namesIn(await matrixApps.numbered({}, byNumber))).toEqual(one);
    const { id } = await newUser();
    const asked = { search: '', limit: 200, order: [] };
    expect(namesIn((await listUsableApps(id, asked)).rows)).toEqual(one);
    await write('UPDATE clients SET sort_key = NULL', {});
    expect((await pageByPage(apps)).toSorted()).toEqual(one.toSorted());
    await new Rounds('one that goes on beside the previous release').work(new Date());
    expect(await pageByPage(apps)).toEqual(one);
  });
});

const plans = {
  users: ['coalesce(sort_key, name_key, username_key), id', 'users_sort_key_idx'],
  user_groups: ['coalesce(sort_key, name_key), id', 'user_groups_sort_key_idx'],
  clients: ["coalesce(sort_key, ''), id", 'clients_sort_key_idx'],
} as const;

const planOf = {
  sqlite: (sql: string) => read(`EXPLAIN QUERY PLAN ${sql}`, {}),
  async postgresql(sql: string) {
    const client = new pg.Client(process.env.DATABASE_URL);
    await client.connect();
    // It reads a table of few rows as a whole, if it may.
    await client.query('SET enable_seqscan = off; SET enable_sort = off');
    return (await client.query(`EXPLAIN ${sql}`).finally(() => client.end())).rows;
  },
};

for (const database of databases)
  onDatabase(database, () => {
    test.each(Object.entries(plans))(
      'the list of %s by name is read along an index',
      async (table, [order, index]) => {
        const plan = await planOf[database](`SELECT name FROM ${table} ORDER BY ${order} LIMIT 50`);
        expect(JSON.stringify(plan)).toMatch(new RegExp(`Index.* ${index}`, 'i'));
        expect(JSON.stringify(plan)).not.toMatch(/sort\b(?!_key)|TEMP B-TREE/i);
      },
    );
  });
