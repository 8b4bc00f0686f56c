import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { freeUsername } from '#lib/management/user/user-faults.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import * as users from '#lib/management/user/users.ts';
import { digest, newId, newSecret } from '#lib/oauth/secrets.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { read } from '#lib/store/engine/database.ts';
import { findLink, redeemAccountLink, storeLink } from '#lib/store/links.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newPerson, unique } from './people.ts';

const day = 24 * 3600_000;
const at = (days: number) => new Date(Date.now() + days * day);
const rename = (id: string, username: string, now = at(0)) =>
  updateUser(id, { username }, actor, now);

onEachDatabase(() => {
  test('a username that a user gave up stays reserved for a year, except for that user', async () => {
    const ada = await newPerson();
    const mallory = await newPerson();
    await rename(ada.id, unique('ada'));
    const sentence = (await faultsOf(rename(mallory.id, ada.username.toUpperCase()))).username;
    expect(sentence).toContain(`reserved until ${at(365).toISOString().slice(0, 10)}`);
    const email = `${unique('new')}@example.org`;
    expect(await faultsOf(newPerson({ username: ada.username, email }))).toHaveProperty('username');
    expect(await faultsOf(rename(mallory.id, ada.username, at(364)))).toHaveProperty('username');
    expect((await rename(ada.id, ada.username)).username).toBe(ada.username);
    await rename(ada.id, unique('ada'));
    expect((await rename(mallory.id, ada.username, at(366))).username).toBe(ada.username);
  });

  test('the username of a deleted user stays reserved until an admin frees it', async () => {
    const ada = await newPerson();
    await users.deleteUser(ada.id, actor, at(0));
    expect(await faultsOf(newPerson({ username: ada.username }))).toHaveProperty('username');
    await freeUsername(ada.username.toUpperCase(), actor, at(0));
    expect((await newPerson({ username: ada.username })).username).toBe(ada.username);
    const [event] = (await listAudit({ type: 'user.name-freed' })).rows;
    expect(event?.detail).toEqual({ username: ada.username.toUpperCase() });
    expect(await faultsOf(freeUsername(ada.username, actor, at(0)))).toHaveProperty('username');
  });

  test('changing only the capital letters of one’s username reserves nothing', async () => {
    const ada = await newPerson();
    await rename(ada.id, ada.username.toUpperCase());
    const sql = 'SELECT user_id FROM former_usernames WHERE username_key = $1';
    expect(await read(sql, [ada.username])).toEqual([]);
  });

  test('cleaning deletes reservations of usernames that are over, and no others', async () => {
    const ada = await newPerson();
    await rename(ada.id, unique('ada'));
    const kept = () =>
      read('SELECT user_id FROM former_usernames WHERE username_key = $1', [ada.username]);
    await deleteExpired(at(364));
    expect(await kept()).toHaveLength(1);
    await deleteExpired(at(366));
    expect(await kept()).toHaveLength(0);
  });

  test('a username cannot be taken by another user in the moment it is given up', async () => {
    for (let round = 0; round < 15; round += 1) {
      const ada = await newPerson();
      const mallory = await newPerson();
      const givingUp =
        round % 2 ? rename(ada.id, unique('ada')) : users.deleteUser(ada.id, actor, at(0));
      const tries = [
        givingUp,
        rename(mallory.id, ada.username),
        newPerson({ username: ada.username }),
      ];
      const [given, renamed, made] = await Promise.allSettled(tries);
      expect([given?.status, renamed?.status, made?.status]).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
      ]);
    }
  });

  test('registration by a mailed link refuses a reserved username, and the link stays valid', async () => {
    const ada = await newPerson();
    await users.deleteUser(ada.id, actor, at(0));
    const [hash, now] = [digest(newSecret('mailedLink')), at(0)];
    const email = `${unique('new')}@example.org`;
    const nothing = {
      userId: null,
      basis: null,
      flow: null,
      groups: [],
      invitee: {},
      madeBy: null,
    };
    await storeLink({ ...nothing, hash, purpose: 'register', email, expiresAt: at(1) }, now);
    const link = await findLink(hash, now);
    const redeem = (username: string) =>
      redeemAccountLink(
        link ?? expect.fail(),
        { username, email, name: null, passwordHash: null, isAdmin: false },
        (userId) => ({ type: 'user.registered', userId, requestId: newId(now) }),
        now,
      );
    expect(await redeem(ada.username)).toEqual({ taken: 'former-username' });
    expect(await redeem((await newPerson()).username)).toEqual({ taken: 'username' });
    const username = unique('free');
    const both = await Promise.all([redeem(username), redeem(unique('other'))]);
    expect(both.filter((each) => typeof each === 'object' && 'id' in each)).toHaveLength(1);
    expect(await redeem(unique('late'))).toBe('dead');
  });
});
