import { afterEach, describe, expect, test } from 'vitest';
import { listSessions } from '#lib/management/session/sessions.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser } from '../support/seed.ts';
import { set } from '../support/settings.ts';

// This file changes settings, so it needs its own server.
const server = await openServer({});
const hour = 3600;
const day = 24 * hour;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

/**
 * A browser that signed in and was last used this many seconds ago, with a row that lives for long.
 */
async function signedIn(authTime: number, lastSeenAt: number, options = {}) {
  const user = await newUser(options);
  const person = new Person(server, user.username);
  await person.signIn();
  await (await prisma()).session.updateMany({
    where: { userId: user.id },
    data: {
      authTime: ago(authTime),
      createdAt: ago(authTime),
      lastSeenAt: ago(lastSeenAt),
      expiresAt: ago(-1000 * day),
    },
  });
  return { user, person };
}

const sessionOf = async ({ id }: { id: string }) =>
  (await prisma()).session.findFirstOrThrow({ where: { userId: id } });

describe('the end of a session (section 7)', () => {
  const admin = { isAdmin: true };
  test.each([
    ['not used for 13 days', 13 * day, 13 * day, {}, true],
    ['not used for 15 days', 15 * day, 15 * day, {}, false],
    ['used all along, signed in 89 days ago', 89 * day, hour, {}, true],
    ['used all along, signed in 91 days ago', 91 * day, hour, {}, false],
    ['an admin’s, not used for 11 hours', 11 * hour, 11 * hour, admin, true],
    ['an admin’s, not used for 13 hours', 13 * hour, 13 * hour, admin, false],
    ['an admin’s, used all along, signed in 6 days ago', 6 * day, hour, admin, true],
    ['an admin’s, used all along, signed in 8 days ago', 8 * day, hour, admin, false],
  ])('%s', async (_, authTime, lastSeenAt, options, lives) => {
    const { user, person } = await signedIn(authTime, lastSeenAt, options);
    expect(await listSessions(user.id, new Date())).toHaveLength(lives ? 1 : 0);
    const client = await newClient();
    const params = { client_id: client.id, response_type: 'code' };
    const page = await person.open(authorizePath(params));
    expect(page.at).toMatch(lives ? /^\/consent/ : /^\/login/);
    expect((await person.open('/account')).at).toMatch(lives ? /^\/account$/ : /^\/login/);
  });

  test('is 90 days after sign-in, however recently it was used', async () => {
    const { user, person } = await signedIn(90 * day - hour, 10 * 60);
    await person.open('/account');
    const { authTime, lastSeenAt, expiresAt } = await sessionOf(user);
    expect(Date.now() - lastSeenAt.getTime()).toBeLessThan(60_000);
    expect(expiresAt.getTime() - authTime.getTime()).toBe(90 * day * 1000);
  });

  test('moves when the user signs in again within the session', async () => {
    const { user, person } = await signedIn(90 * day - hour, 10 * 60);
    const client = await newClient({ firstParty: true });
    const params = { client_id: client.id, response_type: 'code', prompt: 'login' };
    await person.signInAt(await person.open(authorizePath(params)));
    const { authTime, expiresAt } = await sessionOf(user);
    expect(expiresAt.getTime() - authTime.getTime()).toBe(14 * day * 1000);
  });
});

describe('the session lifetimes as settings', () => {
  afterEach(async () => {
    for (const key of ['SESSION_IDLE_TTL', 'SESSION_MAX_TTL']) await set(key, null);
  });

  test.each([
    ['SESSION_IDLE_TTL', 3 * hour, 2 * hour],
    ['SESSION_MAX_TTL', 2 * hour, 60],
  ] as const)(
    '%s holds for sessions that began before it was changed',
    async (key, authTime, lastSeenAt) => {
      const { person } = await signedIn(authTime, lastSeenAt);
      const { person: kept } = await signedIn(hour / 2, hour / 2);
      await set(key, String(hour));
      expect((await person.open('/account')).at).toMatch(/^\/login/);
      expect((await kept.open('/account')).at).toBe('/account');
    },
  );

  test('a short SESSION_IDLE_TTL counts from each use', async () => {
    await set('SESSION_IDLE_TTL', '60');
    const { user, person } = await signedIn(hour, 40);
    expect((await person.open('/account')).at).toBe('/account');
    expect(Date.now() - (await sessionOf(user)).lastSeenAt.getTime()).toBeLessThan(30_000);
  });
});
