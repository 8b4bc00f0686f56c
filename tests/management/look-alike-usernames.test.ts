import { expect, test } from 'vitest';
import { completeUsernames } from '#lib/identity/usernames.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import * as users from '#lib/management/user/users.ts';
import { digest, newId, newSecret } from '#lib/oauth/secrets.ts';
import { usernameGlance } from '#lib/people/username-glance.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { findLink, redeemAccountLink, storeLink } from '#lib/store/links.ts';
import { renameUser, whyNameIsTaken } from '#lib/store/users.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newPerson, unique } from './people.ts';

const sentence = 'That username looks too much like someone else’s. Choose another.';
const rename = (id: string, username: string) => updateUser(id, { username }, actor, new Date());
/** Another spelling that looks the same, but is a different name in comparisons. */
const alike = (username: string) => username.replace('alice', 'aIice');

const third = (username: string) => username.replace('alice', 'a1ice');

async function register(username: string) {
  const [hash, now] = [digest(newSecret('mailedLink')), new Date()];
  const email = `${unique('new')}@example.org`;
  const nothing = { userId: null, basis: null, flow: null, groups: [], invitee: {}, madeBy: null };
  const expiresAt = new Date(now.getTime() + 60_000);
  await storeLink({ ...nothing, hash, purpose: 'register', email, expiresAt }, now);
  return redeemAccountLink(
    (await findLink(hash, now)) ?? expect.fail(),
    { username, email, name: null, passwordHash: null, isAdmin: false },
    (userId) => ({ type: 'user.registered', userId, requestId: newId(now) }),
    now,
  );
}

onEachDatabase(() => {
  test('a username that looks like another user’s is refused at creation, renaming and registration', async () => {
    const alice = await newPerson({ username: unique('alice') });
    const mallory = await newPerson();
    const wanted = alike(alice.username);
    expect(await faultsOf(newPerson({ username: wanted }))).toEqual({ username: sentence });
    expect(await faultsOf(rename(mallory.id, wanted))).toEqual({ username: sentence });
    const taken = { username: 'That username is taken.' };
    expect(await faultsOf(rename(mallory.id, alice.username))).toEqual(taken);
    expect(await register(wanted)).toEqual({ taken: 'look-alike' });
    expect(await whyNameIsTaken(wanted, null, new Date())).toBe('look-alike');
    const event = { type: 'user.updated', userId: mallory.id, requestId: 'request-1' } as const;
    expect(await renameUser(mallory, wanted, event, new Date())).toBe('look-alike');
    expect(await renameUser(mallory, alice.username, event, new Date())).toBe('taken');
    expect((await users.userWithId(mallory.id)).username).toBe(mallory.username);
  });

  test('a user may change to a look-alike of their own username; look-alikes are free once the user is deleted', async () => {
    const alice = await newPerson({ username: unique('alice') });
    const other = alike(alice.username);
    expect((await rename(alice.id, other)).username).toBe(other);
    await users.deleteUser(alice.id, actor, new Date());
    expect((await newPerson({ username: third(alice.username) })).id).toBeTruthy();
  });

  test('of users who want look-alike usernames at the same time, only one gets one', async () => {
    for (let round = 0; round < 10; round += 1) {
      const name = unique('alice');
      const ada = await newPerson();
      const mallory = await newPerson();
      const tries = [rename(ada.id, name), rename(mallory.id, alike(name)), register(alike(name))];
      const ended = await Promise.allSettled(tries as Promise<unknown>[]);
      const got = ended.filter(
        (each) =>
          each.status === 'fulfilled' &&
          !(typeof each.value === 'object' && each.value && 'taken' in each.value),
      );
      expect(got).toHaveLength(1);
    }
  });

  test('look-alike usernames from older versions are kept, and count from the next start on', async () => {
    const alice = await newPerson({ username: unique('alice') });
    const twin = await newPerson();
    const name = alike(alice.username);
    const older =
      'UPDATE users SET username = $2, username_key = $3, username_glance = NULL WHERE id = $1';
    await write(older, [twin.id, name, name.toLowerCase()]);
    await write('UPDATE users SET username_glance = NULL WHERE id = $1', [alice.id]);
    await completeUsernames();
    const sql = 'SELECT username_glance FROM users WHERE id = $1 OR id = $2';
    const glances = (await read(sql, [alice.id, twin.id])).map((row) => row.usernameGlance);
    // Of two user names that already looked alike, only one has its look stored.
    expect(glances.sort()).toEqual([usernameGlance(name), null]);
    const changed = await updateUser(twin.id, { name: 'Twin' }, actor, new Date());
    expect(changed).toMatchObject({ username: name, name: 'Twin' });
    expect(await faultsOf(newPerson({ username: third(alice.username) }))).toEqual({
      username: sentence,
    });
  });
});
