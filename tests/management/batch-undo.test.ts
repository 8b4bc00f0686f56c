import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { actingAs, type By, perform } from '#lib/management/act.ts';
import { createApiKey } from '#lib/management/api-key/keys.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { batchActs } from '#lib/management/batch/acts.ts';
import { operationNamed, operationNames } from '#lib/management/batch/operations.ts';
import { batches } from '#lib/management/batch/run.ts';
import { createGroup, deleteGroup } from '#lib/management/group/groups.ts';
import { addMembers, addMembersUntil, removeMembers } from '#lib/management/group/members.ts';
import {
  disableUser,
  enableUser,
  setEnd,
  setRole,
  userWithId,
} from '#lib/management/user/users.ts';
import type { Role } from '#lib/people/roles.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newUser } from '../support/seed.ts';
import { actor, faultsOf, newPerson, unique } from './people.ts';

const now = () => new Date();
const by = (role: Role = 'admin', id = 'cli'): By => ({
  ...actingAs(role, { ...actor, id }),
  now: now(),
  demandFresh: () => {},
});
type Said = z.input<typeof batchActs.start.takes>;
const show = (id: string) => perform(batchActs.show, { id }, by());
const done = async (id: string) => {
  for (;;) {
    await batches.work(new Date(Date.now() + 60_000));
    const told = await show(id);
    if (told.finished_at) return told;
  }
};
const doneBy = async (said: Said) =>
  (await done((await perform(batchActs.start, said, by())).id)).id;
const plan = (id: string, as = by()) => perform(batchActs.planUndo, { id }, as);
const undo = (id: string, as = by()) => perform(batchActs.undo, { id }, as);
const undone = async (id: string) => done((await undo(id)).id);
const reasons = async (id: string) =>
  Object.fromEntries(
    (await perform(batchActs.listNotDone, { id }, by())).not_done.map(({ id, reason }) => [
      id,
      reason,
    ]),
  );
const day = 86_400_000;
const later = (days: number) => new Date(Date.now() + days * day);
const people = async (count: number) => {
  const made = await Promise.all(Array.from({ length: count }, () => newUser()));
  return made.map(({ id }) => id) as [string, string, string, string, string];
};
const newGroup = async () => (await createGroup({ name: unique('group') }, actor, now())).id;

/** Everything a bulk act may change, but for what says that something was changed. */
async function rowsOf(id: string) {
  const [user] = await read(
    'SELECT disabled_at, ends_at, end_reason, deletion_at, require_second_factor, is_admin, role FROM users WHERE id = :id',
    { id },
  );
  const groups = await read(
    'SELECT group_id, created_at, ends_at, end_told_at FROM group_members WHERE user_id = :id ORDER BY group_id',
    { id },
  );
  const links = await read('SELECT disabled_by_it FROM directory_people WHERE user_id = :id', {
    id,
  });
  return { user, groups, links };
}

onEachDatabase(() => {
  beforeAll(leaveQueuesToServer);

  describe('undoing a batch', () => {
    test.each(
      operationNames.filter((name) => name !== 'delete' && operationNamed(name)?.undo !== 'never'),
    )(
      'puts back what %s changed, to the letter, and only for those it changed',
      async (operation) => {
        const ids = await people(5);
        const [plainly, ending, leaving, other, before] = ids;
        const group = await newGroup();
        const gives = operationNamed(operation)?.undo;
        const wasOn =
          gives !== 'never' && !gives?.gives ? [before] : [plainly, ending, leaving, other];
        await addMembersUntil(group, { people: wasOn, endsAt: later(40) }, actor, now());
        await setEnd(ending, later(50), actor, now());
        await write('UPDATE users SET deletion_at = :at WHERE id = :id', {
          id: leaving,
          at: later(9),
        });
        if (operation === 'enable')
          for (const id of [plainly, ending, leaving, other]) await disableUser(id, actor, now());
        if (operation === 'enable')
          await write('UPDATE users SET ends_at = :at, end_reason = :why WHERE id = :id', {
            id: ending,
            at: later(-3),
            why: 'unused',
          });
        await write(
          `INSERT INTO directory_people (directory, entry_id, user_id, dn, disabled_by_it, created_at, last_seen_at)
            VALUES ('staff', :id, :id, 'uid=x', :it, :now, :now)`,
          { id: other, now: now(), it: operation === 'enable' },
        );
        if (operation === 'disable') await disableUser(before, actor, now());
        const end = operation === 'set-end' ? later(60) : null;
        if (end) await setEnd(before, end, actor, now());
        if (operation === 'require-second-factor')
          await write('UPDATE users SET require_second_factor = TRUE WHERE id = :id', {
            id: before,
          });
        const state = () => Promise.all(ids.map(rowsOf));
        const was = await state();
        const until = end ? { ends_at: end.toISOString() } : {};
        const id = await doneBy({ operation: operation as 'disable', ids, group, ...until });
        expect(await show(id)).toMatchObject({ done: 4, already: 1, can_undo: 4, undoes: null });
        expect(await state()).not.toEqual(was);
        expect(await plan(id)).toMatchObject({ people: 4, left_alone: 0, operation });
        const after = await undone(id);
        expect(after).toMatchObject({
          operation: 'undo',
          undoes: id,
          done: 4,
          refused: 0,
          total: 4,
        });
        expect(await state()).toEqual(was);
        expect(await show(id)).toMatchObject({ can_undo: 0 });
        expect(await faultsOf(undo(id))).toEqual({ batch: expect.stringMatching(/been undone/) });
        expect(await faultsOf(undo(after.id))).toEqual({
          batch: expect.stringMatching(/can’t be/),
        });
        const [event] = (await listAudit({ type: 'batch.undone' })).rows;
        expect(event?.detail).toMatchObject({ operation, count: 4, undoes: id, batch: after.id });
      },
    );

    test('leaves alone and names whoever has changed since, was deleted, or whose time is over', async () => {
      const ids = await people(5);
      const [same, again, gone, over, ends] = ids;
      await setEnd(over, later(30), actor, now());
      const id = await doneBy({ operation: 'disable', ids });
      await enableUser(again, actor, now());
      await disableUser(again, actor, later(0.001));
      await write('DELETE FROM users WHERE id = :id', { id: gone });
      await write('UPDATE batch_items SET kept = replace(kept, :from, :to) WHERE batch_id = :id', {
        id,
        from: `"endsAt":${(await userWithId(over)).endsAt?.getTime()}`,
        to: `"endsAt":${Date.now()}`,
      });
      await write('UPDATE users SET ends_at = :at WHERE id = :id', {
        id: over,
        at: new Date(Date.now()),
      });
      await write('UPDATE users SET ends_at = :at WHERE id = :id', { id: ends, at: later(3) });
      const planned = await plan(id);
      expect(planned).toMatchObject({ people: 1, left_alone: 4 });
      const after = await undone(id);
      expect(after).toMatchObject({ done: 1, refused: 4 });
      const said = await reasons(after.id);
      expect(said).toEqual(Object.fromEntries(planned.who.map((one) => [one.id, one.reason])));
      expect(said[again]).toMatch(/changed this person since/);
      expect(said[gone]).toMatch(/deleted since/);
      expect(said[ends]).toMatch(/changed this person since/);
      expect((await userWithId(again)).disabledAt).not.toBeNull();
      expect((await userWithId(same)).disabledAt).toBeNull();
    });

    test('leaves memberships alone that were made anew, and does nothing without the group', async () => {
      const ids = await people(2);
      const group = await newGroup();
      const id = await doneBy({ operation: 'add-to-group', group, ids });
      await removeMembers(group, [ids[0]], actor, now());
      await addMembers(group, [ids[0]], actor, later(0.0001));
      expect(await undone(id)).toMatchObject({ done: 1, refused: 1 });
      expect((await rowsOf(ids[0])).groups).toHaveLength(1);
      const further = await doneBy({ operation: 'remove-from-group', group, ids: [ids[0]] });
      await deleteGroup(group, actor, now());
      expect(await faultsOf(undo(further))).toHaveProperty('group');
    });

    test('does not give back a membership whose last day has passed', async () => {
      const [one] = await people(1);
      const group = await newGroup();
      await addMembersUntil(group, { people: [one], endsAt: later(1) }, actor, now());
      const id = await doneBy({ operation: 'remove-from-group', group, ids: [one] });
      const late = { ...by(), now: later(1) };
      expect(await plan(id, late)).toMatchObject({ people: 0, left_alone: 1 });
      expect(await plan(id)).toMatchObject({ people: 1, left_alone: 0 });
    });

    test('is refused while the batch runs, and for what cannot be undone', async () => {
      const ids = await people(1);
      const begun = await perform(batchActs.start, { operation: 'disable', ids }, by());
      expect(await faultsOf(undo(begun.id))).toEqual({ batch: expect.stringMatching(/running/) });
      await done(begun.id);
      const out = await doneBy({ operation: 'sign-out', ids });
      expect(await faultsOf(plan(out))).toEqual({
        batch: expect.stringMatching(/can’t be undone/),
      });
    });

    test('needs the rights of the act, when it starts and as it goes on', async () => {
      const ids = await people(2);
      const group = await newGroup();
      const removed = async () => {
        await addMembers(group, ids, actor, now());
        return doneBy({ operation: 'remove-from-group', group, ids });
      };
      const id = await removed();
      const helper = await newPerson();
      await setRole(helper.id, 'support', actor, now());
      await write('UPDATE batches SET made_by = :by WHERE id = :id', { id, by: helper.id });
      await expect(undo(id, by('support', helper.id))).rejects.toThrow('may not undo this');
      await expect(plan(id, by('support', helper.id))).rejects.toThrow('may not undo this');
      await newPerson({ admin: true });
      const boss = await newPerson({ admin: true });
      const begun = await undo(id, by('admin', boss.id));
      await setRole(boss.id, 'auditor', actor, now());
      expect(await done(begun.id)).toMatchObject({ done: 0, stopped: expect.any(String) });
      expect((await rowsOf(ids[0])).groups).toEqual([]);
      const name = unique('key');
      await createApiKey({ name, rights: ['batch:loosen', 'user:loosen'] }, actor, now());
      const byKey = await undo(id, by('admin', `key:${name}`));
      expect(await done(byKey.id)).toMatchObject({ done: 0, stopped: expect.any(String) });
      // Whoever may, still can: nothing was undone so far.
      expect(await undone(id)).toMatchObject({ done: 2 });
    });

    test('never gives back to someone out of the reach of whoever undoes it', async () => {
      const [one] = await people(1);
      const boss = await newPerson({ admin: true });
      const id = await doneBy({ operation: 'enable', ids: [await disabled(one), boss.id] });
      expect(await plan(id)).toMatchObject({ people: 1 });
      const self = await doneBy({ operation: 'enable', ids: [await disabled(boss.id)] });
      const after = await done((await undo(self, by('admin', boss.id))).id);
      expect(Object.values(await reasons(after.id))).toEqual([
        expect.stringMatching(/^This is you/),
      ]);
    });

    test('happens once, with two processes and two who press at the same moment', async () => {
      const ids = await people(5);
      const group = await newGroup();
      const id = await doneBy({ operation: 'add-to-group', group, ids });
      const pressed = await Promise.allSettled([undo(id), undo(id)]);
      expect(pressed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const late = later(0.01);
      await Promise.all([batches.work(), batches.work(late), batches.work(late)]);
      const removed = (await listAudit({ type: 'group.member-removed', limit: 500 })).rows.filter(
        ({ detail }) => detail.id === group,
      );
      expect(removed).toHaveLength(5);
      expect(await show(id)).toMatchObject({ can_undo: 0 });
    });

    test('goes on where it was killed', async () => {
      const ids = (await Promise.all(Array.from({ length: 200 }, () => newUser()))).map(
        ({ id }) => id,
      );
      const group = await newGroup();
      const note = 'a test';
      const id = await doneBy({ operation: 'add-to-group', group, ids, note });
      const begun = await undo(id);
      const file = resolve(import.meta.dirname, '../support/work-and-die.ts');
      await once(fork(file, [begun.id, '7']), 'exit');
      const middle = await show(begun.id);
      expect(middle.done).toBeGreaterThanOrEqual(7);
      expect(middle.waiting).toBeGreaterThan(0);
      const inside = await read('SELECT user_id FROM group_members WHERE group_id = :group', {
        group,
      });
      expect(inside).toHaveLength(200 - middle.done);
      expect(await show(id)).toMatchObject({ can_undo: 200 - middle.done });
      expect(await done(begun.id)).toMatchObject({ done: 200, refused: 0 });
    });
  });

  describe('a batch', () => {
    test('says who started it, why, and by which filter', async () => {
      const ids = (await Promise.all(Array.from({ length: 21 }, () => newUser()))).map(
        ({ id }) => id,
      );
      const start = (said: Partial<Said>) =>
        perform(batchActs.start, { operation: 'enable', ids, ...said }, by());
      expect(await faultsOf(start({}))).toEqual({
        note: expect.stringMatching(/21 people.*above 20/),
      });
      expect(await faultsOf(start({ note: '\u202e' }))).toHaveProperty('note');
      expect(await faultsOf(start({ note: 'x'.repeat(501) }))).toHaveProperty('note');
      const told = await start({ note: '  They came back.  ' });
      expect(told).toMatchObject({ note: 'They came back.', made_by: 'cli', chosen_by: null });
      const group = await createGroup({ name: unique('group') }, actor, now());
      await addMembers(group.id, ids.slice(0, 2), actor, now());
      const simply = await start({ ids: undefined, member_of: group.id, disabled: false });
      expect(simply.chosen_by).toEqual({ member_of: group.name, disabled: 'false' });
      for (const { id } of [told, simply]) await done(id);
    });
  });
});

async function disabled(id: string): Promise<string> {
  await disableUser(id, actor, now());
  return id;
}
