import { expect, test } from 'vitest';
import { read, write } from '#lib/store/engine/database.ts';
import { readFactors } from '#lib/store/factors.ts';
import { listIdentities } from '#lib/store/identities.ts';
import { takeTry, triesCounted } from '#lib/store/throttles.ts';
import { findUser } from '#lib/store/users.ts';
import { databases } from '#lib/tooling/schema.ts';
import { me, refresh, tokensOf } from '../support/app.ts';
import { Authenticator } from '../support/authenticator.ts';
import {
  ask,
  atSecondStep,
  codeOf,
  newUserWithApp,
  noFactors,
  postAnswer,
  secretOn,
} from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { alikeOn, onDatabase } from '../support/on-each-database.ts';
import { forgetSentForms, Person } from '../support/person.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { newUser, password, type TestUser } from '../support/seed.ts';
import { openServerWithMail } from '../support/server-with-mail.ts';
import { set } from '../support/settings.ts';

const fresh = 'entirely other words here';
const submit = '/recover/not-me/submit';
const addKey = '/account/security/passkey/submit';

for (const database of databases) onDatabase(database, () => newDeviceTests(database));

function newDeviceTests(database: (typeof databases)[number]): void {
  const alike = alikeOn(database);
  const server = openServerWithMail();
  const subject = /New sign-in/;
  const told = (user: TestUser) =>
    server.smtp.mails.filter(
      ({ to, subject: said }) => to.includes(user.email) && subject.test(said),
    );
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0';

  /** Signs in with another browser, at this address. */
  async function signedIn(user: TestUser, address?: string, agent = ''): Promise<Person> {
    const person = new Person(server, user.username);
    if (address) person.address = address;
    const { body, headers } = person.postOf(await person.open('/login'), '/login/submit', {
      username: user.username,
      password,
    });
    const visit = { method: 'POST', body, headers: { ...headers, 'User-Agent': agent } };
    expect((await person.request('/login/submit', visit)).headers.get('location')).toBe('/account');
    return person;
  }

  /** A sign-in by someone else, and the link in the mail about it. */
  async function thiefOf(user: TestUser): Promise<{ thief: Person; path: string }> {
    const thief = await signedIn(user);
    return { thief, path: server.pathOf((await server.smtp.next(user.email, subject)).link) };
  }

  /** Waits until everything that was in the queue before this mail has been sent. */
  async function allSent(): Promise<void> {
    const last = await newUser();
    await signedIn(last);
    await server.smtp.next(last.email, subject);
  }

  async function expectTold(user: TestUser, times: number): Promise<void> {
    await server.smtp.until(() => told(user).length >= times, `mail ${times} to ${user.email}`);
    await allSent();
    expect(told(user)).toHaveLength(times);
  }

  alike(
    'new device, “This wasn’t me”: session, tokens, password and linked identities end; a reset follows',
    async () => {
      const user = await newUser();
      await giveIdentity(user.id, await newProvider());
      const { thief, path } = await thiefOf(user);
      const tokens = await tokensOf(server, thief);
      const owner = new Person(server, user.username);
      const page = await owner.open(path);
      expect(textOf(page.html)).toContain(user.username);
      expect(textOf(page.html)).toMatch(
        /On .*\d:\d\d.* someone .* from a new device \(.+, IP address /,
      );
      const reset = await owner.submit(page, submit);
      expect(reset.at).toMatch(/^\/recover\/reset\?token=/);
      expect(textOf(reset.html)).toContain('Everyone is signed out');
      expect(await listIdentities(user.id)).toEqual([]);
      expect((await thief.open('/account')).at).toMatch(/^\/login/);
      expect((await me(server, tokens.access_token)).status).toBe(401);
      expect((await refresh(server, tokens.refresh_token)).status).toBe(400);
      // The thief knows the password, and must not be able to choose the next one.
      expect((await thief.signIn(user.username)).at).toBe('/login');
      const home = await owner.submit(reset, '/recover/reset/submit', { new_password: fresh });
      expect(home.at).toBe('/account');
      const events = await read('SELECT type FROM audit_events WHERE user_id = $1', [user.id]);
      expect(events.map(({ type }) => type)).toContain('sign-in.denied');
    },
  );

  alike(
    'new device: opening the link alone, as scanners do, ends nothing, nor does a cross-site form',
    async () => {
      const user = await newUser();
      const { thief, path } = await thiefOf(user);
      const scanner = new Person(server);
      for (const method of ['GET', 'HEAD']) await scanner.request(path, { method });
      const token = new URL(path, server.base).searchParams.get('token') ?? '';
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

  test('new device: the “not me” link works once, until it expires, and for no other purpose', async () => {
    const user = await newUser();
    const { path } = await thiefOf(user);
    const owner = new Person(server, user.username);
    const other = path.replace('/recover/not-me', '/recover/reset');
    expect(textOf((await owner.open(other)).html)).toContain('no longer works');
    const page = await owner.open(path);
    await owner.submit(page, submit);
    expect(textOf((await owner.open(path)).html)).toContain('expired');
    await forgetSentForms();
    expect(textOf((await owner.submit(page, submit)).html)).toContain('expired');
    const late = await newUser();
    const second = await thiefOf(late);
    await write('UPDATE mailed_links SET expires_at = :now WHERE user_id = :id', {
      id: late.id,
      now: new Date(),
    });
    expect(textOf((await owner.open(second.path)).html)).toContain('expired');
  });

  test('new device: pressing “not me” several times at the same moment gives one reset', async () => {
    const user = await newUser();
    const { path } = await thiefOf(user);
    const owner = new Person(server, user.username);
    const page = await owner.open(path);
    const ends = await Promise.all(
      ['1', '2', '3', '4'].map((form) => owner.submit(page, submit, { form })),
    );
    expect(ends.filter(({ at }) => at.startsWith('/recover/reset'))).toHaveLength(1);
  });

  alike('new device: “not me” also stops a thief who has changed the password', async () => {
    const user = await newUser();
    const { thief, path } = await thiefOf(user);
    const settings = await thief.open('/account/sign-in');
    await thief.submit(settings, '/account/password/submit', {
      confirm_password: password,
      new_password: fresh,
    });
    const owner = new Person(server, user.username);
    expect((await owner.submit(await owner.open(path), submit)).at).toMatch(/^\/recover\/reset/);
    expect((await thief.open('/account')).at).toMatch(/^\/login/);
    expect((await thief.signIn(user.username, fresh)).at).toBe('/login');
  });

  alike('new device: “not me” stops a thief who changed the address: no reset link', async () => {
    const user = await newUser();
    const { thief, path } = await thiefOf(user);
    const email = `moved-${user.email}`;
    await write('UPDATE users SET email = :email, email_key = :email WHERE id = :id', {
      email,
      id: user.id,
    });
    const owner = new Person(server, user.username);
    const done = await owner.submit(await owner.open(path), submit);
    expect(done.at).toBe('/recover/not-me/done');
    expect(textOf(done.html)).toContain('contact your administrator');
    expect((await thief.open('/account')).at).toMatch(/^\/login/);
    expect((await thief.signIn(user.username)).at).toBe('/login');
  });

  alike('new device: a user of a directory reads that its password still works', async () => {
    const user = await newUser();
    const { path } = await thiefOf(user);
    await write(
      `INSERT INTO directory_people (directory, entry_id, user_id, dn, disabled_by_it, created_at, last_seen_at)
       VALUES ('ldap', :id, :id, 'uid=ada', FALSE, :at, :at)`,
      { id: user.id, at: new Date() },
    );
    const owner = new Person(server, user.username);
    const done = await owner.submit(await owner.open(path), submit);
    expect(textOf(done.html)).toContain('kept in your organization’s directory, so it still works');
  });

  /** Adds a second step, and returns how the thief signs in from then on. */
  const additions = {
    async passkey(thief: Person) {
      const page = await thief.open('/account/security');
      const authenticator = new Authenticator(server.issuer);
      const { options, challenge } = await ask(thief, page, 'add');
      const answer = authenticator.create(options);
      const shown = await postAnswer(thief, page, addKey, answer, challenge);
      expect(shown.at).toBe('/account/security/codes');
      return async () => {
        const again = new Person(server);
        const login = await again.open('/login');
        const asked = await ask(again, login, 'sign-in');
        const proof = authenticator.get(asked.options);
        return postAnswer(again, login, '/login/passkey/submit', proof, asked.challenge);
      };
    },
    async app(thief: Person) {
      const page = await thief.open('/account/security/totp');
      const code = codeOf(secretOn(page));
      const shown = await thief.submit(page, '/account/security/totp/submit', { code });
      expect(shown.at).toBe('/account/security/codes');
      return () => new Person(server).signIn(thief.username);
    },
  };
  const deniedAs = async ({ id }: TestUser) => {
    const sql = `SELECT detail FROM audit_events WHERE user_id = $1 AND type = 'sign-in.denied'`;
    return (await read(sql, [id])).map(({ detail }) => JSON.parse(String(detail ?? 'null')));
  };

  for (const addition of ['passkey', 'app'] as const)
    alike(
      `new device: a thief who added a factor (${addition}) stays out: “not me” disables the account and is logged`,
      async () => {
        const user = await newUser();
        const { thief, path } = await thiefOf(user);
        const comeBack = await additions[addition](thief);
        const owner = new Person(server, user.username);
        const done = await owner.submit(await owner.open(path), submit);
        expect(done.at).toBe('/recover/not-me/done?account=disabled');
        expect(textOf(done.html)).toContain('The account is disabled');
        expect((await thief.open('/account')).at).toMatch(/^\/login/);
        expect((await comeBack()).at).toBe('/login');
        expect((await findUser(user.id))?.disabled).toBe(true);
        expect(await deniedAs(user)).toEqual([{ kind: 'disabled' }]);
        expect(textOf((await owner.open(path)).html)).toContain('expired');
      },
    );

  alike('new device: “not me” leaves the last admin enabled, without new factors', async () => {
    const user = await newUser({ isAdmin: true });
    const sql = 'UPDATE users SET is_admin = FALSE WHERE is_admin AND id <> :id';
    await write(sql, { id: user.id });
    const { thief, path } = await thiefOf(user);
    const comeBack = await additions.passkey(thief);
    const owner = new Person(server, user.username);
    const done = await owner.submit(await owner.open(path), submit);
    expect(done.at).toBe('/recover/not-me/done?account=cleared');
    expect(textOf(done.html)).toContain('As the only administrator');
    expect((await comeBack()).at).toBe('/login');
    expect(await readFactors(user.id)).toEqual(noFactors);
    expect((await findUser(user.id))?.disabled).toBe(false);
    expect(await deniedAs(user)).toEqual([{ kind: 'cleared' }]);
    expect((await thief.signIn(user.username)).at).toBe('/login');
  });

  test('new device: a factor from over 15 minutes before stays, with its failed tries, and is asked for', async () => {
    const guesses = ({ id }: TestUser) => ({ key: `factor:user:${id}`, limit: 5, userId: id });
    const denies = async (minutesBefore: number) => {
      const user = await newUserWithApp();
      const { person: thief, page } = await atSecondStep(server, user);
      await thief.submit(page, '/login/factor/submit', { code: codeOf(user.secret) });
      const path = server.pathOf((await server.smtp.next(user.email, subject)).link);
      // The mail may have been delayed, so the time of the sign-in counts.
      await write('UPDATE mailed_links SET created_at = :later WHERE user_id = :id', {
        later: new Date(Date.now() + 24 * 3600_000),
        id: user.id,
      });
      await write('UPDATE totp_secrets SET created_at = :at WHERE user_id = :id', {
        at: new Date(Date.now() - minutesBefore * 60_000),
        id: user.id,
      });
      await takeTry(guesses(user), new Date());
      const owner = new Person(server, user.username);
      return { user, owner, end: await owner.submit(await owner.open(path), submit) };
    };
    expect((await denies(14)).end.at).toBe('/recover/not-me/done?account=disabled');
    const { user, owner, end } = await denies(16);
    expect(await triesCounted(guesses(user).key)).toBe(1);
    expect(end.at).toMatch(/^\/recover\/reset/);
    const step = await owner.submit(end, '/recover/reset/submit', { new_password: fresh });
    expect(step.at).toBe('/login/factor');
  });

  alike(
    'new device: turning the mails off before the mail is sent does not suppress it',
    async () => {
      const user = await newUser();
      server.smtp.mood('busy');
      try {
        await signedIn(user);
        await write(`UPDATE users SET notices_off = 'new-device' WHERE id = :id`, { id: user.id });
      } finally {
        server.smtp.mood('takes');
      }
      await write('UPDATE outgoing_mails SET next_at = :now', { now: new Date() });
      await server.smtp.next(user.email, subject);
      await signedIn(user, '198.51.100.1');
      await expectTold(user, 1);
    },
  );

  test('new device: one mail a day per network and browser; another network or browser causes another mail', async () => {
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

  alike('new device: a known browser causes no mail', async () => {
    const user = await newUser();
    const person = await signedIn(user);
    await server.smtp.next(user.email, subject);
    await write('DELETE FROM leases WHERE name LIKE :name', { name: 'new-device:%' });
    await person.signOut();
    await person.signIn();
    await expectTold(user, 1);
  });

  alike(
    'new device: the sign-in after a password reset causes no mail, with a second step too',
    async () => {
      const user = await newUserWithApp();
      const person = new Person(server, user.username);
      await person.submit(await person.open('/recover'), '/recover/submit', {
        username: user.username,
      });
      const { link } = await server.smtp.next(user.email, /Reset your password/);
      const step = await person.submit(
        await person.open(server.pathOf(link)),
        '/recover/reset/submit',
        { new_password: fresh },
      );
      expect(step.at).toMatch(/^\/login\/factor/);
      const code = codeOf(user.secret);
      expect((await person.submit(step, '/login/factor/submit', { code })).at).toBe('/account');
      await expectTold(user, 0);
    },
  );

  alike('new device: NEW_DEVICE_MAIL=off sends no mail', async () => {
    const user = await newUser();
    await set('NEW_DEVICE_MAIL', 'off');
    try {
      await signedIn(user);
    } finally {
      await set('NEW_DEVICE_MAIL', null);
    }
    await allSent();
    expect(told(user)).toEqual([]);
  });
}
