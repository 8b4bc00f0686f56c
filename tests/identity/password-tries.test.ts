import { expect, test } from 'vitest';
import { config } from '#lib/config.ts';
import { laneLength } from '#lib/identity/password-queue.ts';
import { hashPassword, verifyPassword } from '#lib/identity/passwords.ts';
import { deviceCookie, renewedDevice, signIn, throttleKeyOf } from '#lib/identity/sign-in.ts';
import { linkBasis, makeLink, openLink } from '#lib/mail/links.ts';
import { cookieName } from '#lib/sealed/cookies.ts';
import { seal } from '#lib/sealed/seal.ts';
import { eventBy } from '#lib/store/actor.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { redeemResetLink } from '#lib/store/links.ts';
import { endOtherSessions } from '#lib/store/sessions.ts';
import { endEverything, resetPassword } from '#lib/store/user-changes.ts';
import { findUser, findUserByLogin } from '#lib/store/users.ts';
import { databases } from '#lib/tooling/schema.ts';
import { forgetMade } from '../support/made.ts';
import { alikeOn, onDatabase } from '../support/on-each-database.ts';
import { newUser, password } from '../support/seed.ts';
import { setEnvironment } from '../support/work-on.ts';

type Request = Parameters<typeof signIn>[0];

/** A request from an address, with or without a cookie of ours. */
const from = (address: string, cookie?: string): Request =>
  ({
    id: 'r',
    method: 'POST',
    path: '/login/submit',
    query: '',
    address,
    header: (name: string) => (name === 'cookie' ? cookie : undefined),
  }) as unknown as Request;
const attempt = (address: string, login: string, word = 'wrong', cookie?: string) =>
  signIn(from(address, cookie), { login, password: word }, new Date());
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

const newHash = await hashPassword('another');

/** What ends every known browser of a person: each does it, and says when to look. */
const endings: Record<string, (id: string) => Promise<Date>> = {
  'a reset by an admin': async (id) => {
    const event = eventBy({ id }, 'password.reset', { userId: id });
    await resetPassword(id, { hash: newHash, mustChange: false }, event, new Date());
    return new Date();
  },
  'a password chosen by link': async (id) => {
    const user = (await findUser(id)) ?? expect.unreachable();
    const { token } = await makeLink({ purpose: 'reset', user, email: user.email }, new Date());
    const opened = (await openLink(token, ['reset'], new Date())) ?? expect.unreachable();
    const event = eventBy({ id }, 'password.reset', { userId: id });
    expect(await redeemResetLink(opened.link, linkBasis(user), newHash, event, new Date())).toBe(
      'done',
    );
    return new Date();
  },
  'signing out everywhere': async (id) => {
    await endEverything(id, eventBy({ id }, 'session.ended', { userId: id }), new Date());
    return new Date();
  },
  'signing out everywhere else': async (id) => {
    await endOtherSessions(id, 'one', eventBy({ id }, 'session.ended', { userId: id }), new Date());
    return new Date();
  },
  'a year': async () => new Date(Date.now() + 366 * 24 * 3600_000),
};

for (const database of databases) onDatabase(database, () => passwordTryTests(database));

function passwordTryTests(database: (typeof databases)[number]): void {
  const alike = alikeOn(database);

  const countsOf = async () =>
    (await read('SELECT failures FROM throttles', [])).map((row) => Number(row.failures));

  /** The cookie of a browser in which this person has signed in before. */
  async function knownBrowser(username: string, since = new Date()): Promise<string> {
    const user = await findUserByLogin(username);
    if (!user) throw new Error('Nobody is called so.');
    const cookie = await deviceCookie(from('198.51.100.1'), user, since, 'expected');
    return cookie.split(';')[0] ?? '';
  }

  test('password tries: in a flood from many addresses a known browser gets in, and rejected tries store no row', async () => {
    const user = await newUser();
    const cookie = await knownBrowser(user.username);
    await write('DELETE FROM throttles', []);
    // Hashing is slow enough to keep the queue full for seconds, and the threads have not started
    // yet.
    setEnvironment({ BCRYPT_COST: '8' });
    forgetMade('passwords');
    const flood = times(laneLength + 40, (index) =>
      attempt(`192.0.2.${index}`, `nobody-${index}`).catch((error: Error) => error.name),
    );
    const owner = await attempt('192.0.2.1', user.username, password, cookie);
    expect(owner).toMatchObject({ user: { username: user.username } });
    const outcomes = await Promise.all(flood);
    const looked = outcomes.filter((outcome) => outcome === 'wrong').length;
    expect(outcomes.filter((outcome) => outcome === 'PasswordsBusy')).toHaveLength(
      outcomes.length - looked,
    );
    expect(looked).toBeLessThan(outcomes.length);
    // Each attempt that was looked at has one count for its address and one for its name. The
    // others have none.
    expect(await countsOf()).toEqual(Array(2 * looked).fill(1));
    setEnvironment({ BCRYPT_COST: '4' });
  });

  alike('password tries: strangers at one address do not lock out a known browser', async () => {
    const owner = await newUser();
    const freshPerson = await newUser();
    const cookie = await knownBrowser(owner.username);
    for (const index of times(31, Number)) await attempt('203.0.113.9', `nobody-${index}`);
    const rightly = { user: { username: owner.username } };
    expect(await attempt('203.0.113.9', owner.username, password, cookie)).toMatchObject(rightly);
    expect(await attempt('203.0.113.9', freshPerson.username, password)).toHaveProperty(
      'refusedUntil',
    );
    // A browser known for one person is not known for another.
    expect(await attempt('203.0.113.9', freshPerson.username, password, cookie)).toHaveProperty(
      'refusedUntil',
    );
  });

  for (const [how, end] of Object.entries(endings))
    test(`known browsers: ${how} makes all of a person’s browsers unknown`, async () => {
      const { id, username } = await newUser();
      const before = new Date(Date.now() - 1000);
      const browser = from('198.51.100.1', await knownBrowser(username, before));
      const person = async () => (await findUserByLogin(username)) ?? expect.unreachable();
      expect(await throttleKeyOf(browser, await person(), new Date())).toMatch(/^device:/);
      const when = await end(id);
      expect(await throttleKeyOf(browser, await person(), when)).toBe(`user:${id}`);
      const again = from('198.51.100.1', await knownBrowser(username));
      expect(await throttleKeyOf(again, await person(), new Date())).toMatch(/^device:/);
    });

  test('known browsers: the one that signs all others out stays known, with a new cookie', async () => {
    const { id, username } = await newUser();
    const browser = from('198.51.100.1', await knownBrowser(username));
    const now = new Date();
    await endOtherSessions(id, 'here', eventBy({ id }, 'session.ended', { userId: id }), now);
    const [renewed] = await renewedDevice(browser, id, now);
    const user = (await findUserByLogin(username)) ?? expect.unreachable();
    const stays = from('198.51.100.1', renewed?.split(';')[0]);
    expect(await throttleKeyOf(stays, user, now)).toMatch(/^device:/);
    expect(await renewedDevice(from('198.51.100.1'), id, now)).toEqual([]);
  });

  test('known browsers: cookies of earlier releases count until an account’s first reset', async () => {
    const { id, username } = await newUser();
    const old = await seal('device', { id: 'device-1', users: [id] });
    const browser = from('198.51.100.1', `${cookieName('device')}=${old}`);
    const person = async () => (await findUserByLogin(username)) ?? expect.unreachable();
    expect(await throttleKeyOf(browser, await person(), new Date())).toBe(`device:device-1:${id}`);
    await endEverything(id, eventBy({ id }, 'session.ended', { userId: id }), new Date());
    expect(await throttleKeyOf(browser, await person(), new Date())).toBe(`user:${id}`);
  });

  test('password tries: existing and unknown names are limited alike, and a user’s email is counted apart', async () => {
    const user = await newUser();
    const refusals: unknown[] = [];
    for (const [at, login] of [user.username, `x${user.username}`].entries()) {
      for (const index of times(10, Number))
        expect(await attempt(`198.51.100.${100 + at * 20 + index}`, login)).toBe('wrong');
      refusals.push(await attempt('198.51.100.90', login, password));
    }
    expect(refusals).toEqual(Array(2).fill({ refusedUntil: expect.any(Date) }));
    expect(await attempt('198.51.100.91', user.email)).toBe('wrong');
    expect(await attempt('198.51.100.91', `x${user.email}`)).toBe('wrong');
  });

  test('password tries: one refused for its account is not counted for its address', async () => {
    const name = `nobody-${Date.now()}`;
    for (const index of times(10, Number)) await attempt(`198.51.100.${150 + index}`, name);
    await attempt('198.51.100.170', name);
    const rows = await read('SELECT key FROM throttles WHERE key = $1', ['address:198.51.100.170']);
    expect(rows).toEqual([]);
  });

  alike('password tries: IPv6 addresses are counted by their wider networks too', async () => {
    const last: unknown[] = [];
    for (const index of times(91, Number))
      last.push(
        await attempt(`2001:db8:7:1${index.toString(16).padStart(2, '0')}::/64`, `v6-${index}`),
      );
    expect(last.slice(0, 90)).toEqual(Array(90).fill('wrong'));
    expect(last[90]).toHaveProperty('refusedUntil');
    expect(await attempt('2001:db8:7:200::/64', 'v6')).toBe('wrong');
  });

  alike('password tries: a comparison costs the same at any stored bcrypt cost', async () => {
    const work = async (stored: string | null) => {
      const before = process.cpuUsage();
      await verifyPassword('wrong', stored);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const madeAt = async (cost: number) => {
      config().bcryptCost = cost;
      return hashPassword(password);
    };
    const cheap = await madeAt(4);
    const dear = await madeAt(11);
    const { id } = await newUser();
    try {
      // If the cost was raised, old hashes are cheap. If it was lowered, they are expensive, and
      // everyone waits equally long.
      for (const [now, old] of [
        [11, cheap],
        [4, dear],
      ] as const) {
        config().bcryptCost = now;
        await write('UPDATE users SET password_hash = $2 WHERE id = $1', [id, old]);
        const known = await work(old);
        const unknown = await work(null);
        expect(known / unknown).toBeGreaterThan(0.5);
        expect(known / unknown).toBeLessThan(2);
      }
    } finally {
      config().bcryptCost = 4;
    }
  });
}
