import { expect, test } from 'vitest';
import { verifyPassword } from '#lib/identity/passwords.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import * as users from '#lib/management/user/users.ts';
import { findUser } from '#lib/store/users.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newPerson, password, unique } from './people.ts';

const now = () => new Date();

onEachDatabase(() => {
  test('an account is created, found by id, username and email, and has an audit event', async () => {
    const username = unique('Ada');
    const made = await users.createUser(
      { username, email: `${username}@Example.org`, password, name: ' Ada ' },
      actor,
      now(),
    );
    expect(made).toMatchObject({
      username,
      name: 'Ada',
      admin: false,
      hasPassword: true,
      disabledAt: null,
    });
    for (const key of [made.id, username.toLowerCase(), `${username}@example.ORG`]) {
      expect((await users.showUser(key)).id).toBe(made.id);
    }
    const [event] = (await listAudit({ userId: made.id })).rows;
    expect(event).toMatchObject({
      type: 'user.created',
      actor: 'cli',
      address: '192.0.2.7',
      requestId: 'request-1',
      username,
    });
    expect(JSON.stringify(event)).not.toContain(password);
  });

  test('each wrong field of a new account is reported', async () => {
    const input = { username: 'with space', email: 'nowhere', password: 'short', name: 'x\u0000' };
    const faults = await faultsOf(users.createUser(input, actor, now()));
    expect(Object.keys(faults).sort()).toEqual(['email', 'name', 'password', 'username']);
    expect(faults.password).toBe('Use at least 8 characters.');
  });

  test('usernames and email addresses are unique regardless of case', async () => {
    const { username, email } = await newPerson();
    const other = { username: unique('other'), email: `${unique('other')}@example.org`, password };
    expect(
      await faultsOf(
        users.createUser({ ...other, username: username.toUpperCase() }, actor, now()),
      ),
    ).toHaveProperty('username');
    expect(
      await faultsOf(users.createUser({ ...other, email: email.toUpperCase() }, actor, now())),
    ).toHaveProperty('email');
  });

  test('the list of users is searched, filtered and read in pages without a gap or a repeat', async () => {
    const word = unique('flock');
    const made = [];
    for (let index = 0; index < 5; index += 1)
      made.push(await newPerson({ name: `${word} Bird ${index}` }));
    const seen: string[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await users.listUsers({ search: word.toUpperCase(), limit: 2, cursor });
      seen.push(...page.rows.map((row) => row.id));
      cursor = page.next ?? undefined;
      more = cursor !== undefined;
    }
    expect(seen.sort()).toEqual(made.map((user) => user.id).sort());
    await users.disableUser(seen[0] ?? '', actor, now());
    expect((await users.listUsers({ search: word, disabled: true })).rows).toHaveLength(1);
    expect((await users.listUsers({ search: word, disabled: false })).rows).toHaveLength(4);
    expect((await users.listUsers({ search: word, admin: true })).rows).toHaveLength(0);
  });

  test('a search for users matches the beginning of username, email, name and last name', async () => {
    const word = unique('lace');
    const ada = await newPerson({ name: `Ada ${word}Love` });
    const found = async (search: string) =>
      (await users.listUsers({ search })).rows.map((row) => row.id);
    for (const search of [
      ada.username,
      ada.username.slice(0, -2),
      ada.email.toUpperCase(),
      `ada ${word}`,
      `${word}l`,
    ]) {
      expect(await found(search), search).toEqual([ada.id]);
    }
    expect(await found(ada.username.slice(1))).toEqual([]);
    await updateUser(ada.id, { name: `Grace ${word}Hop` }, actor, now());
    expect(await found(`${word}l`)).toEqual([]);
    expect(await found(`${word}h`)).toEqual([ada.id]);
  });

  test('standard claims of a user are stored, and wrong ones are reported one by one', async () => {
    const { id } = await newPerson();
    const claims = { given_name: 'Ada', birthdate: '1815-12-10', address: { locality: 'London' } };
    expect((await updateUser(id, { claims }, actor, now())).claims).toEqual(claims);
    const wrong = {
      birthdate: 'soon',
      website: 'javascript:alert(1)',
      address: { locality: 'x'.repeat(300) },
    };
    const faults = await faultsOf(
      updateUser(id, { claims: wrong, username: 'with space' }, actor, now()),
    );
    expect(Object.keys(faults).sort()).toEqual(['address.locality', 'birthdate', 'username']);
    expect(
      await faultsOf(updateUser(id, { claims: { website: 'javascript:x' } }, actor, now())),
    ).toHaveProperty('website');
    expect((await users.showUser(id)).claims).toEqual(claims);
  });

  test('pattern characters and odd characters have no meaning in a search for users', async () => {
    await newPerson();
    for (const search of ['%', '_', '\\', "'", '\0', '\ud800', 'x'.repeat(100_000)]) {
      expect((await users.listUsers({ search })).rows, search.slice(0, 5)).toEqual([]);
      expect(await faultsOf(users.showUser(search))).toHaveProperty('user');
    }
  });

  test('an invalid cursor or limit of the list of users is refused', async () => {
    const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const bad of ['x', cursor([1]), cursor(['a', 'b']), cursor({})]) {
      expect(await faultsOf(users.listUsers({ cursor: bad })), bad).toHaveProperty('cursor');
    }
    for (const limit of [0, -1, 501, 1.5, Number.NaN])
      expect(await faultsOf(users.listUsers({ limit }))).toHaveProperty('limit');
  });

  test('a user’s profile is changed; a new email is unverified, a taken one refused', async () => {
    const user = await newPerson();
    const other = await newPerson();
    await updateUser(user.id, { emailVerified: true, name: 'Grace' }, actor, now());
    const renamed = await updateUser(user.id, { username: unique('grace') }, actor, now());
    expect(renamed).toMatchObject({ name: 'Grace', emailVerified: true });
    const moved = await updateUser(
      user.id,
      { email: `${unique('grace')}@example.org` },
      actor,
      now(),
    );
    expect(moved.emailVerified).toBe(false);
    expect(
      await faultsOf(updateUser(user.id, { email: other.email }, actor, now())),
    ).toHaveProperty('email');
    expect(
      await faultsOf(updateUser(user.id, { username: other.username }, actor, now())),
    ).toHaveProperty('username');
    expect(
      await faultsOf(updateUser(user.id, { username: 'a b', email: '' }, actor, now())),
    ).toMatchObject({
      username: expect.anything(),
      email: expect.anything(),
    });
    const [event] = (await listAudit({ userId: user.id, type: 'user.updated' })).rows;
    expect(event?.detail).toHaveProperty('email.before', user.email);
  });

  test('a stale edit of a user is refused, even in the same millisecond', async () => {
    const user = await newPerson();
    const at = now();
    await updateUser(user.id, { name: 'First' }, actor, at, user.updatedAt);
    expect(
      await faultsOf(updateUser(user.id, { name: 'Second' }, actor, at, user.updatedAt)),
    ).toHaveProperty('seen');
    expect((await users.showUser(user.id)).name).toBe('First');
  });

  test('after a password reset the new password works and the old one does not', async () => {
    const user = await newPerson();
    expect(await faultsOf(users.passwordHashFor(user.id, 'short', actor))).toHaveProperty(
      'password',
    );
    const hash = await users.passwordHashFor(user.id, 'another long password', actor);
    await users.resetPassword(user.id, hash, actor, now());
    const stored = (await findUser(user.id))?.passwordHash ?? null;
    expect(await verifyPassword('another long password', stored)).toBe(true);
    expect(await verifyPassword(password, stored)).toBe(false);
    expect((await listAudit({ userId: user.id, type: 'password' })).rows).toHaveLength(1);
  });

  test('disabling or enabling a user twice changes nothing and adds no event', async () => {
    const user = await newPerson();
    const first = await users.disableUser(user.id, actor, now());
    expect(await users.disableUser(user.id, actor, new Date(Date.now() + 1000))).toEqual(first);
    await users.enableUser(user.id, actor, now());
    await users.enableUser(user.id, actor, now());
    await users.setAdmin(user.id, true, actor, now());
    await users.setAdmin(user.id, true, actor, now());
    await users.setAdmin(user.id, false, actor, now()).catch(() => undefined);
    const types = (await listAudit({ userId: user.id })).rows.map((row) => row.type);
    expect(types.filter((type) => type === 'user.disabled')).toHaveLength(1);
    expect(types.filter((type) => type === 'user.enabled')).toHaveLength(1);
  });

  test('a deleted user remains only in the audit log', async () => {
    const user = await newPerson();
    expect((await users.deleteUser(user.username, actor, now())).id).toBe(user.id);
    for (const again of [users.showUser, (key: string) => users.deleteUser(key, actor, now())]) {
      expect(await faultsOf(again(user.id))).toHaveProperty('user');
    }
    const [event] = (await listAudit({ userId: user.id })).rows;
    expect(event).toMatchObject({ type: 'user.deleted', detail: { username: user.username } });
  });
});
