import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { unlinkIdentityOf } from '#lib/management/identity/identities.ts';
import { searchAll } from '#lib/management/search.ts';
import {
  endSession,
  listSessions,
  signOutEverywhere,
  unlockUser,
} from '#lib/management/session/sessions.ts';
import * as users from '#lib/management/user/users.ts';
import { textIn } from '#lib/messages/text.ts';
import { roles } from '#lib/people/roles.ts';
import type { Actor } from '#lib/store/actor.ts';
import { write } from '#lib/store/engine/database.ts';
import { listIdentities, removeIdentity } from '#lib/store/identities.ts';
import { sessionLifeOf } from '#lib/store/session-life.ts';
import { endSessionOfUser } from '#lib/store/sessions.ts';
import { findUser } from '#lib/store/users.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { actor, faultsOf, newApp, newPerson, unique } from './people.ts';
import { possess } from './possessions.ts';

const now = () => new Date();
const helper: Actor = { id: 'somebody-of-support', reach: 'people' };
const give = (id: string, role: (typeof roles)[number]) => users.setRole(id, role, actor, now());
const hashOf = async (id: string) => (await findUser(id))?.passwordHash;

async function newWith(role: (typeof roles)[number]) {
  return give((await newPerson()).id, role);
}

/** What support may do, applied to this person. */
const helps = {
  'a password': (id: string) => users.resetPassword(id, 'v1:two', helper, now(), true),
  'the second factors': (id: string) => users.removeFactors(id, helper, now()),
  'a session': (id: string) => endSession(id, 'hash', helper, now()),
  'all sessions': (id: string) => signOutEverywhere(id, helper, now()),
  'an identity': (id: string) => unlinkIdentityOf(id, 'none', helper, now()),
  'a lock': (id: string) => unlockUser(id, helper, now()),
};

onEachDatabase(() => {
  test('a user has one role or none, and each change of it has an audit event with both roles', async () => {
    await newPerson({ admin: true });
    const { id } = await newPerson();
    for (const role of ['support', 'auditor', 'admin', 'support', 'none'] as const) {
      const changed = await give(id, role);
      expect([changed.role, changed.admin]).toEqual([role, role === 'admin']);
      expect(await give(id, role)).toEqual(changed);
    }
    const { rows } = await listAudit({ userId: id, type: 'user.role-changed' });
    expect(rows.map(({ detail }) => detail.role)).toEqual([
      { before: 'support', after: 'none' },
      { before: 'admin', after: 'support' },
      { before: 'auditor', after: 'admin' },
      { before: 'support', after: 'auditor' },
      { before: 'none', after: 'support' },
    ]);
  });

  test('a user who gets a role has to sign in again, in case another person uses the session; losing one ends nothing', async () => {
    await newPerson({ admin: true });
    const { id } = await newPerson();
    const { client } = await newApp();
    const livingAfter = async (role: (typeof roles)[number]) => {
      const { living } = await possess(id, client.id);
      await give(id, role);
      return living();
    };
    expect(await livingAfter('support')).not.toContain('session');
    expect(await livingAfter('auditor')).toContain('session');
    expect(await livingAfter('admin')).not.toContain('session');
    expect(await livingAfter('none')).toContain('session');
  });

  test('the admin role is given and taken; taking it from a user with another role changes nothing', async () => {
    await newPerson({ admin: true });
    const { id } = await newWith('support');
    expect((await users.setAdmin(id, false, actor, now())).role).toBe('support');
    expect((await users.setAdmin(id, true, actor, now())).role).toBe('admin');
    expect((await users.setAdmin(id, false, actor, now())).role).toBe('none');
  });

  test('users are filtered by role', async () => {
    const name = unique('Listed');
    const made = await Promise.all(
      roles.map(async (role) => {
        const { id } = await newPerson({ name, username: `${role}-${unique('listed')}` });
        return [role, (await give(id, role)).id] as const;
      }),
    );
    for (const [role, id] of made) {
      const { rows } = await users.listUsers({ search: name.toLowerCase(), role });
      expect(rows.map((row) => [row.id, row.role])).toEqual([[id, role]]);
    }
  });

  test.each(Object.keys(helps) as (keyof typeof helps)[])(
    'the support role cannot reset %s of a user who has a role',
    async (what) => {
      for (const role of ['admin', 'support', 'auditor'] as const) {
        const { id } = await newWith(role);
        const before = [await users.showUser(id), await hashOf(id)];
        expect((await faultsOf(helps[what](id))).user).toContain('has a role');
        expect([await users.showUser(id), await hashOf(id)]).toEqual(before);
        const { rows } = await listAudit({ userId: id, actor: helper.id });
        expect(rows).toEqual([]);
      }
    },
  );

  test('the support role can help users, is the actor of the audit events, and cannot give a role', async () => {
    const { id } = await newPerson();
    const before = await hashOf(id);
    await helps['a password'](id);
    await helps['all sessions'](id);
    await helps['a lock'](id);
    expect(await hashOf(id)).not.toBe(before);
    const { rows } = await listAudit({ userId: id, actor: helper.id });
    expect(rows.map(({ type }) => type)).toEqual([
      'user.failures-forgotten',
      'session.ended',
      'password.reset',
    ]);
    for (const role of ['admin', 'support', 'auditor'] as const)
      expect(await faultsOf(users.setRole(id, role, helper, now()))).toHaveProperty('user');
    expect(await faultsOf(users.setAdmin(id, true, helper, now()))).toHaveProperty('user');
    expect((await users.showUser(id)).role).toBe('none');
  });

  test('a role given while support resets the password: the reset comes first, or changes nothing', async () => {
    const races = Array.from({ length: 8 }, async () => {
      const { id } = await newPerson();
      const before = await hashOf(id);
      const [reset] = await Promise.allSettled([helps['a password'](id), give(id, 'admin')]);
      const isDone = reset.status === 'fulfilled';
      expect((await hashOf(id)) !== before).toBe(isDone);
      const { rows } = await listAudit({ userId: id, type: 'password.reset' });
      expect(rows).toHaveLength(isDone ? 1 : 0);
      expect((await users.showUser(id)).role).toBe('admin');
    });
    await Promise.all(races);
  });

  test('a role given after the support role’s check: the SQL statement itself refuses the help', async () => {
    const { id } = await newPerson();
    const before = await hashOf(id);
    const store = await import('#lib/store/user-changes.ts');
    const { removeAllFactors } = await import('#lib/store/factors.ts');
    const event = { type: 'password.reset', actor: helper.id, userId: id } as const;
    await give(id, 'auditor');
    const known = { hash: 'known', mustChange: true, reach: 'people' } as const;
    expect(await store.resetPassword(id, known, event, now())).toBe('out-of-reach');
    expect(await store.endEverything(id, event, now(), 'people')).toBe('out-of-reach');
    expect(await store.clearFailures(id, event, now(), 'people')).toBe('out-of-reach');
    await write(
      `INSERT INTO totp_secrets (user_id, enrolment, sealed_secret, last_step, created_at)
       VALUES ($1, 'e', 'x', 0, $2)`,
      [id, now()],
    );
    expect(await removeAllFactors(id, event, now(), 'people')).toBe('none');
    await giveIdentity(id, await newProvider());
    const [identity] = await listIdentities(id);
    const ofThem = { userId: id, id: identity?.id ?? '' };
    expect(await removeIdentity(ofThem, event, now(), 'people')).toBe(false);
    const { client } = await newApp();
    const { living } = await possess(id, client.id);
    const [session] = await listSessions(id, now());
    expect(await endSessionOfUser(id, session?.hash ?? '', event, now(), 'people')).toBe(false);
    expect(await living()).toContain('session');
    expect(await listIdentities(id)).toHaveLength(1);
    expect(await hashOf(id)).toBe(before);
    expect((await listAudit({ userId: id, actor: helper.id })).rows).toEqual([]);
  });

  test('the last admin cannot be given another role, also with several changes at the same time', async () => {
    const only = await newPerson({ admin: true });
    const others = (await users.listUsers({ role: 'admin', limit: 200 })).rows;
    for (const { id } of others) if (id !== only.id) await give(id, 'none');
    for (const role of ['support', 'auditor', 'none'] as const)
      expect((await faultsOf(give(only.id, role))).user).toContain('last admin');
    const pair = [only.id, (await newWith('admin')).id];
    const tries = Array.from({ length: 20 }, (_, index) =>
      give(pair[index % 2] ?? '', (['support', 'auditor', 'none'] as const)[index % 3] ?? 'none'),
    );
    const results = await Promise.allSettled(tries);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toHaveProperty('name', 'AdminRefusal');
    expect((await users.listUsers({ role: 'admin' })).rows).toHaveLength(1);
  });

  test('sessions of users with any role are as short as an admin’s', () => {
    const settings = {
      sessionIdleTtl: 900,
      sessionMaxTtl: 9000,
      adminSessionIdleTtl: 60,
      adminSessionMaxTtl: 600,
    } as Parameters<typeof sessionLifeOf>[0];
    for (const role of ['admin', 'support', 'auditor'] as const)
      expect(sessionLifeOf(settings, { role }, false)).toEqual({ idle: 60, max: 600 });
    expect(sessionLifeOf(settings, { role: 'none' }, false)).toEqual({ idle: 900, max: 9000 });
  });

  test('search finds only users for the support role', async () => {
    const word = unique('found');
    await newPerson({ username: word });
    await newApp({ name: `${word} app` });
    const found = await searchAll(word, 'support', textIn('en'));
    expect(found.people.rows.map(({ username }) => username)).toEqual([word]);
    expect(found.apps.rows).toEqual([]);
    expect((await searchAll('openid', 'support', textIn('en'))).scopes.rows).toEqual([]);
    expect((await searchAll('https', 'support', textIn('en'))).apis.rows).toEqual([]);
    expect((await searchAll('pkce', 'support', textIn('en'))).settings.rows).toEqual([]);
    expect((await searchAll(word, 'auditor', textIn('en'))).apps.rows).toHaveLength(1);
  });
});
