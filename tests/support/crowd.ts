import { database, write } from '#lib/store/engine/database.ts';
import { namedGroup } from './groups.ts';
import { newUser } from './seed.ts';

/** SQL: a table `n` of the numbers from 1 in its column `i`. */
const numbers = (most: number) =>
  database().kind === 'sqlite'
    ? `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${most}) SELECT i FROM n)`
    : `(SELECT generate_series(1, ${most}) AS i)`;

/** The id of a person of a crowd. */
export const idInCrowd = (number: number): string =>
  `019000000000000000000000${String(number).padStart(8, '0')}`;

/**
 * Stores copies of one person: `crowd1` and so on. All are in one group, `everybody`, and each in as
 * many others as `groupsOfEach` says, of a hundred.
 */
export async function crowd(people: number, groupsOfEach: number): Promise<void> {
  const model = await newUser({ name: 'Model Person' });
  const columns = 'password_hash, is_admin, epoch, created_at, updated_at';
  await write(
    `INSERT INTO users (id, username, username_key, email, email_key, name, name_key, ${columns})
    SELECT '019000000000000000000000' || substr('0000000' || i, -8), 'crowd' || i, 'crowd' || i, 'crowd' || i || '@example.com', 'crowd' || i || '@example.com',
      'Crowd ' || i, 'crowd ' || i, ${columns} FROM users, ${numbers(people)} AS n WHERE users.id = :id`,
    { id: model.id },
  );
  const all = await namedGroup('everybody');
  const join = `INSERT INTO group_members (group_id, user_id, created_at)`;
  const of = `FROM users WHERE username_key LIKE 'crowd%'`;
  await write(`${join} SELECT :all, id, created_at ${of}`, { all });
  const groups = [];
  for (let group = 0; group < 100; group++) groups.push(await namedGroup(`group-${group}`));
  for (let nth = 0; nth < groupsOfEach; nth++)
    for (const [index, group] of groups.entries())
      await write(
        `${join} SELECT :group, id, created_at ${of} AND CAST(substr(username, 6) AS INTEGER) % 100 = :part`,
        { group, part: (index + 17 * nth) % 100 },
      );
}
