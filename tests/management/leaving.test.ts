import { describe, expect, test } from 'vitest';
import { actingAs, type By, perform } from '#lib/management/act.ts';
import { createApiKey, listApiKeys } from '#lib/management/api-key/keys.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { listContacts, setContacts } from '#lib/management/client/contacts.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { invite } from '#lib/management/invitation/invitations.ts';
import {
  createRegistrationToken,
  listRegistrationTokens,
} from '#lib/management/registration-token/registration-tokens.ts';
import { setSetting } from '#lib/management/setting/settings.ts';
import { userActs } from '#lib/management/user/acts.ts';
import { disableUser, listUsers, setAdmin, userWithId } from '#lib/management/user/users.ts';
import type { Role } from '#lib/people/roles.ts';
import { read } from '#lib/store/engine/database.ts';
import { appsOfContact, leave as leaveInStore } from '#lib/store/leaving.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newApp, newPerson, unique } from './people.ts';

const now = () => new Date();
const by = (role: Role = 'admin'): By => ({
  ...actingAs(role, actor),
  now: now(),
  demandFresh: () => {},
});
const belongings = (id: string, as = by()) => perform(userActs.belongings, { id }, as);
const leave = (id: string, successor?: string, account: 'disable' | 'delete' = 'disable') =>
  perform(userActs.leave, { id, successor, account }, by());
const contactsOf = async (clientId: string) =>
  (await listContacts(clientId)).map(({ userId }) => userId).sort();
const eventsOn = async (filter: { userId?: string; clientId?: string }) =>
  (await listAudit(filter)).rows.map(({ type }) => type);

/** A person who is a contact of two apps, of one of them together with a colleague. */
async function somebody() {
  const [person, colleague, successor] = await Promise.all([
    newPerson({ admin: true }),
    newPerson(),
    newPerson(),
  ]);
  const own = (await newApp({ name: 'Own' })).client;
  const shared = (await newApp()).client;
  await setContacts(own.id, [person.id], actor, now());
  await setContacts(shared.id, [person.id, colleague.id], actor, now());
  return { person, colleague, successor, own, shared };
}

async function withKeys({ id }: { id: string }) {
  const who = { ...actor, id };
  const key = { name: unique('key'), rights: ['group:read'] };
  const made = await createApiKey(key, who, now());
  const token = await createRegistrationToken(
    { name: unique('token'), life: '2 days' },
    who,
    now(),
  );
  return { key: made, token };
}

onEachDatabase(() => {
  describe('the belongings of a user', () => {
    test('are all that refers to them: apps with other contacts, keys, tokens, invitations and groups', async () => {
      await setSetting('registration', 'invitation', actor, now());
      await newPerson({ admin: true });
      const { person, own, shared, successor } = await somebody();
      const { key, token } = await withKeys(person);
      await withKeys(successor);
      const group = await createGroup({ name: unique('editors') }, actor, now());
      await addMembers(group.id, [person.id], actor, now());
      const email = `${unique('guest')}@example.org`;
      await invite(email, { ...actor, id: person.id }, now());
      await invite(`${unique('guest')}@example.org`, actor, now());
      const told = await belongings(person.id);
      expect(told).toMatchObject({ username: person.username, role: 'admin', last_admin: false });
      expect(told.apps.map((app) => [app.client_id, app.only_contact]).sort()).toEqual(
        [
          [own.id, true],
          [shared.id, false],
        ].sort(),
      );
      expect(told.api_keys.map(({ id, rights }) => [id, rights])).toEqual([
        [key.id, ['group:read']],
      ]);
      expect(told.registration_tokens.map(({ id }) => id)).toEqual([token.id]);
      expect(told.invitations.map((sent) => sent.email)).toEqual([email]);
      expect(told.groups).toEqual([group.name]);
      expect(told).toMatchObject({ sessions: 0, approvals: 0, decisions: 0 });
    });

    test('an app whose other contact is disabled counts as having only one contact', async () => {
      const { person, colleague, shared } = await somebody();
      await disableUser(colleague.id, actor, now());
      const { apps } = await belongings(person.id);
      expect(apps.find((app) => app.client_id === shared.id)).toMatchObject({ only_contact: true });
    });

    test('are shown to the auditor role, but not to the support role', async () => {
      const { id } = await newPerson();
      expect(await belongings(id, by('auditor'))).toMatchObject({ id });
      await expect(belongings(id, by('support'))).rejects.toThrow('may not do this');
    });
  });

  describe('a user who leaves', () => {
    test.each(['disable', 'delete'] as const)(
      'hands over apps, loses keys and tokens, and cannot sign in: %s',
      async (account) => {
        const { person, colleague, successor, own, shared } = await somebody();
        const { key, token } = await withKeys(person);
        const told = await leave(person.id, successor.email, account);
        expect(told).toMatchObject({
          account: account === 'delete' ? 'deleted' : 'disabled',
          successor: successor.username,
          ended_api_keys: [{ id: key.id, name: key.name, rights: ['group:read'] }],
          ended_registration_tokens: [{ id: token.id }],
        });
        expect(told.apps.map((app) => app.client_id).sort()).toEqual([own.id, shared.id].sort());
        expect(await contactsOf(own.id)).toEqual([successor.id]);
        expect(await contactsOf(shared.id)).toEqual([colleague.id, successor.id].sort());
        expect((await listApiKeys()).map(({ id }) => id)).not.toContain(key.id);
        expect((await listRegistrationTokens()).map(({ id }) => id)).not.toContain(token.id);
        const rows = await read('SELECT disabled_at FROM users WHERE id = :id', { id: person.id });
        expect(rows).toHaveLength(account === 'delete' ? 0 : 1);
        if (rows[0]) expect((rows[0] as { disabledAt: Date }).disabledAt).toBeInstanceOf(Date);
        expect(await eventsOn({ userId: person.id })).toContain(`user.${account}d`);
        expect((await eventsOn({ clientId: own.id })).slice(0, 2).sort()).toEqual([
          'client.contact-added',
          'client.contact-removed',
        ]);
      },
    );

    test('a successor who is already a contact of an app stays one', async () => {
      const { person, colleague, shared, own } = await somebody();
      await leave(person.id, colleague.username);
      expect(await contactsOf(shared.id)).toEqual([colleague.id]);
      expect(await contactsOf(own.id)).toEqual([colleague.id]);
    });

    test('needs no successor if another contact answers for every app', async () => {
      const { person, colleague, shared, own } = await somebody();
      expect(await faultsOf(leave(person.id))).toEqual({
        successor: 'Choose a successor: 1 app would have no owner.',
      });
      expect((await userWithId(person.id)).disabledAt).toBeNull();
      await setContacts(own.id, [person.id, colleague.id], actor, now());
      expect(await leave(person.id)).toMatchObject({ successor: null, apps: [] });
      expect(await contactsOf(shared.id)).toEqual([colleague.id]);
    });

    test('a successor who is unknown, disabled or the leaving user is refused, and nothing changes', async () => {
      const { person, successor, own } = await somebody();
      await disableUser(successor.id, actor, now());
      for (const name of ['nobody-here', successor.username, person.username, person.email])
        expect(await faultsOf(leave(person.id, name))).toHaveProperty('successor');
      expect(await contactsOf(own.id)).toEqual([person.id]);
      expect((await userWithId(person.id)).disabledAt).toBeNull();
    });

    test('and is disabled already can still hand over apps', async () => {
      const { person, successor, own } = await somebody();
      await disableUser(person.id, actor, now());
      const { disabledAt } = await userWithId(person.id);
      await leave(person.id, successor.id);
      expect(await contactsOf(own.id)).toEqual([successor.id]);
      expect((await userWithId(person.id)).disabledAt).toEqual(disabledAt);
      const ends = (await eventsOn({ userId: person.id })).filter(
        (type) => type === 'user.disabled',
      );
      expect(ends).toHaveLength(1);
    });

    test('cannot be the last admin', async () => {
      const { person, successor, own } = await somebody();
      for (const { id } of (await listUsers({ admin: true, disabled: false, limit: 500 })).rows)
        if (id !== person.id) await setAdmin(id, false, actor, now());
      expect((await belongings(person.id)).last_admin).toBe(true);
      expect((await faultsOf(leave(person.id, successor.id))).user).toContain('last admin');
      expect(await contactsOf(own.id)).toEqual([person.id]);
      await setAdmin(successor.id, true, actor, now());
      expect(await leave(person.id, successor.id)).toMatchObject({ account: 'disabled' });
    });

    test('hands over what was seen: an app, a key or a successor that changed meanwhile stops all of it', async () => {
      const { person, successor, own, shared } = await somebody();
      const apps = await appsOfContact(person.id);
      const account = 'delete' as const;
      const leaving = { id: person.id, keys: [], tokens: [], account, keeping: [] };
      const seen = { ...leaving, successor: successor.id, apps };
      const further = (await newApp()).client;
      await setContacts(further.id, [person.id], actor, now());
      expect(await leaveInStore(seen, [], now())).not.toBe('done');
      await setContacts(further.id, [], actor, now());
      await withKeys(person);
      expect(await leaveInStore(seen, [], now())).not.toBe('done');
      const keys = (await belongings(person.id)).api_keys.map((key) => ({
        ...key,
        expiresAt: key.expires_at,
      }));
      await disableUser(successor.id, actor, now());
      expect(await leaveInStore({ ...seen, keys }, [], now())).not.toBe('done');
      expect(await leaveInStore({ ...seen, keys, successor: null }, [], now())).not.toBe('done');
      expect(await contactsOf(own.id)).toEqual([person.id]);
      expect(await contactsOf(shared.id)).toContain(person.id);
      expect(await userWithId(person.id)).toMatchObject({ disabledAt: null });
    });

    test('two users who leave to each other at the same time: one of them stays and has all apps', async () => {
      for (let round = 0; round < 5; round += 1) {
        const one = await newPerson();
        const other = await newPerson();
        const apps = [(await newApp()).client, (await newApp()).client];
        await setContacts(apps[0]?.id ?? '', [one.id], actor, now());
        await setContacts(apps[1]?.id ?? '', [other.id], actor, now());
        await Promise.allSettled([leave(one.id, other.id), leave(other.id, one.id)]);
        const users = [await userWithId(one.id), await userWithId(other.id)];
        const [staying] = users.filter(({ disabledAt }) => disabledAt === null);
        expect(users.filter(({ disabledAt }) => disabledAt !== null)).toHaveLength(1);
        for (const { id } of apps) expect(await contactsOf(id)).toEqual([staying?.id]);
      }
    });
  });
});
