import { expect, test } from 'vitest';
import { completeUsernames } from '#lib/identity/usernames.ts';
import { actingAs, perform } from '#lib/management/act.ts';
import { moveIn, readArrivals } from '#lib/management/import/move.ts';
import { userActs } from '#lib/management/user/acts.ts';
import { sortKey } from '#lib/people/sort-key.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { findUserRecord, listUsersBy } from '#lib/store/user-list.ts';
import { actor, password, unique } from '../management/people.ts';
import { onDatabase, onEachDatabase } from '../support/on-each-database.ts';
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

onEachDatabase(() => {
  const by = { ...actingAs('admin', actor), now: new Date(), demandFresh: () => {} };
  const one = inOrder.flatMap(([first]) => first ?? []);
  const listed = async (direction: 'ascending' | 'descending') => {
    const pages = [1, 2, 3, 4].map((page) =>
      listUsersBy({}, { page, sort: { by: 'name', direction }, limit: 30 }),
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
});

onDatabase('sqlite', () => {
  test('the list of people by name is read along an index', async () => {
    const plan = await read<{ detail: string }>(
      'EXPLAIN QUERY PLAN SELECT name FROM users ORDER BY coalesce(sort_key, name_key, username_key), id LIMIT 50',
      {},
    );
    expect(plan.map(({ detail }) => detail)).toEqual(['SCAN users USING INDEX users_sort_key_idx']);
  });
});
