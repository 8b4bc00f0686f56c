import { beforeAll, expect, test } from 'vitest';
import { finishRegistration, openAccountLink } from '#lib/identity/registration.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { createGroup, deleteGroup, groupsOf } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { invite, listInvitations } from '#lib/management/invitation/invitations.ts';
import { setSetting } from '#lib/management/setting/settings.ts';
import { createUser } from '#lib/management/user/users.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newPerson, password, unique } from './people.ts';

const now = new Date();
const newGroup = () => createGroup({ name: unique('group') }, actor, now);
const tokenOf = ({ link }: { link: string }) => new URL(link).searchParams.get('token') ?? '';

/** A person accepts an invitation. */
async function accept(made: { link: string }, username = unique('new')) {
  const link = await openAccountLink(tokenOf(made), now);
  const request = { address: '192.0.2.9', id: 'request-2' } as Parameters<
    typeof finishRegistration
  >[2];
  return finishRegistration(link ?? expect.fail(), { username, name: '', password }, request, now);
}

onEachDatabase(() => {
  beforeAll(async () => {
    await setSetting('REGISTRATION', 'invitation', actor, now);
  });

  test('a user who accepts an invitation becomes a member of its groups that still exist', async () => {
    const groups = await Promise.all([newGroup(), newGroup(), newGroup()]);
    const [one, two, gone] = groups;
    const email = `${unique('new')}@example.org`;
    const inviter = { ...actor, id: (await newPerson({ admin: true })).id };
    const keys = [one.name, two.id, gone.name.toUpperCase(), one.id];
    const made = await invite(email, inviter, now, keys);
    expect(made.groups).toEqual(groups.map(({ name }) => name));
    await deleteGroup(gone.id, actor, now);
    const waiting = (await listInvitations(now)).find((each) => each.email === email);
    expect(waiting?.groups.sort()).toEqual([one.name, two.name].sort());
    const accepted = await accept(made);
    const { id } = typeof accepted === 'object' && 'id' in accepted ? accepted : expect.fail();
    expect((await groupsOf(id)).map((group) => group.id).sort()).toEqual([one.id, two.id].sort());
    const events = (await listAudit({ userId: id, type: 'group' })).rows;
    expect(events.map(({ actor: by, detail }) => [by, detail.id]).sort()).toEqual(
      [one.id, two.id].map((group) => [inviter.id, group]).sort(),
    );
  });

  test('an invitation can be accepted while one of its groups is deleted', async () => {
    for (let round = 0; round < 6; round += 1) {
      const groups = await Promise.all([newGroup(), newGroup()]);
      const email = `${unique('new')}@example.org`;
      const made = await invite(
        email,
        actor,
        now,
        groups.map(({ id }) => id),
      );
      const [accepted] = await Promise.all([
        accept(made),
        deleteGroup(groups[0].id, actor, now),
        newPerson(),
      ]);
      expect(accepted).toHaveProperty('id');
      const { id } = (await findUserByLogin(email)) ?? expect.fail();
      expect((await groupsOf(id)).map((group) => group.id)).toEqual([groups[1].id]);
    }
  });

  test('an invitation refuses unknown groups, more than 50, and groups from an actor without that right', async () => {
    const email = `${unique('new')}@example.org`;
    expect((await faultsOf(invite(email, actor, now, ['nothing']))).groups).toContain('“nothing”');
    const helper = { ...actor, reach: 'people' } as const;
    const group = await newGroup();
    expect(await faultsOf(invite(email, helper, now, [group.id]))).toHaveProperty('groups');
    const many = await Promise.all(Array.from({ length: 51 }, newGroup));
    const ids = many.map(({ id }) => id);
    expect((await faultsOf(invite(email, actor, now, ids))).groups).toContain('at most 50');
    expect((await invite(email, actor, now, ids.slice(1))).groups).toHaveLength(50);
  });

  test('a user created with groups is a member of them; an unknown group prevents the creation', async () => {
    const groups = await Promise.all([newGroup(), newGroup()]);
    const username = unique('person');
    const input = { username, email: `${username}@example.org`, password };
    const keys = groups.map(({ name }) => name);
    expect(
      await faultsOf(createUser({ ...input, groups: [...keys, 'nothing'] }, actor, now)),
    ).toHaveProperty('groups');
    expect(await findUserByLogin(username)).toBeNull();
    const { id } = await createUser({ ...input, groups: keys }, actor, now);
    expect((await groupsOf(id)).map(({ name }) => name)).toEqual(keys.sort());
    expect((await addMembers(groups[0].id, [id], actor, now)).already).toEqual([id]);
  });
});
