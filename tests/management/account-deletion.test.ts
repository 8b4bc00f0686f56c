import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { sealedLetter } from '#lib/mail/letter.ts';
import { setSetting } from '#lib/management/setting/settings.ts';
import {
  askForDeletion,
  cancelDeletion,
  deleteDueAccounts,
} from '#lib/management/user/deletion.ts';
import * as users from '#lib/management/user/users.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';
import { read, write } from '#lib/store/engine/database.ts';
import type { Session } from '#lib/store/sessions.ts';
import { findUser } from '#lib/store/users.ts';
import { forChange } from '../lanes.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newPerson } from './people.ts';

const now = new Date();
const day = 24 * 3600_000;
const inDays = (days: number) => new Date(now.getTime() + days * day);

const sessionOf = (user: { id: string; username: string; email: string }) =>
  ({ hash: `session of ${user.id}`, user }) as Session;

/** A user who asked for the deletion of their account, which is due in seven days. */
async function newLeaver(more: Parameters<typeof newPerson>[0] = {}) {
  const user = await newPerson(more);
  expect(await askForDeletion(sessionOf(user), { id: user.id }, now)).toBe('waits');
  return user;
}

const eventsOf = async (id: string) =>
  (
    await read<{ type: string }>(
      'SELECT type FROM audit_events WHERE user_id = :id ORDER BY at, id',
      {
        id,
      },
    )
  ).map(({ type }) => type);

/** The addresses that received a mail because their account was deleted. */
async function farewells(): Promise<string[]> {
  const rows = await read<{ sealed: string }>('SELECT sealed FROM outgoing_mails', {});
  const letters = await Promise.all(rows.map(({ sealed }) => sealedLetter.open(sealed)));
  return letters.flatMap((letter) => (letter?.kind === 'account-deleted' ? [letter.email] : []));
}

onEachDatabase(() => {
  beforeAll(async () => {
    leaveQueuesToServer();
    await newPerson({ admin: true });
    await newPerson({ admin: true });
  });

  test('account deletion: nothing is deleted before the day, everything on it, and a mail confirms it', async () => {
    const { id, username, email } = await newLeaver();
    expect((await findUser(id))?.deletionAt).toEqual(inDays(7));
    await deleteDueAccounts(inDays(6.9));
    expect(await findUser(id)).not.toBeNull();
    await deleteDueAccounts(inDays(7));
    expect(await findUser(id)).toBeNull();
    expect((await eventsOf(id)).sort()).toEqual([
      'user.created',
      'user.deleted',
      'user.deletion-requested',
    ]);
    expect(await farewells()).toContain(email);
    // The user name stays reserved, as after every deletion.
    expect(await faultsOf(newPerson({ username }))).toHaveProperty('username');
  });

  test('account deletion: a second request does not move the day; after a cancellation the user can ask again', async () => {
    const user = await newLeaver();
    const [later, again] = [inDays(2), inDays(9)];
    expect(await askForDeletion(sessionOf(user), { id: user.id }, later)).toBe('unchanged');
    expect((await findUser(user.id))?.deletionAt).toEqual(inDays(7));
    await cancelDeletion(user.id, { id: user.id }, later);
    await deleteDueAccounts(inDays(400));
    expect(await findUser(user.id)).toMatchObject({ deletionAt: null });
    expect(await faultsOf(cancelDeletion(user.id, actor, later))).toHaveProperty('user');
    expect(await askForDeletion(sessionOf(user), { id: user.id }, later)).toBe('waits');
    expect((await findUser(user.id))?.deletionAt).toEqual(again);
  });

  test('account deletion: the setting defers it, makes it immediate or turns it off; earlier requests keep their day', async () => {
    const before = await newLeaver();
    await setSetting('ACCOUNT_DELETION', '0', actor, now);
    const hurried = await newPerson();
    expect(await askForDeletion(sessionOf(hurried), { id: hurried.id }, now)).toBe('deleted');
    expect(await findUser(hurried.id)).toBeNull();
    expect(await farewells()).toContain(hurried.email);
    await setSetting('ACCOUNT_DELETION', 'off', actor, now);
    const barred = await newPerson();
    expect(await askForDeletion(sessionOf(barred), { id: barred.id }, now)).toBe('off');
    await deleteDueAccounts(inDays(7));
    expect(await findUser(barred.id)).not.toBeNull();
    expect(await findUser(before.id)).toBeNull();
    await setSetting('ACCOUNT_DELETION', null, actor, now);
  });

  test('account deletion: a user who is disabled meanwhile is not deleted, even after being enabled again', async () => {
    const { id } = await newLeaver();
    await users.disableUser(id, actor, now);
    await deleteDueAccounts(inDays(8));
    await users.enableUser(id, actor, now);
    await deleteDueAccounts(inDays(8));
    expect(await findUser(id)).toMatchObject({ disabled: false, deletionAt: null });
  });

  test('account deletion: the last admin can neither ask for it nor be deleted by it', async () => {
    const one = await newPerson({ admin: true });
    const other = await newPerson({ admin: true });
    for (const admin of (await users.listUsers({ admin: true })).rows)
      if (![one.id, other.id].includes(admin.id)) await users.setAdmin(admin.id, false, actor, now);
    const asked = await Promise.all(
      [one, other].map((user) => askForDeletion(sessionOf(user), { id: user.id }, now)),
    );
    expect(asked).toEqual(['waits', 'waits']);
    await Promise.all([deleteDueAccounts(inDays(8)), deleteDueAccounts(inDays(8))]);
    const left = (await users.listUsers({ admin: true, disabled: false })).rows;
    expect(left).toHaveLength(1);
    // Otherwise the account would be deleted as soon as another person becomes an admin, without
    // warning.
    expect(left[0]?.deletionAt).toBeNull();
    const last = left[0] ?? one;
    expect(await eventsOf(last.id)).toContain('user.deletion-canceled');
    expect(await askForDeletion(sessionOf(last), { id: last.id }, now)).toBe('last-admin');
    await newPerson({ admin: true });
  });

  test('account deletion: when it is cancelled and carried out at the same time, one of the two happens', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, () => newLeaver()));
    const keeping = many.map(({ id }) => cancelDeletion(id, { id }, now).catch(() => null));
    await Promise.all([deleteDueAccounts(inDays(7)), ...keeping]);
    for (const { id } of many) {
      const events = await eventsOf(id);
      const kept = events.includes('user.deletion-canceled');
      expect(events.includes('user.deleted')).toBe(!kept);
      expect((await findUser(id)) !== null).toBe(kept);
    }
  });

  test('account deletion: several processes, killed anywhere, delete each account exactly once', {
    timeout: 120_000,
  }, async () => {
    const many = await Promise.all(Array.from({ length: 40 }, () => newLeaver()));
    await write('DELETE FROM outgoing_mails', {});
    for (const delay of forChange ? [5, 40] : [0, 5, 15, 40]) {
      const children = [1, 2].map(() =>
        fork(new URL('../support/delete-due.ts', import.meta.url), [String(inDays(7).getTime())], {
          env: process.env,
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        }),
      );
      await Promise.all(children.map((child) => once(child, 'message')));
      await after(delay);
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    }
    await Promise.all([deleteDueAccounts(inDays(7)), deleteDueAccounts(inDays(7))]);
    for (const { id } of many) {
      expect(await findUser(id)).toBeNull();
      expect((await eventsOf(id)).filter((type) => type === 'user.deleted')).toHaveLength(1);
    }
    expect((await farewells()).sort()).toEqual(many.map(({ email }) => email).sort());
  });
});
