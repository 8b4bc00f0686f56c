import { beforeAll, expect, test } from 'vitest';
import { database, read, write } from '#lib/store/engine/database.ts';
import { memberList } from '#lib/store/member-list.ts';
import { onDatabase } from '../support/on-each-database.ts';

const members = 20_000;
/**
 * With this many groups the average group is small. A plan for the average would look up each
 * member separately, four times.
 */
const groups = 2000;
const numbered = (rows: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`;

onDatabase('postgresql', () => {
  beforeAll(async () => {
    await write(
      `INSERT INTO users (id, username, username_key, email, email_key, claims, is_admin, epoch, created_at, updated_at)
        ${numbered(members)} SELECT 'u' || i, 'p' || i, 'p' || i, 'p' || i || '@example.org', 'p' || i || '@example.org',
          '{}', FALSE, 0, now(), now() FROM n`,
      [],
    );
    await write(
      `INSERT INTO user_groups (id, name, name_key, created_at, updated_at)
        ${numbered(groups)} SELECT 'g' || i, 'g' || i, 'g' || i, now(), now() FROM n`,
      [],
    );
    await write(
      `INSERT INTO group_members (group_id, user_id, created_at)
        ${numbered(members)} SELECT 'g1', 'u' || i, now() FROM n`,
      [],
    );
    await write(
      `INSERT INTO group_members (group_id, user_id, created_at)
        ${numbered(groups - 1)} SELECT 'g' || (i + 1), 'u' || i, now() FROM n`,
      [],
    );
    await write('ANALYZE', []);
  });

  test('a search in a large group keeps a query plan for that group, also when repeated', async () => {
    const filter = { groupId: 'g1', search: 'p' };
    for (let times = 1; times <= 8; times += 1) {
      const before = await entriesRead();
      expect((await memberList.page(filter)).rows).toHaveLength(50);
      expect((await memberList.count(filter)).count).toBeGreaterThanOrEqual(500);
      expect(await entriesRead(), `the time ${times}`).toBeLessThan(before + 5 * members);
    }
  });
});

/**
 * The number of entries read so far, by this connection: index entries of people and members, and
 * rows that were read without an index. Successive statements share one connection, which knows
 * what the earlier ones read.
 */
async function entriesRead(): Promise<number> {
  expect(database().kind).toBe('postgresql');
  await read('SELECT pg_stat_force_next_flush()', {});
  const [row] = await read<{ entries: number }>(
    `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname IN ('users', 'group_members'))
       + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname IN ('users', 'group_members')) AS entries`,
    {},
  );
  return row?.entries ?? Number.NaN;
}
