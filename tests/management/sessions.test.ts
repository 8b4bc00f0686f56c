import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { listGrants } from '#lib/management/grant/grants.ts';
import {
  endSession,
  listSessions,
  signOutEverywhere,
  unlockUser,
} from '#lib/management/session/sessions.ts';
import { takeTry } from '#lib/store/throttles.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newApp, newPerson } from './people.ts';
import { everything, possess } from './possessions.ts';

const now = () => new Date();

onEachDatabase(() => {
  test('ending one session of a user leaves the other one', async () => {
    const user = await newPerson();
    const { client } = await newApp();
    const one = await possess(user.id, client.id);
    const two = await possess(user.id, client.id);
    const sessions = await listSessions(user.id, now());
    expect(sessions).toHaveLength(2);
    await endSession(user.id, sessions[0]?.hash ?? '', actor, now());
    expect((await listSessions(user.id, now())).map(({ hash }) => hash)).toEqual([
      sessions[1]?.hash,
    ]);
    expect(
      [...(await one.living()), ...(await two.living())].filter((what) => what === 'session'),
    ).toHaveLength(1);
    expect((await listAudit({ userId: user.id, type: 'session' })).rows).toHaveLength(1);
  });

  test('a session cannot be ended through another user, nor twice', async () => {
    const user = await newPerson();
    const other = await newPerson();
    const { client } = await newApp();
    await possess(user.id, client.id);
    const hash = (await listSessions(user.id, now()))[0]?.hash ?? '';
    expect(await faultsOf(endSession(other.id, hash, actor, now()))).toHaveProperty(['']);
    expect(await listSessions(user.id, now())).toHaveLength(1);
    await endSession(user.id, hash, actor, now());
    expect(await faultsOf(endSession(user.id, hash, actor, now()))).toHaveProperty(['']);
  });

  test('signing a user out everywhere ends sessions, codes and tokens, and keeps approvals', async () => {
    const user = await newPerson();
    const other = await newPerson();
    const { client } = await newApp();
    const his = await possess(user.id, client.id);
    const hers = await possess(other.id, client.id);
    await signOutEverywhere(user.id, actor, now());
    expect(await his.living()).toEqual([]);
    expect(await hers.living()).toEqual(everything);
    expect((await listGrants({ userId: user.id })).rows).toHaveLength(1);
    expect((await listAudit({ userId: user.id, type: 'session' })).rows[0]?.detail).toEqual({
      everywhere: true,
    });
  });

  test('a user locked after wrong passwords may try again once an admin unlocks them', async () => {
    const { id } = await newPerson();
    const take = () => takeTry({ key: `login:${id}`, limit: 2, userId: id }, now());
    expect([await take(), await take(), await take()]).toEqual([
      { total: 1 },
      { total: 2 },
      { refusedUntil: expect.any(Date) },
    ]);
    await unlockUser(id, actor, now());
    expect(await take()).toEqual({ total: 1 });
  });
});
