import { describe, expect, test } from 'vitest';
import { listTraces, showTrace, showTraceOf } from '#lib/management/attempt/traces.ts';
import { deleteClient } from '#lib/management/client/clients.ts';
import {
  addContact,
  listContacted,
  listContacts,
  maySeeClient,
  mostContacts,
  removeContact,
  setContacts,
} from '#lib/management/client/contacts.ts';
import { deleteUser, disableUser } from '#lib/management/user/users.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { recordTrace, writeTraces } from '#lib/store/traces.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, newApp, newPerson } from './people.ts';

const now = new Date();
const boss = (id: string) => ({ id, role: 'admin' as const });
const member = (id: string) => ({ id, role: 'none' as const });

async function newAttempt(clientId: string) {
  const [attempt, requestId] = [newId(now), newId(now)];
  recordTrace(
    {
      attempt,
      requestId,
      step: 'authorize',
      outcome: 'sign-in',
      clientId,
      userId: null,
      behind: 'app',
      refusal: null,
    },
    now,
  );
  await writeTraces();
  return { attempt, requestId };
}

onEachDatabase(() => {
  describe('a developer contact of a client', () => {
    test('may see that client and no other; an admin may see each', async () => {
      const own = (await newApp()).client;
      const other = (await newApp()).client;
      const person = await newPerson();
      expect(await maySeeClient(member(person.id), own.id)).toBe(false);
      await addContact(own.id, person.email, actor, now);
      expect(await maySeeClient(member(person.id), own.id)).toBe(true);
      expect(await maySeeClient(member(person.id), other.id)).toBe(false);
      for (const id of ['', '\0', '%', `${own.id}%`, "' OR 1=1 --"])
        expect(await maySeeClient(member(person.id), id)).toBe(false);
      expect(await maySeeClient(boss('anyone'), other.id)).toBe(true);
      expect(await listContacted(person.id)).toEqual([
        { id: own.id, name: own.name, picture: undefined },
      ]);
    });

    test('loses access immediately when removed, disabled or deleted, or when the client is deleted', async () => {
      const { client } = await newApp();
      const people = await Promise.all([newPerson(), newPerson(), newPerson(), newPerson()]);
      const [removed, disabled, deleted, left] = people.map(({ id }) => id) as [
        string,
        string,
        string,
        string,
      ];
      await setContacts(client.id, [removed, disabled, deleted, left], actor, now);
      await removeContact(client.id, removed, actor, now);
      await disableUser(disabled, actor, now);
      await deleteUser(deleted, actor, now);
      for (const id of [removed, disabled, deleted])
        expect(await maySeeClient(member(id), client.id)).toBe(false);
      expect((await listContacts(client.id)).map(({ userId }) => userId).sort()).toEqual(
        [disabled, left].sort(),
      );
      await deleteClient(client.id, actor, now);
      expect(await maySeeClient(member(left), client.id)).toBe(false);
      expect(await listContacted(left)).toEqual([]);
    });

    test('finds the attempts of that client alone, by id and by request', async () => {
      const own = (await newApp()).client;
      const other = (await newApp()).client;
      const mine = await newAttempt(own.id);
      const foreign = await newAttempt(other.id);
      expect(await showTraceOf(own.id, mine.attempt)).toMatchObject({ id: mine.attempt });
      await expect(showTraceOf(own.id, foreign.attempt)).rejects.toThrow('no longer kept');
      expect(await showTrace(foreign.attempt)).toMatchObject({ clientId: other.id });
      const found = async (requestId: string) =>
        (await listTraces({ clientId: own.id, requestId })).rows.map(({ id }) => id);
      expect(await found(mine.requestId)).toEqual([mine.attempt]);
      expect(await found(foreign.requestId)).toEqual([]);
      expect(await found('\0')).toEqual([]);
    });
  });

  test('a contact named by text that is one user’s id and another’s username is refused with the reason', async () => {
    const { client } = await newApp();
    const one = await newPerson();
    const other = await newPerson();
    const sql = 'UPDATE users SET username = $2, username_key = $3 WHERE id = $1';
    await write(sql, [other.id, one.id, one.id.toLowerCase()]);
    await expect(addContact(client.id, one.id, actor, now)).rejects.toThrow('Use an email address');
    await addContact(client.id, other.email, actor, now);
    await setContacts(client.id, [one.email], actor, now);
    expect((await listContacts(client.id)).map(({ userId }) => userId)).toEqual([one.id]);
  });

  test('contacts are named by username or email, once each and up to a limit; each change has an audit event', async () => {
    const { client } = await newApp();
    const one = await newPerson();
    const two = await newPerson();
    await setContacts(client.id, [one.username, one.email], actor, now);
    await setContacts(client.id, [two.id, one.id, ''], actor, now);
    await setContacts(client.id, [two.id], actor, now);
    await removeContact(client.id, one.id, actor, now);
    expect(await listContacts(client.id)).toEqual([
      { userId: two.id, username: two.username, email: two.email, disabled: false, owner: false },
    ]);
    const events = await read(
      "SELECT type, user_id FROM audit_events WHERE client_id = $1 AND type LIKE 'client.contact%' ORDER BY id",
      [client.id],
    );
    expect(events.map(({ type, userId }) => [type, userId]).sort()).toEqual([
      ...[one.id, two.id].sort().map((id) => ['client.contact-added', id]),
      ['client.contact-removed', one.id],
    ]);
    await expect(addContact(client.id, 'nobody-here', actor, now)).rejects.toThrow('No one here');
    await expect(addContact('no-such-client', one.id, actor, now)).rejects.toThrow();
    const many = await Promise.all(Array.from({ length: mostContacts }, () => newPerson()));
    const ids = many.map(({ id }) => id);
    await expect(setContacts(client.id, [two.id, ...ids], actor, now)).rejects.toThrow('at most');
    await setContacts(client.id, ids, actor, now);
    await expect(addContact(client.id, two.id, actor, now)).rejects.toThrow('at most');
  });
});
