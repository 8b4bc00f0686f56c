import { expect, test } from 'vitest';
import { type ListedApp, listApps } from '#lib/management/client/app-list.ts';
import { type ListedPerson, listPeople } from '#lib/management/user/people-list.ts';
import { showPerson } from '#lib/management/user/person.ts';
import { deleteUser } from '#lib/management/user/users.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { write } from '#lib/store/engine/database.ts';
import { takeTry } from '#lib/store/throttles.ts';
import { recordTrace, writeTraces } from '#lib/store/traces.ts';
import { count, flushUsage, touchLastUse } from '#lib/store/usage.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, newApp, newPerson, unique } from './people.ts';
import { possess } from './possessions.ts';

const hour = 3600_000;
const day = 24 * hour;
const times = (number: number, act: () => void) => {
  for (let index = 0; index < number; index += 1) act();
};

onEachDatabase(() => {
  test('the list of apps has the number of users of each, its last use and its refused requests', async () => {
    const word = unique('facts');
    const now = new Date(Date.UTC(2031, 5, 15, 10, 30));
    const ago = (time: number) => new Date(now.getTime() - time);
    const busy = (await newApp({ name: `${word} busy` })).client;
    const idle = (await newApp({ name: `${word} idle` })).client;
    const ada = await newPerson();
    const bob = await newPerson();
    await possess(ada.id, busy.id);
    await possess(bob.id, busy.id);
    times(3, () => count('refusal', busy.id, ago(2 * hour)));
    times(2, () => count('refusal', busy.id, ago(3 * day)));
    times(4, () => count('refusal', busy.id, ago(9 * day)));
    count('refusal', idle.id, ago(9 * day));
    count('tokens-issued', idle.id, now);
    touchLastUse('clients', busy.id, ago(hour));
    touchLastUse('clients', busy.id, ago(5 * hour));
    await refuse(busy.id, 'pkce.required', ago(3 * hour));
    const latest = await refuse(busy.id, 'redirect-uri.unregistered', ago(2 * hour));
    const listed = await listApps({ search: word }, now);
    const of = (id: string) => listed.rows.find((app) => app.id === id) as ListedApp;
    expect(of(busy.id)).toMatchObject({
      lastUsedAt: ago(hour),
      facts: {
        people: { count: 2, more: false },
        refusedInDay: 3,
        refusedInWeek: 5,
        failure: { traceId: latest, rule: 'redirect-uri.unregistered' },
      },
    });
    expect(of(idle.id)).toMatchObject({
      lastUsedAt: null,
      facts: {
        people: { count: 0, more: false },
        refusedInDay: 0,
        refusedInWeek: 0,
        failure: null,
      },
    });
    await deleteUser(ada.id, actor, now);
    const after = await listApps({ search: `${word} busy` }, now);
    expect(after.rows[0]?.facts.people.count).toBe(1);
  });

  test('the list of users has the last sign-in, the second factors and the lock of each', async () => {
    const word = unique('facts');
    const now = new Date();
    const ago = (time: number) => new Date(now.getTime() - time);
    const ada = await newPerson({ name: `${word} Ada` });
    const bob = await newPerson({ name: `${word} Bob` });
    touchLastUse('users', ada.id, ago(hour));
    touchLastUse('users', ada.id, ago(60_000));
    touchLastUse('users', ada.id, ago(2 * hour));
    await flushUsage();
    touchLastUse('users', ada.id, ago(3 * hour));
    await passkeyOf(ada.id);
    await passkeyOf(ada.id);
    await write(
      'INSERT INTO totp_secrets (user_id, enrolment, sealed_secret, last_step, created_at) VALUES ($1, $1, $1, 0, $2)',
      [ada.id, now],
    );
    for (let tries = 0; tries < 12; tries += 1)
      await takeTry({ key: `login:${bob.id}`, limit: 10, userId: bob.id }, now);
    const { rows } = await listPeople({ search: word }, now);
    const of = (id: string) => rows.find((person) => person.id === id) as ListedPerson;
    expect(of(ada.id)).toMatchObject({
      lastSignInAt: ago(60_000),
      facts: { totp: true, passkeys: 2, lockedUntil: null },
    });
    expect(of(bob.id)).toMatchObject({
      lastSignInAt: null,
      facts: { totp: false, passkeys: 0, lockedUntil: new Date(now.getTime() + 60_000) },
    });
    const locked = async (at: Date) =>
      (await listPeople({ search: word, lockedAt: at }, at)).rows.map(({ id }) => id);
    expect(await locked(now)).toEqual([bob.id]);
    expect(await locked(new Date(now.getTime() + hour))).toEqual([]);
  });

  test('the page of a user has their second factors by name, sessions, apps, and whether they are locked', async () => {
    const now = new Date();
    const ada = await newPerson();
    const none = await showPerson(ada.id, now);
    expect(none).toMatchObject({ lockedUntil: null, passkeys: [], totpSince: null, sessions: [] });
    expect([none.recoveryCodes, none.apps.count, none.user.lastSignInAt]).toEqual([0, 0, null]);
    await possess(ada.id, (await newApp()).client.id);
    await passkeyOf(ada.id);
    touchLastUse('users', ada.id, now);
    for (let tries = 0; tries < 12; tries += 1)
      await takeTry({ key: `login:${ada.id}`, limit: 10, userId: ada.id }, now);
    const person = await showPerson(ada.username, now);
    expect(person.passkeys.map(({ name }) => name)).toEqual(['Key']);
    expect([person.sessions.length, person.apps.count]).toEqual([1, 1]);
    expect(person.user.lastSignInAt).toEqual(now);
    expect(person.lockedUntil).toEqual(new Date(now.getTime() + 60_000));
  });
});

async function refuse(
  clientId: string,
  rule: 'pkce.required' | 'redirect-uri.unregistered',
  at: Date,
): Promise<string> {
  const attempt = newId(at);
  const refusal = { code: 'invalid_request', reason: 'No.', rule, received: null, expected: [] };
  const of = { clientId, userId: null, behind: 'nobody', refusal } as const;
  recordTrace({ attempt, requestId: attempt, step: 'authorize', outcome: 'refused', ...of }, at);
  await writeTraces();
  return attempt;
}

function passkeyOf(userId: string): Promise<unknown> {
  return write(
    `INSERT INTO passkeys (id, user_id, name, public_key, counter, transports, syncable, backed_up, aaguid, created_at)
     VALUES ($1, $2, 'Key', 'k', 0, '', $3, $3, 'a', $4)`,
    [unique('key'), userId, false, new Date()],
  );
}
