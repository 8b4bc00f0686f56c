import { describe, expect, test } from 'vitest';
import { unseenFault } from '#app/asking.ts';
import { confirmFields } from '#lib/interaction/confirm-fields.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson, Person } from '../support/person.ts';
import { linesWith } from '../world/doors.ts';

const server = await openServer();
const word = 'gravel umbrella ninety saxophone';

/** Someone who came by a provider, and is signed in. */
async function withoutPassword() {
  const person = await newPerson(server);
  await write('UPDATE users SET password_hash = NULL WHERE id = $1', [person.user.id]);
  return person;
}

test('whoever has no password sets one in the account, and signs in with it', async () => {
  const person = await withoutPassword();
  const page = await person.open('/account/sign-in');
  expect(textOf(page.html)).toContain('Set a password');
  const done = await person.submit(page, '/account/password/submit', { new_password: word });
  expect(textOf(done.html)).toContain('Password changed.');
  const other = new Person(server, person.user.username);
  const { username } = person.user;
  const sent = { username, password: word };
  expect((await other.submit(await other.open('/login'), '/login/submit', sent)).at).toBe(
    '/account',
  );
  // Now there is one, which a further change asks for.
  const old = new Date(Date.now() - 3_600_000);
  await write('UPDATE sessions SET auth_time = $2 WHERE user_id = $1', [person.user.id, old]);
  const asks = await person.submit(
    await person.open('/account/sign-in'),
    '/account/password/submit',
    { new_password: `${word} more` },
  );
  expect(asks.html).toContain(`name="${confirmFields.password}"`);
});

test('whoever has their password in a directory sets none here', async () => {
  const person = await withoutPassword();
  const page = await person.open('/account/sign-in');
  const { id } = person.user;
  await write(
    `INSERT INTO directory_people (directory, entry_id, user_id, dn, created_at, last_seen_at)
    VALUES ('staff', $1, $1, 'uid=x', $2, $2)`,
    [id, new Date()],
  );
  const done = await person.submit(page, '/account/password/submit', { new_password: word });
  expect(textOf(done.html)).toContain('kept in the directory of your organization');
  const rows = await read('SELECT password_hash FROM users WHERE id = $1', [id]);
  expect(rows).toMatchObject([{ passwordHash: null }]);
});

describe('a form of the account', () => {
  test('never answers without a message', () => {
    const silent = linesWith(/\b(back|redirectWithFlash)\(.*\{\}\)/);
    expect(silent.filter((line) => line.startsWith('app/account/'))).toEqual([]);
  });

  test('has a fault that no field shows above it', () => {
    const fault = (fieldErrors: Record<string, string>, form?: string, shown: string[] = []) => {
      const asking = form === undefined ? null : ({ form } as Parameters<typeof unseenFault>[2]);
      return unseenFault('en', { page: '/account', fieldErrors }, asking, shown);
    };
    const wrong = { [confirmFields.password]: 'confirm.wrong' };
    expect(fault(wrong)).toBe('That’s not your password.');
    expect(fault(wrong, 'password')).toBeUndefined();
    expect(fault({ new_password: 'home.passwordSame' })).toMatch(/^Choose a password/);
    expect(
      fault({ new_password: 'home.passwordSame' }, undefined, ['new_password']),
    ).toBeUndefined();
    expect(fault({})).toBeUndefined();
  });
});
