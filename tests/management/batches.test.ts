import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { actingAs, type By, perform } from '#lib/management/act.ts';
import { addApiClients, removeApiClients } from '#lib/management/api/api-clients.ts';
import { createApi } from '#lib/management/api/apis.ts';
import { ownIdentifier } from '#lib/management/api/own-api.ts';
import { createApiKey, deleteApiKey } from '#lib/management/api-key/keys.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { batchActs } from '#lib/management/batch/acts.ts';
import { batches } from '#lib/management/batch/run.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers, listMembers } from '#lib/management/group/members.ts';
import { invite, listInvitations } from '#lib/management/invitation/invitations.ts';
import { setSetting } from '#lib/management/setting/settings.ts';
import {
  disableUser,
  listUsers,
  setAdmin,
  setRole,
  userWithId,
} from '#lib/management/user/users.ts';
import type { Role } from '#lib/people/roles.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newUser } from '../support/seed.ts';
import { actor, faultsOf, newApp, newPerson, unique } from './people.ts';

const now = () => new Date();
const by = (role: Role = 'admin', id = 'cli'): By => ({
  ...actingAs(role, { ...actor, id }),
  now: now(),
  demandFresh: () => {},
});
type Said = z.input<typeof batchActs.start.takes>;
const start = (said: Partial<Said>, as = by()) =>
  perform(batchActs.start, { operation: 'disable', ...said }, as);
const show = (id: string) => perform(batchActs.show, { id }, by());
const notDone = async (id: string) =>
  (await perform(batchActs.listNotDone, { id }, by())).not_done.map(({ id, reason }) => [
    id,
    reason,
  ]);
/** Works until nothing is waiting, whatever other processes had begun. */
const done = async (id: string) => {
  for (;;) {
    await batches.work(new Date(Date.now() + 60_000));
    const told = await show(id);
    if (told.finished_at) return told;
  }
};
const people = (count: number) => Promise.all(Array.from({ length: count }, () => newUser()));
const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id);
const eventsOf = async (userId: string) =>
  (await listAudit({ userId })).rows.map(({ type }) => type);

onEachDatabase(() => {
  // Batches that are started here are only worked on where a test says so.
  beforeAll(leaveQueuesToServer);

  describe('a batch (one act on many users)', () => {
    test('does the act to each user with its audit event, and counts users who were in that state before', async () => {
      const [one, other, before] = await people(3);
      const ids = idsOf([one, other, before] as { id: string }[]);
      await disableUser(ids[2] ?? '', actor, now());
      const begun = await start({ ids, expect: 3 });
      expect(begun).toMatchObject({ total: 3, waiting: 3, done: 0, finished_at: null });
      expect((await userWithId(ids[0] ?? '')).disabledAt).toBeNull();
      expect(await done(begun.id)).toMatchObject({ done: 2, already: 1, refused: 0, waiting: 0 });
      for (const id of ids) expect((await userWithId(id)).disabledAt).not.toBeNull();
      expect(
        (await eventsOf(ids[0] ?? '')).filter((type) => type === 'user.disabled'),
      ).toHaveLength(1);
      const [event] = (await listAudit({ type: 'user.disabled', userId: ids[0] })).rows;
      expect(event).toMatchObject({ actor: 'cli', requestId: actor.requestId });
      expect((await show(begun.id)).finished_at).not.toBeNull();
    });

    test('says of each user why it was refused: unknown, the last admin, oneself', async () => {
      const [someone] = await people(1);
      const boss = await newPerson({ admin: true });
      const others = (await listUsers({ admin: true, disabled: false, limit: 500 })).rows;
      for (const { id } of others) if (id !== boss.id) await setRole(id, 'none', actor, now());
      const begun = await start({ ids: [boss.id, 'nobody', someone?.id ?? ''] });
      expect(await done(begun.id)).toMatchObject({ done: 1, refused: 2, stopped: null });
      const reasons = Object.fromEntries(await notDone(begun.id));
      expect(reasons[boss.id]).toMatch(/last admin/);
      expect(reasons.nobody).toMatch(/no such user/);
      const self = await start({ ids: [boss.id] }, by('admin', boss.id));
      await done(self.id);
      expect(await notDone(self.id)).toEqual([[boss.id, expect.stringMatching(/^This is you/)]]);
      for (const { id } of others) await setAdmin(id, true, actor, now());
    });

    test('of the support role does nothing to users with a role, and only its owner may see and stop it', async () => {
      const helper = await newPerson();
      const friend = await newPerson();
      for (const { id } of [helper, friend]) await setRole(id, 'support', actor, now());
      const [someone] = await people(1);
      const ids = [friend.id, someone?.id ?? ''];
      const as = by('support', helper.id);
      await expect(start({ ids }, as)).rejects.toThrow('may not do this');
      const begun = await start({ operation: 'sign-out', ids }, as);
      await done(begun.id);
      expect(await notDone(begun.id)).toEqual([[friend.id, expect.stringMatching(/has a role/)]]);
      const other = by('support', friend.id);
      expect(await faultsOf(perform(batchActs.show, { id: begun.id }, other))).toHaveProperty(
        'batch',
      );
      expect(await faultsOf(perform(batchActs.stop, { id: begun.id }, other))).toHaveProperty(
        'batch',
      );
      expect((await perform(batchActs.list, {}, other)).batches).toEqual([]);
      expect((await perform(batchActs.list, {}, as)).batches).toHaveLength(1);
    });

    test('asks for the fresh sign-in that its act asks for', async () => {
      const stale = {
        ...by(),
        demandFresh: () => {
          throw new Error('stale');
        },
      };
      await expect(start({ ids: ['x'] }, stale)).rejects.toThrow('stale');
    });

    test('selects by a filter: users who have not signed in for 90 days and whose account is older than that', async () => {
      const [long, lately, young] = await people(3);
      const past = (days: number) => new Date(Date.now() - days * 86_400_000);
      const sql = 'UPDATE users SET last_sign_in_at = $2, created_at = $3 WHERE id = $1';
      await write(sql, [long?.id ?? '', past(91), past(400)]);
      await write(sql, [lately?.id ?? '', past(89), past(400)]);
      await write(sql, [young?.id ?? '', null, past(1)]);
      const begun = await start({ not_signed_in_for: '90 days', disabled: false });
      await done(begun.id);
      const isDisabled = async (id = '') => (await userWithId(id)).disabledAt !== null;
      expect(await isDisabled(long?.id)).toBe(true);
      expect(await isDisabled(lately?.id)).toBe(false);
      expect(await isDisabled(young?.id)).toBe(false);
    });

    test('selects by group, by second factor, and users who never signed in', async () => {
      const [one, other, apart] = idsOf(await people(3)) as [string, string, string];
      const { id: group } = await createGroup({ name: unique('group') }, actor, now());
      await addMembers(group, [one, other], actor, now());
      await write('UPDATE users SET last_sign_in_at = $2 WHERE id = $1', [other, now()]);
      const sql =
        'INSERT INTO totp_secrets (user_id, enrolment, sealed_secret, last_step, created_at) VALUES ($1, $1, $2, 0, $3)';
      await write(sql, [other, 'sealed', now()]);
      const enabled = async (said: Partial<Said>) => {
        for (const id of [one, other, apart]) await disableUser(id, actor, now());
        await done((await start({ operation: 'enable', ...said })).id);
        const states = await Promise.all([one, other, apart].map((id) => userWithId(id)));
        return states.map(({ disabledAt }) => disabledAt === null);
      };
      expect(await enabled({ member_of: group })).toEqual([true, true, false]);
      expect(await enabled({ member_of: group, second_step: true })).toEqual([false, true, false]);
      expect(await enabled({ member_of: group, second_step: false })).toEqual([true, false, false]);
      expect(await enabled({ never_signed_in: true })).toEqual([true, false, true]);
    });

    test('is refused if it does not say which users are meant, or if the expected number is wrong', async () => {
      const ids = idsOf(await people(2));
      for (const said of [
        {},
        { ids, everyone: true },
        { ids, q: 'a' },
        { everyone: false },
        // A filter that excludes no one does not count as a filter.
        { q: ' ' },
        { locked: false },
      ])
        expect(await faultsOf(start(said)), JSON.stringify(said)).toEqual({
          ids: expect.stringMatching(/in one way/),
        });
      expect(await faultsOf(start({ ids: [] }))).toEqual({
        '': expect.stringMatching(/^Select at least one/),
      });
      expect(await faultsOf(start({ ids, expect: 3 }))).toHaveProperty('expect');
      expect(await faultsOf(start({ q: unique('nobody') }))).toHaveProperty('');
      expect(await faultsOf(start({ member_of: '' }))).toHaveProperty('');
      const many = Array.from({ length: 10_001 }, (_, index) => `id${index}`);
      expect(await faultsOf(start({ ids: many }))).toHaveProperty('ids');
      expect(await faultsOf(start({ not_signed_in_for: 'ages' }))).toHaveProperty(
        'not_signed_in_for',
      );
      expect(await faultsOf(start({ operation: 'add-to-group', ids }))).toHaveProperty('group');
      expect(await faultsOf(start({ operation: 'resend-invitation', q: 'a' }))).toHaveProperty(
        'ids',
      );
    });

    test('adds users to a group and removes them', async () => {
      const { id: group } = await createGroup({ name: unique('group') }, actor, now());
      const ids = idsOf(await people(3));
      await addMembers(group, ids.slice(0, 1), actor, now());
      const added = await done((await start({ operation: 'add-to-group', group, ids })).id);
      expect(added).toMatchObject({ done: 2, already: 1 });
      expect((await listMembers(group)).rows).toHaveLength(3);
      const gone = await start({ operation: 'remove-from-group', group, ids: ids.slice(1) });
      expect(await done(gone.id)).toMatchObject({ done: 2 });
      expect((await listMembers(group)).rows).toHaveLength(1);
    });

    test('deletes and enables users, and sends invitations again with a new link', async () => {
      const ids = idsOf(await people(2));
      await disableUser(ids[0] ?? '', actor, now());
      await done((await start({ operation: 'enable', ids })).id);
      expect((await userWithId(ids[0] ?? '')).disabledAt).toBeNull();
      await done((await start({ operation: 'delete', ids })).id);
      expect(await faultsOf(userWithId(ids[0] ?? ''))).toHaveProperty('user');
      await setSetting('registration', 'invitation', actor, now());
      const email = `${unique('invited')}@example.org`;
      const { id } = await invite(email, actor, now());
      await done((await start({ operation: 'resend-invitation', ids: [id] })).id);
      const waiting = (await listInvitations(now())).filter((one) => one.email === email);
      expect(waiting).toHaveLength(1);
      expect(waiting[0]?.id).not.toBe(id);
    });

    test('ends when an admin stops it, and leaves the rest undone', async () => {
      const ids = idsOf(await people(2));
      const begun = await start({ ids });
      await perform(batchActs.stop, { id: begun.id }, by());
      const after = await done(begun.id);
      expect(after).toMatchObject({ done: 0, waiting: 2, stopped: 'Someone stopped it.' });
      expect((await userWithId(ids[0] ?? '')).disabledAt).toBeNull();
      const [stopped, started] = (await listAudit({ type: 'batch' })).rows;
      expect([started?.type, stopped?.type]).toEqual(['batch.started', 'batch.stopped']);
    });

    test('ends when the admin who started it loses the role, or the API key is gone', async () => {
      const boss = await newPerson({ admin: true });
      const [someone] = await people(1);
      const ids = [someone?.id ?? ''];
      const begun = await start({ ids }, by('admin', boss.id));
      await setRole(boss.id, 'auditor', actor, now());
      expect(await done(begun.id)).toMatchObject({
        done: 0,
        waiting: 1,
        stopped: expect.stringMatching(/no longer allowed/),
      });
      const byKey = await start({ ids }, by('admin', 'key:gone'));
      expect(await done(byKey.id)).toMatchObject({ done: 0, stopped: expect.any(String) });
    });

    test('ends when the API key that started it loses its rights', async () => {
      const [someone] = await people(1);
      const ids = [someone?.id ?? ''];
      const key = (name: string, rights: string[]) => createApiKey({ name, rights }, actor, now());
      const [held, lost] = [unique('held'), unique('lost')];
      await key(held, ['user:loosen']);
      const goesOn = await start({ ids }, by('admin', `key:${held}`));
      expect(await done(goesOn.id)).toMatchObject({ done: 1, stopped: null });
      const { id } = await key(lost, ['user:loosen']);
      const begun = await start({ operation: 'enable', ids }, by('admin', `key:${lost}`));
      await deleteApiKey(id, actor, now());
      // Another key with the same name and fewer rights.
      await key(lost, ['user:write', 'batch:loosen']);
      expect(await done(begun.id)).toMatchObject({ done: 0, stopped: expect.any(String) });
      expect((await userWithId(ids[0] ?? '')).disabledAt).not.toBeNull();
    });

    test('ends if its API key may not add people to the groups of the invitation', async () => {
      await setSetting('registration', 'invitation', actor, now());
      const group = await createGroup({ name: unique('group') }, actor, now());
      const email = `${unique('invited')}@example.org`;
      const { id } = await invite(email, actor, now(), [group.id]);
      const name = unique('key');
      await createApiKey({ name, rights: ['invitation:loosen'] }, actor, now());
      const begun = await start(
        { operation: 'resend-invitation', ids: [id] },
        by('admin', `key:${name}`),
      );
      expect(await done(begun.id)).toMatchObject({ done: 0, stopped: expect.any(String) });
      expect((await listInvitations(now())).map((one) => one.id)).toContain(id);
    });

    test('ends when the app that started it is removed from the API of this server', async () => {
      const [someone] = await people(1);
      const ids = [someone?.id ?? ''];
      const { client: app } = await newApp();
      const scopes = [{ name: 'user:loosen', description: 'People' }];
      const own = { identifier: ownIdentifier(), name: 'Own', access: 'listed', scopes } as const;
      const api = await createApi(own, actor, now());
      await addApiClients(api.id, 'asks', [app.id], { actor, now: now() });
      const as = by('admin', `client:${app.id}`);
      expect(await done((await start({ ids }, as)).id)).toMatchObject({ done: 1, stopped: null });
      const begun = await start({ operation: 'enable', ids }, as);
      await removeApiClients(api.id, 'asks', [app.id], { actor, now: now() });
      expect(await done(begun.id)).toMatchObject({ done: 0, stopped: expect.any(String) });
      expect((await userWithId(ids[0] ?? '')).disabledAt).not.toBeNull();
    });

    test('is refused while 20 are under way', async () => {
      const ids = idsOf(await people(1));
      const begun = [];
      for (let count = 0; count < 20; count += 1)
        begun.push(await start({ operation: 'enable', ids }));
      expect(await faultsOf(start({ operation: 'enable', ids }))).toEqual({
        '': expect.stringMatching(/At most 20/),
      });
      for (const { id } of begun) expect(await done(id)).toMatchObject({ already: 1 });
    });

    test('loses nothing and does nothing twice when its process is killed', async () => {
      const ids = idsOf(await people(200));
      const { id: group } = await createGroup({ name: unique('group') }, actor, now());
      const begun = await start({ operation: 'add-to-group', group, ids, note: 'all' });
      const file = resolve(import.meta.dirname, '../support/work-and-die.ts');
      const child = fork(file, [begun.id, '7']);
      await once(child, 'exit');
      const middle = await show(begun.id);
      expect(middle.done).toBeGreaterThanOrEqual(7);
      expect(middle.waiting).toBeGreaterThan(0);
      expect((await listMembers(group, { limit: 500 })).rows).toHaveLength(middle.done);
      expect(await done(begun.id)).toMatchObject({ done: 200, already: 0, refused: 0 });
      const added = (await listAudit({ type: 'group.member-added', limit: 500 })).rows.filter(
        ({ detail }) => detail.id === group,
      );
      expect(added).toHaveLength(200);
    });

    test('does each item once while two processes work on it at the same time', async () => {
      const ids = idsOf(await people(20));
      const { id: group } = await createGroup({ name: unique('group') }, actor, now());
      const begun = await start({ operation: 'add-to-group', group, ids });
      const late = new Date(Date.now() + 60_000);
      await Promise.all([batches.work(), batches.work(late), batches.work(late)]);
      expect(await done(begun.id)).toMatchObject({ done: 20, already: 0 });
    });

    test('is deleted 30 days after its end, with its items', async () => {
      const begun = await start({ operation: 'enable', ids: idsOf(await people(2)) });
      await done(begun.id);
      await deleteExpired(new Date(Date.now() + 29 * 86_400_000));
      expect(await show(begun.id)).toMatchObject({ total: 2 });
      await deleteExpired(new Date(Date.now() + 31 * 86_400_000));
      expect(await faultsOf(show(begun.id))).toHaveProperty('batch');
      const sql = 'SELECT position FROM batch_items WHERE batch_id = $1';
      expect(await read(sql, [begun.id])).toEqual([]);
    });
  });
});
