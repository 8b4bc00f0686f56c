import { expect, test } from 'vitest';
import { setSetting } from '#lib/management/setting/settings.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { listIdentities } from '#lib/store/identities.ts';
import { databases } from '#lib/tooling/schema.ts';
import { me, refresh, tokensOf } from '../support/app.ts';
import { codeOf, newUserWithApp } from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { openMailHouse } from '../support/mail-house.ts';
import { alikeOn, onDatabase } from '../support/on-each-database.ts';
import { Person } from '../support/person.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { newUser, password, type TestUser } from '../support/seed.ts';

const fresh = 'entirely other words here';
const submit = '/recover/not-me/submit';

for (const database of databases) onDatabase(database, () => newDeviceTests(database));

function newDeviceTests(database: (typeof databases)[number]): void {
  const alike = alikeOn(database);
  const house = openMailHouse();
  const subject = /New sign-in/;
  const told = (user: TestUser) =>
    house.smtp.mails.filter(
      ({ to, subject: said }) => to.includes(user.email) && subject.test(said),
    );
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0';

  /** Signs in with another browser, at this address. */
  async function signedIn(user: TestUser, address?: string, agent = ''): Promise<Person> {
    const person = new Person(house, user.username);
    if (address) person.address = address;
    const { body, headers } = person.postOf(await person.open('/login'), '/login/submit', {
      username: user.username,
      password,
    });
    const visit = { method: 'POST', body, headers: { ...headers, 'User-Agent': agent } };
    expect((await person.request('/login/submit', visit)).headers.get('location')).toBe('/account');
    return person;
  }

  /** A sign-in of somebody else, and the link that the mail about it has. */
  async function thiefOf(user: TestUser): Promise<{ thief: Person; path: string }> {
    const thief = await signedIn(user);
    return { thief, path: house.pathOf((await house.smtp.next(user.email, subject)).link) };
  }

  /** Whatever waited in the queue before this letter has been sent. */
  async function allSent(): Promise<void> {
    const last = await newUser();
    await signedIn(last);
    await house.smtp.next(last.email, subject);
  }

  async function expectTold(user: TestUser, times: number): Promise<void> {
    await house.smtp.until(() => told(user).length >= times, `mail ${times} to ${user.email}`);
    await allSent();
    expect(told(user)).toHaveLength(times);
  }

  alike(
    '“It was not me” ends the session, its tokens, the password and what is linked elsewhere, and leads to a new one',
    async () => {
      const user = await newUser();
      await giveIdentity(user.id, await newProvider());
      const { thief, path } = await thiefOf(user);
      const tokens = await tokensOf(house, thief);
      const owner = new Person(house, user.username);
      const page = await owner.open(path);
      expect(textOf(page.html)).toContain(user.username);
      const reset = await owner.submit(page, submit);
      expect(reset.at).toMatch(/^\/recover\/reset\?token=/);
      expect(await listIdentities(user.id)).toEqual([]);
      expect((await thief.open('/account')).at).toMatch(/^\/login/);
      expect((await me(house, tokens.access_token)).status).toBe(401);
      expect((await refresh(house, tokens.refresh_token)).status).toBe(400);
      // The thief knows the password, and may not be the one who chooses the next.
      expect((await thief.signIn(user.username)).at).toBe('/login');
      const home = await owner.submit(reset, '/recover/reset/submit', { new_password: fresh });
      expect(home.at).toBe('/account');
      const events = await read('SELECT type FROM audit_events WHERE user_id = $1', [user.id]);
      expect(events.map(({ type }) => type)).toContain('sign-in.denied');
    },
  );

  alike(
    'who opens the link alone, as scanners do, ends nothing; nor does a form of elsewhere',
    async () => {
      const user = await newUser();
      const { thief, path } = await thiefOf(user);
      const scanner = new Person(house);
      for (const method of ['GET', 'HEAD']) await scanner.request(path, { method });
      const token = new URL(path, house.base).searchParams.get('token') ?? '';
      const body = new URLSearchParams({ token }).toString();
      const forged = await scanner.request(submit, {
        method: 'POST',
        body,
        headers: { Origin: 'https://evil.example' },
      });
      expect(forged.status).toBeGreaterThanOrEqual(400);
      expect((await thief.open('/account')).at).toBe('/account');
    },
  );

  test('the link works once, for three days, and for no other purpose', async () => {
    const user = await newUser();
    const { path } = await thiefOf(user);
    const owner = new Person(house, user.username);
    const other = path.replace('/recover/not-me', '/recover/reset');
    expect(textOf((await owner.open(other)).html)).toContain('no longer works');
    const page = await owner.open(path);
    await owner.submit(page, submit);
    expect(textOf((await owner.open(path)).html)).toContain('expired');
    expect(textOf((await owner.submit(page, submit)).html)).toContain('expired');
    const late = await newUser();
    const second = await thiefOf(late);
    await write('UPDATE mailed_links SET expires_at = :now WHERE user_id = :id', {
      id: late.id,
      now: new Date(),
    });
    expect(textOf((await owner.open(second.path)).html)).toContain('expired');
  });

  test('of many who press the button at once, one gets on to a new password', async () => {
    const user = await newUser();
    const { path } = await thiefOf(user);
    const owner = new Person(house, user.username);
    const page = await owner.open(path);
    const ends = await Promise.all([1, 2, 3, 4].map(() => owner.submit(page, submit)));
    expect(ends.filter(({ at }) => at.startsWith('/recover/reset'))).toHaveLength(1);
  });

  alike('a thief who changes the password first is stopped all the same', async () => {
    const user = await newUser();
    const { thief, path } = await thiefOf(user);
    const settings = await thief.open('/account/sign-in');
    await thief.submit(settings, '/account/password/submit', {
      confirm_password: password,
      new_password: fresh,
    });
    const owner = new Person(house, user.username);
    expect((await owner.submit(await owner.open(path), submit)).at).toMatch(/^\/recover\/reset/);
    expect((await thief.open('/account')).at).toMatch(/^\/login/);
    expect((await thief.signIn(user.username, fresh)).at).toBe('/login');
  });

  alike('one who changes the address, too; its former mailbox gets no new password', async () => {
    const user = await newUser();
    const { thief, path } = await thiefOf(user);
    const email = `moved-${user.email}`;
    await write('UPDATE users SET email = :email, email_key = :email WHERE id = :id', {
      ...{ email, id: user.id },
    });
    const owner = new Person(house, user.username);
    const done = await owner.submit(await owner.open(path), submit);
    expect(done.at).toBe('/recover/not-me/done');
    expect(textOf(done.html)).toContain('contact your administrator');
    expect((await thief.open('/account')).at).toMatch(/^\/login/);
    expect((await thief.signIn(user.username)).at).toBe('/login');
  });

  alike(
    'one who turns these emails off before it is sent keeps nothing from the owner',
    async () => {
      const user = await newUser();
      house.smtp.mood('busy');
      try {
        await signedIn(user);
        await write(`UPDATE users SET notices_off = 'new-device' WHERE id = :id`, { id: user.id });
      } finally {
        house.smtp.mood('takes');
      }
      await write('UPDATE outgoing_mails SET next_at = :now', { now: new Date() });
      await house.smtp.next(user.email, subject);
      await signedIn(user, '198.51.100.1');
      await expectTold(user, 1);
    },
  );

  test('a browser is news once a day in one part of the net, and again in another or as another browser', async () => {
    const user = await newUser();
    for (const last of [1, 1, 2, 77]) await signedIn(user, `198.51.100.${last}`);
    await expectTold(user, 1);
    await signedIn(user, '198.51.200.9');
    await expectTold(user, 1);
    await signedIn(user, '203.0.113.1');
    await signedIn(user, '198.51.100.1', firefox);
    await expectTold(user, 3);
    await write(`UPDATE leases SET expires_at = :past WHERE name LIKE 'new-device:%'`, {
      past: new Date(Date.now() - 1000),
    });
    await signedIn(user, '198.51.100.1');
    await expectTold(user, 4);
  });

  alike('a browser that is known is none', async () => {
    const user = await newUser();
    const person = await signedIn(user);
    await house.smtp.next(user.email, subject);
    await write('DELETE FROM leases WHERE name LIKE :name', { name: 'new-device:%' });
    await person.signOut();
    await person.signIn();
    await expectTold(user, 1);
  });

  alike(
    'nobody hears of the sign-in that follows a new password by link, with a second step on the way',
    async () => {
      const user = await newUserWithApp();
      const person = new Person(house, user.username);
      await person.submit(await person.open('/recover'), '/recover/submit', {
        username: user.username,
      });
      const { link } = await house.smtp.next(user.email, /Reset your password/);
      const step = await person.submit(
        await person.open(house.pathOf(link)),
        '/recover/reset/submit',
        { new_password: fresh },
      );
      expect(step.at).toMatch(/^\/login\/factor/);
      const code = codeOf(user.secret);
      expect((await person.submit(step, '/login/factor/submit', { code })).at).toBe('/account');
      await expectTold(user, 0);
    },
  );

  alike('NEW_DEVICE_MAIL=off sends none', async () => {
    const set = (value: string | null) =>
      setSetting('NEW_DEVICE_MAIL', value, { id: 'cli' }, new Date());
    const user = await newUser();
    await set('off');
    try {
      await signedIn(user);
    } finally {
      await set(null);
    }
    await allSent();
    expect(told(user)).toEqual([]);
  });
}
