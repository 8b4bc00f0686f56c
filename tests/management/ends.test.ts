import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { allow, showAccess } from '#lib/management/client/access.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers, addMembersUntil, listMembers } from '#lib/management/group/members.ts';
import {
  disableUser,
  enableUser,
  setEnd,
  setRole,
  userWithId,
} from '#lib/management/user/users.ts';
import { endOrNever } from '#lib/management/values.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';
import { mayUse } from '#lib/store/access.ts';
import { endAllDue, endDue } from '#lib/store/ends.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { findSession, storeSession } from '#lib/store/sessions.ts';
import { findUser } from '#lib/store/users.ts';
import { forChange } from '../lanes.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newApp, newPerson, unique } from './people.ts';

const now = new Date();
const day = 24 * 3600_000;
const inDays = (days: number) => new Date(now.getTime() + days * day);
const justBefore = (at: Date) => new Date(at.getTime() - 1);
const newGroup = () => createGroup({ name: unique('group') }, actor, now);

/** What the date did to a person. */
const endsOf = async (userId: string) =>
  (
    await read<{ type: string }>(
      "SELECT type FROM audit_events WHERE user_id = :userId AND actor = 'date' ORDER BY type",
      { userId },
    )
  ).map(({ type }) => type);

/** A person whose account, membership and place on a list all end on the same day. */
async function newContractor(end: Date) {
  const person = await newPerson();
  const group = await newGroup();
  const { client: app } = await newApp();
  await addMembersUntil(group.id, { people: [person.id], endsAt: end }, actor, now);
  await allow(app.id, { groups: [], people: [person.id], endsAt: end }, actor, now);
  await setEnd(person.id, end, actor, now);
  return { person, group, app };
}

/** A session of theirs that lasts for hours; the digest of its cookie. */
async function newSession(userId: string): Promise<string> {
  const { epoch, passwordHash } = (await findUser(userId)) ?? { epoch: 0, passwordHash: null };
  const hash = `session of ${userId}`;
  const of = { hash, userId, epoch, passwordHash, amr: 'pwd', brief: false };
  const expiresAt = inDays(1);
  expect(
    await storeSession({ ...of, expiresAt, userAgent: null, address: null }, now),
  ).toBeTruthy();
  return hash;
}

onEachDatabase(() => {
  beforeAll(() => leaveQueuesToServer());

  describe('an end date', () => {
    test('ends an account, a membership and a place on a list at its moment, and the event says so', async () => {
      const end = inDays(0.01);
      const { person, group, app } = await newContractor(end);
      const cookieHash = await newSession(person.id);
      await endAllDue(justBefore(end));
      expect(await endsOf(person.id)).toEqual([]);
      expect((await findSession(cookieHash, justBefore(end))).session?.user.id).toBe(person.id);
      await endAllDue(end);
      expect(await userWithId(person.id)).toMatchObject({ disabledAt: end, endsAt: end });
      expect((await listMembers(group.id)).rows).toEqual([]);
      expect((await showAccess(app.id)).people).toEqual([]);
      expect(await endsOf(person.id)).toEqual([
        'client.user-disallowed',
        'group.member-removed',
        'user.disabled',
      ]);
    });

    test('counts when it is used, even if nothing has ended it yet', async () => {
      const end = inDays(0.02);
      const { person, app } = await newContractor(end);
      const cookieHash = await newSession(person.id);
      await endDue(justBefore(end));
      expect(await mayUse(person.id, { id: app.id, access: 'listed' })).toBe(true);
      expect((await findSession(cookieHash, end)).session).toBeNull();
      expect(await mayUse(person.id, { id: app.id, access: 'listed' })).toBe(false);
      expect(await endsOf(person.id)).toHaveLength(3);
    });

    test('can be moved and taken away; people who are there already get the new one', async () => {
      const { person, group, app } = await newContractor(inDays(10));
      const people = [person.id];
      await addMembers(group.id, people, actor, now);
      expect((await listMembers(group.id)).rows).toMatchObject([{ endsAt: inDays(10) }]);
      await addMembersUntil(group.id, { people, endsAt: null }, actor, now);
      await allow(app.id, { groups: [], people, endsAt: inDays(20) }, actor, now);
      await setEnd(person.id, null, actor, now);
      await endAllDue(inDays(11));
      expect(await endsOf(person.id)).toEqual([]);
      expect((await listMembers(group.id)).rows).toMatchObject([{ endsAt: null }]);
      await endAllDue(inDays(20));
      expect(await endsOf(person.id)).toEqual(['client.user-disallowed']);
    });

    test('does not disable an account again that an admin enabled after it', async () => {
      const { person } = await newContractor(inDays(5));
      await endAllDue(inDays(5));
      await enableUser(person.id, actor, inDays(6));
      await endAllDue(inDays(7));
      expect(await userWithId(person.id)).toMatchObject({ disabledAt: null, endsAt: null });
    });

    test('that is over, or for an admin, is refused; someone with one does not become an admin', async () => {
      const person = await newPerson();
      const admin = await newPerson({ admin: true });
      const { client: app } = await newApp();
      const groups = [await newGroup()];
      const over = await faultsOf(setEnd(person.id, now, actor, now));
      expect(over.ends_at).toContain('is over');
      expect(await faultsOf(setEnd(person.id, inDays(365 * 21), actor, now))).toHaveProperty(
        'ends_at',
      );
      expect(await faultsOf(setEnd(admin.id, inDays(9), actor, now))).toHaveProperty('ends_at');
      await setEnd(person.id, inDays(9), actor, now);
      expect(await faultsOf(setRole(person.id, 'admin', actor, now))).toHaveProperty('ends_at');
      expect(
        await faultsOf(allow(app.id, { groups, people: [], endsAt: inDays(9) }, actor, now)),
      ).toHaveProperty('ends_at');
    });

    test('shuts a sign-in out by the clock alone', async () => {
      const { id } = await newPerson();
      await write('UPDATE users SET ends_at = :at WHERE id = :id', {
        id,
        at: justBefore(now),
      });
      expect(await findUser(id)).toMatchObject({ disabled: true });
      await disableUser(id, actor, now);
    });
  });

  test('ends: several processes, killed anywhere, end each thing exactly once', {
    timeout: 120_000,
  }, async () => {
    const end = inDays(30);
    const many = [];
    for (let one = 0; one < 60; one += 1) many.push(await newContractor(end));
    for (const delay of forChange ? [5, 40] : [0, 5, 15, 40]) {
      const children = [1, 2].map(() =>
        fork(new URL('../support/end-due.ts', import.meta.url), [String(end.getTime())], {
          env: process.env,
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        }),
      );
      await Promise.all(children.map((child) => once(child, 'message')));
      await after(delay);
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    }
    await Promise.all([endAllDue(end), endAllDue(end)]);
    for (const { person } of many)
      expect(await endsOf(person.id)).toEqual([
        'client.user-disallowed',
        'group.member-removed',
        'user.disabled',
      ]);
  });
});

test('an end is a moment, or a day up to its end in UTC, or never', () => {
  const ends = (said: unknown) => endOrNever.parse(said)?.toISOString() ?? null;
  expect(ends('2031-02-28')).toBe('2031-03-01T00:00:00.000Z');
  expect(ends('2031-02-28T18:00:00+01:00')).toBe('2031-02-28T17:00:00.000Z');
  expect([ends('never'), ends(null)]).toEqual([null, null]);
  for (const said of ['2031-02-30', 'tomorrow', '', '28.02.2031'])
    expect(endOrNever.safeParse(said).success, said).toBe(false);
});
