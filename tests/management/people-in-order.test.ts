import { expect, test } from 'vitest';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { exportPeople } from '#lib/management/user/people-export.ts';
import { listPeople } from '#lib/management/user/people-list.ts';
import { write } from '#lib/store/engine/database.ts';
import type { UserFilter, UserSort } from '#lib/store/user-list.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, newPerson, unique } from './people.ts';

const day = 24 * 3600_000;
const now = new Date();
const ago = (days: number) => new Date(now.getTime() - days * day);

/** Stores people by name, each created and last signed in the given numbers of days ago. */
async function made(word: string, people: readonly (readonly [string, number, number | null])[]) {
  for (const [name, since, last] of people) {
    const { id } = await newPerson({ name: `${name} ${word}` });
    const seen = last === null ? null : ago(last);
    await write('UPDATE users SET created_at = $2, last_sign_in_at = $3 WHERE id = $1', [
      id,
      ago(since),
      seen,
    ]);
  }
}

onEachDatabase(() => {
  const named = async (filter: UserFilter, by: UserSort = 'name', down = false, page = 1) => {
    const sort = { by, direction: down ? 'descending' : 'ascending' } as const;
    const { rows } = await listPeople(filter, now, { page, sort });
    return rows.map(({ name }) => name?.split(' ')[0]);
  };

  test('users are listed by name, creation or last sign-in; never having signed in counts as earliest', async () => {
    const word = unique('order');
    await made(word, [
      ['Bea', 9, null],
      ['abe', 9, 1],
      ['Cyd', 9, 5],
    ]);
    expect(await named({ search: word })).toEqual(['abe', 'Bea', 'Cyd']);
    expect(await named({ search: word }, 'name', true)).toEqual(['Cyd', 'Bea', 'abe']);
    expect(await named({ search: word }, 'signIn')).toEqual(['Bea', 'Cyd', 'abe']);
    expect(await named({ search: word }, 'signIn', true)).toEqual(['abe', 'Cyd', 'Bea']);
    expect(await named({ search: word }, 'created', true)).toEqual(['Cyd', 'abe', 'Bea']);
  });

  test('a page of the user list has its own rows, and a number beyond the last page shows the last page', async () => {
    const word = unique('pages');
    const many = Array.from({ length: 53 }, (_, index) => `P${String(index).padStart(2, '0')}`);
    await made(
      word,
      many.map((name) => [name, 1, null] as const),
    );
    expect(await named({ search: word })).toEqual(many.slice(0, 50));
    expect(await named({ search: word }, 'name', false, 2)).toEqual(many.slice(50));
    expect(await named({ search: word }, 'name', false, 2000)).toEqual(many.slice(50));
    const { total, page } = await listPeople({ search: word }, now, {
      page: 9,
      sort: { by: 'email', direction: 'ascending' },
    });
    expect([total, page]).toEqual([{ count: 53, more: false }, 2]);
  });

  test('users who have not signed in since a date are found, without those created since', async () => {
    const word = unique('quiet');
    await made(word, [
      ['Gone', 300, 100],
      ['Here', 300, 2],
      ['New', 2, null],
      ['Never', 300, null],
    ]);
    expect(await named({ search: word, quietSince: ago(90) })).toEqual(['Gone', 'Never']);
    expect(await named({ search: word, neverSignedIn: true })).toEqual(['Never', 'New']);
    expect(await named({ search: word, neverSignedIn: false })).toEqual(['Gone', 'Here']);
    expect(await named({ search: word, neverSignedIn: true, quietSince: ago(90) })).toEqual([
      'Never',
    ]);
  });

  test('users are found by group and second factor, and a row names at most two groups', async () => {
    const word = unique('group');
    await made(word, [
      ['In', 1, null],
      ['Out', 1, null],
    ]);
    const [person] = (await listPeople({ search: `in ${word}` }, now)).rows;
    for (const name of ['A', 'B', 'C']) {
      const { id } = await createGroup({ name: `${name} ${word}` }, actor, now);
      await addMembers(id, [person?.id ?? ''], actor, now);
      expect(await named({ group: id })).toEqual(['In']);
    }
    const [row] = (await listPeople({ search: `in ${word}` }, now)).rows;
    expect(row?.facts.groups).toEqual({ names: [`A ${word}`, `B ${word}`], more: 1 });
    await write(
      'INSERT INTO totp_secrets (user_id, enrolment, sealed_secret, last_step, created_at) VALUES ($1, $2, $3, 0, $4)',
      [person?.id ?? '', unique('enrolment'), 'sealed', now],
    );
    expect(await named({ search: word, ids: [person?.id ?? ''] })).toEqual(['In']);
    expect(await named({ search: word, ids: [] })).toEqual([]);
    expect(await named({ search: `in ${word}`, secondStep: true })).toEqual(['In']);
    expect(await named({ search: `in ${word}`, secondStep: false })).toEqual([]);
    expect(await named({ search: `out ${word}`, secondStep: false })).toEqual(['Out']);
  });

  test('an export of users has everyone that the filter finds, times in UTC, and no spreadsheet formula', async () => {
    const word = unique('export');
    await made(word, [['=1+1', 1, 1]]);
    let text = '';
    for await (const piece of exportPeople({ search: `=1+1 ${word}` }, now)) text += piece;
    const [head, line, ...rest] = text.trim().split('\r\n');
    expect(head).toBe(
      'id,username,name,email,email_verified,role,groups,authenticator_app,passkeys,created_at,last_sign_in_at,disabled_at',
    );
    expect(line).toContain(`"'=1+1 ${word}"`);
    expect(line).toContain(ago(1).toISOString());
    expect(rest).toEqual([]);
  });
});
