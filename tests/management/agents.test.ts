import { describe, expect, test } from 'vitest';
import { actingAs, type By, perform } from '#lib/management/act.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { clientActs } from '#lib/management/client/acts.ts';
import { setContacts } from '#lib/management/client/contacts.ts';
import { userActs } from '#lib/management/user/acts.ts';
import { askForDeletion, deleteDueAccounts } from '#lib/management/user/deletion.ts';
import { deleteUser, disableUser } from '#lib/management/user/users.ts';
import { findDeletion } from '#lib/store/account-deletion.ts';
import { agentsOfNobody, ownerOf } from '#lib/store/contacts.ts';
import { read } from '#lib/store/engine/database.ts';
import type { Session } from '#lib/store/sessions.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newPerson, unique } from './people.ts';

const by = (): By => ({ ...actingAs('admin', actor), now: new Date(), demandFresh: () => {} });
const app = () => ({ name: unique('App'), redirect_uris: ['https://app.example/cb'] });
const agentApp = () => ({ ...app(), agent: true });
const newAgent = (owner: string, more: object = {}) =>
  perform(clientActs.create, { ...agentApp(), owner, ...more }, by());
const update = (client_id: string, change: object) =>
  perform(clientActs.update, { client_id, ...change }, by());

onEachDatabase(() => {
  describe('an agent', () => {
    test('has one owner, who is among its contacts', async () => {
      const ann = await newPerson();
      const bob = await newPerson();
      const agent = await newAgent(ann.email, { contacts: [bob.username] });
      expect(agent).toMatchObject({ agent: true, owner: ann.username });
      expect([...agent.contacts].sort()).toEqual([ann.username, bob.username].sort());
      const handed = await update(agent.client_id, { owner: bob.id });
      expect(handed.owner).toBe(bob.username);
      expect(await ownerOf(agent.client_id)).toBe(bob.username);
      const types = (await listAudit({ clientId: agent.client_id })).rows.map(({ type }) => type);
      expect(types.filter((type) => type === 'client.owner-set')).toHaveLength(2);
    });

    test('is refused without an owner', async () => {
      const ann = await newPerson();
      const none = { ...app(), agent: true };
      expect(await faultsOf(perform(clientActs.create, none, by()))).toHaveProperty('agent');
      const plain = await perform(clientActs.create, app(), by());
      expect(plain).toMatchObject({ agent: false, owner: null });
      expect(await faultsOf(update(plain.client_id, { agent: true }))).toHaveProperty('agent');
      const made = await update(plain.client_id, { agent: true, owner: ann.username });
      expect(made).toMatchObject({ agent: true, owner: ann.username });
      expect(await faultsOf(update(plain.client_id, { owner: 'nobody-here' }))).toHaveProperty(
        'owner',
      );
    });

    test('counts as an agent without an owner while its owner is disabled', async () => {
      const ann = await newPerson();
      const agent = await newAgent(ann.email);
      const isOfNobody = async () => (await agentsOfNobody(10_000)).includes(agent.name);
      expect([await ownerOf(agent.client_id), await isOfNobody()]).toEqual([ann.username, false]);
      await disableUser(ann.id, actor, new Date());
      expect([await ownerOf(agent.client_id), await isOfNobody()]).toEqual([null, true]);
    });

    test('keeps its owner until another is named', async () => {
      const ann = await newPerson();
      const bob = await newPerson();
      const agent = await newAgent(ann.email);
      const remove = (user_id: string) =>
        perform(clientActs.removeContact, { client_id: agent.client_id, user_id }, by());
      expect(await faultsOf(remove(ann.id))).toHaveProperty('contact');
      const others = setContacts(agent.client_id, [bob.id], actor, new Date());
      expect(await faultsOf(others)).toHaveProperty('contact');
      await update(agent.client_id, { owner: bob.id, contacts: [] });
      expect(await ownerOf(agent.client_id)).toBe(bob.username);
    });

    test('goes to the successor of an owner who leaves, and is never left without an owner', async () => {
      const ann = await newPerson();
      const bob = await newPerson();
      const eve = await newPerson();
      // Being another contact does not make a person the owner.
      const agent = await newAgent(ann.email, { contacts: [bob.id] });
      const leave = (successor?: string) =>
        perform(userActs.leave, { id: ann.id, successor, account: 'disable' }, by());
      expect(await faultsOf(leave())).toHaveProperty('successor');
      await leave(bob.id);
      expect(await ownerOf(agent.client_id)).toBe(bob.username);
      await newAgent(eve.email);
      expect(await faultsOf(deleteUser(eve.id, actor, new Date()))).toHaveProperty('user');
    });

    test('prevents the deletion of its owner’s account until it has another owner', async () => {
      const ann = await newPerson();
      const bob = await newPerson();
      const agent = await newAgent(ann.email, { contacts: [bob.id] });
      const remove = (id: string) => perform(userActs.delete, { id }, by());
      const refused = await faultsOf(remove(ann.id));
      expect(refused.user).toContain(`“${agent.name}”`);
      expect(refused.user).toContain('user leave');
      // A person who only develops an agent, or whose app is no longer one, can be deleted.
      await remove(bob.id);
      await update(agent.client_id, { agent: false });
      await remove(ann.id);
      expect(await ownerOf(agent.client_id)).toBeNull();
    });

    test('prevents the deletion that its owner asked for', async () => {
      const ann = await newPerson();
      const bob = await newPerson();
      const agent = await newAgent(ann.email);
      const asked = (user: { id: string }) =>
        askForDeletion({ user, hash: '' } as Session, { id: user.id }, new Date());
      expect(await asked(ann)).toBe('answers-for-agent');
      expect(await asked(bob)).toBe('waits');
      // They became the agent's owner during the days before their deletion.
      await update(agent.client_id, { owner: bob.id });
      await deleteDueAccounts(new Date(Date.now() + 8 * 24 * 3600_000));
      expect(await ownerOf(agent.client_id)).toBe(bob.username);
      expect(await findDeletion(bob.id)).toBeNull();
      expect(await asked(ann)).toBe('waits');
    });

    test('never loses its owner while a new owner is named and both accounts are deleted at the same time', async () => {
      for (let round = 0; round < 10; round += 1) {
        const ann = await newPerson();
        const bob = await newPerson();
        const agent = await newAgent(ann.email);
        await Promise.allSettled([
          update(agent.client_id, { owner: bob.id }),
          deleteUser(bob.id, actor, new Date()),
          deleteUser(ann.id, actor, new Date()),
        ]);
        expect([ann.username, bob.username]).toContain(await ownerOf(agent.client_id));
      }
    });

    test('has one owner when several are named at the same time', async () => {
      const people = await Promise.all(Array.from({ length: 6 }, () => newPerson()));
      const agent = await newAgent(people[0]?.id ?? '');
      await Promise.all(people.map(({ id }) => update(agent.client_id, { owner: id })));
      const shown = await perform(clientActs.show, { client_id: agent.client_id }, by());
      expect(people.map(({ username }) => username)).toContain(shown.owner);
      const sql = 'SELECT user_id FROM client_contacts WHERE client_id = :id AND owner = TRUE';
      expect(await read(sql, { id: agent.client_id })).toHaveLength(1);
    });
  });
});
