import { expect, test } from 'vitest';
import { completeUsernames } from '#lib/identity/usernames.ts';
import { matchUser } from '#lib/management/candidates.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import * as users from '#lib/management/user/users.ts';
import { write } from '#lib/store/engine/database.ts';
import { findUserByLogin, normalKey } from '#lib/store/users.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newPerson, unique } from './people.ts';

/** Gives a user a name that could be chosen before there was a rule against it. */
async function renameAsBefore(id: string, username: string): Promise<void> {
  const sql =
    'UPDATE users SET username = $2, username_key = $3, username_unfit = $4 WHERE id = $1';
  await write(sql, [id, username, normalKey(username), true]);
}

onEachDatabase(() => {
  test('a username that normalizes to another user’s email or id is refused', async () => {
    const victim = await newPerson();
    const mallory = await newPerson();
    for (const username of [victim.email.replace('@', '＠'), victim.id, victim.id.toUpperCase()]) {
      const renaming = updateUser(mallory.id, { username }, actor, new Date());
      expect(await faultsOf(renaming), username).toHaveProperty('username');
      expect(await faultsOf(newPerson({ username })), username).toHaveProperty('username');
    }
  });

  test('an email finds the user who has it, even if an older username looks like it', async () => {
    const victim = await newPerson();
    const mallory = await newPerson();
    await renameAsBefore(mallory.id, victim.email.replace('@', '＠'));
    // PostgreSQL returns the row that was written last first.
    await write('UPDATE users SET updated_at = updated_at WHERE id = $1', [victim.id]);
    expect((await users.showUser(victim.email)).id).toBe(victim.id);
    expect((await findUserByLogin(victim.email))?.id).toBe(victim.id);
    expect((await users.setAdmin(victim.email, true, actor, new Date())).id).toBe(victim.id);
    expect(await matchUser(victim.email)).toMatchObject({ one: { id: victim.id } });
    expect((await users.showUser(mallory.email)).id).toBe(mallory.id);
    expect((await findUserByLogin(mallory.email))?.id).toBe(mallory.id);
    await users.setAdmin(victim.id, false, actor, new Date()).catch(() => undefined);
  });

  test('an email that no user has does not find a user whose older username looks like it', async () => {
    const mallory = await newPerson();
    const address = `${unique('nobody')}@example.org`;
    await renameAsBefore(mallory.id, address.replace('@', '＠'));
    expect(await faultsOf(users.showUser(address))).toHaveProperty('user');
    expect(await users.findUserId(address)).toBeNull();
    expect(await findUserByLogin(address)).toBeNull();
  });

  test('an id that is another user’s older username is ambiguous, and neither user is changed', async () => {
    const victim = await newPerson();
    const mallory = await newPerson();
    await renameAsBefore(mallory.id, victim.id);
    for (const work of [users.showUser, users.findUserId]) {
      expect((await faultsOf(work(victim.id))).user).toContain('Use an email address instead');
    }
    expect(await faultsOf(users.disableUser(victim.id, actor, new Date()))).toHaveProperty('user');
    expect((await users.userWithId(victim.id)).disabledAt).toBeNull();
    expect((await users.userWithId(mallory.id)).disabledAt).toBeNull();
    expect((await users.showUser(victim.email)).id).toBe(victim.id);
  });

  test('a complete email that no user has is never completed to another one', async () => {
    const person = await newPerson();
    const shorter = person.email.slice(0, -1);
    expect(await matchUser(shorter)).toMatchObject({ several: [{ id: person.id }] });
    expect(await matchUser(person.username.slice(0, -1))).toMatchObject({
      one: { id: person.id },
    });
  });

  test('an older username that breaks the rules is marked until it is changed, others lose the mark', async () => {
    const fit = await newPerson();
    const unfit = await newPerson();
    const name = `ölçü.${unique('x')}`;
    await renameAsBefore(fit.id, name);
    await renameAsBefore(unfit.id, `https://${unique('evil')}.example/`);
    await completeUsernames();
    const marked = async () =>
      (await users.listUsers({ unfit: true, limit: 500 })).rows.map(({ id }) => id);
    expect(await marked()).not.toContain(fit.id);
    expect(await marked()).toContain(unfit.id);
    expect(await users.userWithId(fit.id)).toMatchObject({ username: name, usernameUnfit: false });
    const old = (await users.userWithId(unfit.id)).username;
    expect((await findUserByLogin(old))?.id).toBe(unfit.id);
    const change = { name: 'Other things can be changed', username: old };
    expect(await updateUser(unfit.id, change, actor, new Date())).toMatchObject({
      name: change.name,
      usernameUnfit: true,
    });
    const renamed = { username: unique('better') };
    expect(await updateUser(unfit.id, renamed, actor, new Date())).toMatchObject({
      ...renamed,
      usernameUnfit: false,
    });
    expect(await marked()).not.toContain(unfit.id);
  });
});
