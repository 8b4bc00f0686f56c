import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { type HttpRequest, nothingKnown } from '#lib/http/message.ts';
import { askForCode as ask, checkCode, newCode } from '#lib/identity/mail-code.ts';
import { compose } from '#lib/mail/compose.ts';
import { codeOf, codeSubjectOf } from '#lib/mail/six-digits.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { disableUser, resetPassword } from '#lib/management/user/users.ts';
import { once } from '#lib/once.ts';
import { restQueues } from '#lib/queue.ts';
import { cookieName } from '#lib/sealed/cookies.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { readFactors } from '#lib/store/factors.ts';
import { databases } from '#lib/tooling/schema.ts';
import { redeem } from '../support/app.ts';
import { codeOf as appCodeOf, newUserWithApp, noFactors, secretOn } from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import {
  askForCode,
  atCode,
  codeSubject,
  digitsIn,
  notThese,
  typeCode,
} from '../support/mailed-codes.ts';
import { alikeOn, onDatabase } from '../support/on-each-database.ts';
import type { TestServer } from '../support/open-server.ts';
import { answerOf, authorizePath, Person } from '../support/person.ts';
import { newClient, newUser, type TestUser } from '../support/seed.ts';
import { openServerWithMail } from '../support/server-with-mail.ts';
import { set } from '../support/settings.ts';
import { withStatements } from '../support/statements.ts';

const actor = { id: 'cli' };
const minute = 60_000;

for (const kind of databases) onDatabase(kind, () => signInCodeTests(kind));

function signInCodeTests(kind: (typeof databases)[number]): void {
  const alike = alikeOn(kind);
  const server = openServerWithMail();
  // A second process on the same database.
  let other: TestServer;
  beforeAll(async () => {
    Object.assign(process.env, { MAIL_URL: server.smtp.url, ISSUER: server.issuer });
    other = await server.secondProcess();
    await set('MAIL_CODE', 'on');
  });

  const mailedTo = async ({ email }: TestUser) =>
    digitsIn(await server.smtp.next(email, codeSubject));
  const signedIn = (person: Person) => person.cookies.has('gh_session');

  /** A person's browser, at one of the two processes. */
  function at(index: number, person: Person): Person {
    const port = index % 2 === 0 ? server.port : other.port;
    const there = new Person({
      ...server,
      base: `http://127.0.0.1:${port}`,
      issuer: index % 2 === 0 ? server.issuer : other.issuer,
    } as TestServer);
    there.address = person.address;
    for (const [name, value] of person.cookies) there.cookies.set(name, value);
    return there;
  }

  alike('a mailed code signs in, in the app where it began, as one factor', async () => {
    const user = await newUser();
    const client = await newClient({ firstParty: true });
    const person = new Person(server);
    const login = await person.open(
      authorizePath({
        client_id: client.id,
        response_type: 'code',
        scope: 'openid',
        state: 'kept',
      }),
    );
    const page = await askForCode(person, login, user.email);
    expect(page.at).toMatch(/^\/login\/code\?flow=/);
    expect(page.html).toContain('autoComplete="one-time-code"');
    expect(page.html).toContain('inputMode="numeric"');
    const mail = await server.smtp.next(user.email, codeSubject);
    const digits = digitsIn(mail);
    expect(mail.subject).not.toContain(digits);
    expect(mail.text).not.toContain('http');
    expect(mail.html).toContain(digits);
    const end = await typeCode(person, page, `${digits.slice(0, 3)} ${digits.slice(3)} `);
    const { code = '', state } = answerOf(end);
    expect(state).toBe('kept');
    const { body } = await redeem(server, client, code);
    expect(decodeJwt(String(body.id_token))).toMatchObject({
      amr: ['otp'],
      acr: 'urn:gatehouse:single',
    });
    expect(person.cookies.has('gh_mail_code')).toBe(false);
  });

  alike(
    'a mailed code: a changed address ends the next step, so that no factor is set up there',
    async () => {
      const user = await newUser();
      const client = await newClient({ requireSecondFactor: true });
      const person = new Person(server);
      const login = await person.open(
        authorizePath({ client_id: client.id, response_type: 'code' }),
      );
      const asked = await askForCode(person, login, user.email);
      const page = await typeCode(person, asked, await mailedTo(user));
      expect(page.at).toMatch(/^\/login\/enrol\?flow=/);
      const moved = `moved-${user.email}`;
      const sql = 'UPDATE users SET email = :moved, email_key = :moved WHERE id = :id';
      await write(sql, { id: user.id, moved });
      const code = appCodeOf(secretOn(page));
      const end = await person.submit(page, '/login/enrol/submit', { code });
      expect(end.at).toMatch(/^\/login\?flow=/);
      expect(await readFactors(user.id)).toEqual(noFactors);
    },
  );

  alike('a mailed code confirms the address of its user only if there is no password', async () => {
    const isProved = async ({ id }: TestUser) =>
      (await read('SELECT email_verified FROM users WHERE id = :id', { id }))[0]?.emailVerified;
    const signInBy = async (user: TestUser) => {
      const { person, page } = await atCode(server, user.email);
      await typeCode(person, page, await mailedTo(user));
      expect(signedIn(person)).toBe(true);
    };
    const mailbox = await newUser();
    const both = await newUser();
    await write('UPDATE users SET password_hash = NULL WHERE id = :id', { id: mailbox.id });
    // The person who chose that password may have created the account in the name of the mailbox's
    // owner.
    await signInBy(both);
    expect(await isProved(both)).toBe(false);
    expect(await isProved(mailbox)).toBe(false);
    await signInBy(mailbox);
    expect(await isProved(mailbox)).toBe(true);
    const { rows } = await listAudit({ userId: mailbox.id, type: 'user.updated', limit: 5 });
    expect(rows).toMatchObject([{ detail: { emailVerified: [false, true] } }]);
  });

  alike(
    'a mailed code needs MAIL_CODE=on, and one already sent is refused once it is off',
    async () => {
      const user = await newUser();
      const { person, page } = await atCode(server, user.username);
      const digits = await mailedTo(user);
      await set('MAIL_CODE', null);
      expect((await new Person(server).open('/login')).html).not.toContain('/login/code');
      expect((await typeCode(person, page, digits)).at).toBe('/login');
      const login = await person.open('/login');
      const { body, headers } = person.postOf(login, '/login/submit', { username: user.username });
      const asked = await person.open('/login/code/send', { method: 'POST', body, headers });
      expect(asked.at).toBe('/login');
      expect((await person.open('/login/code')).at).toBe('/login');
      await set('MAIL_CODE', 'on');
      expect(signedIn(person)).toBe(false);
    },
  );

  alike('a mailed code is followed by the second factor, or by its set-up', async () => {
    const user = await newUserWithApp();
    const { person, page } = await atCode(server, user.username);
    const factor = await typeCode(person, page, await mailedTo(user));
    expect(factor.at).toBe('/login/factor');
    expect(signedIn(person)).toBe(false);
    const home = await person.submit(factor, '/login/factor/submit', {
      code: appCodeOf(user.secret),
    });
    expect(home.at).toBe('/account');
    await set('REQUIRE_SECOND_FACTOR', 'everyone');
    const plain = await newUser();
    const again = await atCode(server, plain.username);
    const enrol = await typeCode(again.person, again.page, await mailedTo(plain));
    await set('REQUIRE_SECOND_FACTOR', null);
    expect(enrol.at).toBe('/login/enrol');
    expect(signedIn(again.person)).toBe(false);
  });

  alike('a mailed code works once, in the browser and the flow that asked for it', async () => {
    const user = await newUser();
    const client = await newClient();
    const { person, page } = await atCode(server, user.username);
    const digits = await mailedTo(user);
    const thief = new Person(server);
    const there = await thief.open('/login');
    thief.cookies.set('gh_mail_code', person.cookies.get('gh_mail_code') ?? '');
    const { body } = thief.postOf(there, '/login/submit', { code: digits });
    const headers = { Origin: server.issuer };
    const stolen = await thief.open('/login/code/submit', { method: 'POST', body, headers });
    expect(stolen.at).toBe('/login');
    expect(textOf(stolen.html)).toContain('That code has expired');
    const elsewhere = await person.open(
      authorizePath({ client_id: client.id, response_type: 'code' }),
    );
    const moved = person.postOf(elsewhere, '/login/submit', { code: digits });
    expect((await person.open('/login/code/submit', { method: 'POST', ...moved })).at).toMatch(
      /^\/login\?flow=/,
    );
    expect([signedIn(thief), signedIn(person)]).toEqual([false, false]);
    expect((await typeCode(person, page, digits)).at).toBe('/account');
  });

  test('a mailed code used in two processes at the same moment signs in once', async () => {
    const user = await newUser();
    const { person, page } = await atCode(server, user.username);
    const digits = await mailedTo(user);
    const ends = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        typeCode(at(index, person), page, `${digits}${' '.repeat(index)}`),
      ),
    );
    expect(ends.filter((end) => end.at === '/account')).toHaveLength(1);
    expect(ends.filter((end) => /no longer works/.test(textOf(end.html)))).toHaveLength(4);
    expect(await read('SELECT hash FROM sessions WHERE user_id = $1', [user.id])).toHaveLength(1);
  });

  test('a mailed code has five tries, also in two processes in parallel, and then the right one is refused', async () => {
    const user = await newUser();
    const { person, page } = await atCode(server, user.username);
    const digits = await mailedTo(user);
    await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        typeCode(at(index, person), page, notThese(digits, index)),
      ),
    );
    const failures = await read(
      "SELECT id FROM audit_events WHERE user_id = $1 AND type = 'sign-in.failure'",
      [user.id],
    );
    expect(failures).toHaveLength(5);
    const end = await typeCode(person, page, digits);
    expect(textOf(end.html)).toContain('no longer works');
    expect(textOf(end.html)).toContain('Use your password instead');
    expect(signedIn(person)).toBe(false);
    const next = await person.submit(end, '/login/code/send');
    expect(textOf(next.html)).toContain('A new code is on its way');
    expect((await typeCode(person, next, await mailedTo(user))).at).toBe('/account');
  });

  alike('a new mailed code replaces the old one; malformed input is not counted', async () => {
    const user = await newUser();
    const { person, page } = await atCode(server, user.username);
    const first = await mailedTo(user);
    for (const typed of ['12345', '1234567', 'abcdef', '', '１２３', '12 34 5é'])
      expect(textOf((await typeCode(person, page, typed)).html)).toContain('six digits');
    const again = await person.submit(page, '/login/code/send');
    const second = await mailedTo(user);
    const old = await typeCode(person, again, first);
    if (first !== second) expect(textOf(old.html)).toContain('4 tries are left');
    expect((await typeCode(person, old, second)).at).toBe('/account');
  });

  alike.each<[string, (user: TestUser) => Promise<unknown>]>([
    ['a new password', ({ id }) => resetPassword(id, 'entirely other words', actor, new Date())],
    ['disabling the account', ({ id }) => disableUser(id, actor, new Date())],
  ])('a mailed code is ended by %s', async (_, change) => {
    const user = await newUser();
    const { person, page } = await atCode(server, user.username);
    const digits = await mailedTo(user);
    await change(user);
    expect(textOf((await typeCode(person, page, digits)).html)).toContain('isn’t right');
    expect(signedIn(person)).toBe(false);
  });

  alike('a mailed code for an unknown name: same answers as for a known one', async () => {
    const user = await newUser();
    const nobody = `nobody-${Date.now()}`;
    const walk = async (login: string) => {
      const person = new Person(server);
      const login1 = await person.open('/login');
      const { body, headers } = person.postOf(login1, '/login/submit', { username: login });
      const visit = { method: 'POST', body, headers };
      const asked = await person.request('/login/code/send', visit);
      const seen = [asked.status, [...asked.headers.keys()].sort(), asked.headers.get('location')];
      let page = await person.open('/login/code');
      const pages = [textOf(page.html).replaceAll(login, 'LOGIN')];
      for (let tries = 0; tries < 7; tries += 1) {
        page = await typeCode(person, page, '000000');
        pages.push(textOf(page.html).replaceAll(login, 'LOGIN'));
      }
      return { seen, pages, cookie: person.cookies.get('gh_mail_code')?.length };
    };
    const known = await walk(user.username.padEnd(nobody.length, '-').slice(0, nobody.length));
    const unknown = await walk(nobody);
    expect(unknown).toEqual(known);
    expect(await walk(user.username)).toMatchObject({ pages: unknown.pages, seen: unknown.seen });
  });

  alike(
    'mailed codes are limited by name, network and browser, for unknown names alike',
    async () => {
      for (const login of [(await newUser()).username, `nobody-${Date.now()}`]) {
        for (let asked = 0; asked < 5; asked += 1)
          expect((await atCode(server, login)).page.at).toBe('/login/code');
        const { page } = await atCode(server, login);
        expect(page.at).toBe('/login');
        expect(textOf(page.html)).toContain('Too many codes');
        expect(page.forms[0]?.fields.username).toBe(login);
      }
      const one = new Person(server);
      for (let asked = 0; asked < 10; asked += 1) {
        one.address = new Person(server).address;
        expect((await atCode(server, `nobody-${asked}`, one)).page.at).toBe('/login/code');
      }
      expect((await atCode(server, 'nobody-10', one)).page.at).toBe('/login');
      const { address } = new Person(server);
      for (let asked = 0; asked <= 20; asked += 1) {
        const person = new Person(server);
        person.address = address;
        const { page } = await atCode(server, `nobody-${asked}-${address}`, person);
        expect(page.at).toBe(asked < 20 ? '/login/code' : '/login');
      }
    },
  );

  alike(
    'mailed codes: requests of strangers use up neither the codes nor the tries of a known browser',
    async () => {
      const user = await newUser();
      const owner = new Person(server, user.username);
      await owner.signIn();
      await owner.signOut();
      for (let asked = 0; asked < 4; asked += 1) {
        const { person, page } = await atCode(server, user.username);
        const digits = await mailedTo(user);
        for (let tries = 0; tries < 5; tries += 1)
          await typeCode(person, page, notThese(digits, tries));
      }
      expect((await atCode(server, user.username)).page.at).toBe('/login/code');
      expect((await atCode(server, user.username)).page.at).toBe('/login');
      const { page } = await atCode(server, user.username, owner);
      expect((await typeCode(owner, page, await mailedTo(user))).at).toBe('/account');
    },
  );

  describe('a mailed code by the functions themselves', () => {
    const browser = 'B'.repeat(43);
    /** A request from a browser with these cookies, which is not known for any person. */
    function requestOf(cookies: readonly string[] = []): HttpRequest {
      const cookie = [`${cookieName('browser')}=${browser}`, ...cookies].join('; ');
      return {
        method: 'POST',
        path: '/login/code/submit',
        query: '',
        id: 'test',
        address: new Person(server).address,
        isShared: false,
        about: nothingKnown(),
        header: (name: string) => (name === 'cookie' ? cookie : undefined),
        repeatsAuthorization: () => false,
        body: async () => Buffer.from(''),
      } as unknown as HttpRequest;
    }
    const pairOf = (cookie: string) => cookie.split(';')[0] ?? '';
    const wanted = { purpose: 'sign-in', about: 'flow-1' } as const;

    async function coded(
      login: string,
      now: Date,
      what: { purpose: 'sign-in' | 'account' } = wanted,
    ) {
      const made = await newCode(requestOf(), { ...wanted, ...what, to: login }, now);
      const subject = await codeSubjectOf({ purpose: what.purpose, to: login });
      return {
        request: () => requestOf([pairOf(made.cookie)]),
        digits: subject ? codeOf(made.secret, subject.basis) : '000000',
      };
    }

    test('is valid for ten minutes', async () => {
      const { username, id } = await newUser();
      const now = new Date();
      const { request, digits } = await coded(username, now);
      const late = new Date(now.getTime() + 10 * minute + 1);
      expect(await checkCode(request(), wanted, digits, late)).toBe('gone');
      const soon = new Date(now.getTime() + 10 * minute - 1);
      expect(await checkCode(request(), wanted, digits, soon)).toMatchObject({ user: { id } });
    });

    alike('is refused for another purpose or another flow', async () => {
      const { username, id } = await newUser();
      const now = new Date();
      const { request, digits } = await coded(username, now, { purpose: 'account' });
      const tried = (purpose: 'sign-in' | 'registration' | 'address' | 'account', about: string) =>
        checkCode(request(), { purpose, about }, digits, now);
      for (const purpose of ['sign-in', 'registration', 'address'] as const)
        expect(await tried(purpose, wanted.about)).toBe('gone');
      expect(await tried('account', 'flow-2')).toBe('gone');
      expect(await tried('account', wanted.about)).toMatchObject({ user: { id } });
      expect(await tried('account', wanted.about)).toBe('spent');
    });

    test('is refused and no longer sent after twenty wrong ones from unknown browsers', async () => {
      const { username, id } = await newUser();
      const now = new Date();
      for (let round = 0; round < 4; round += 1) {
        const { request, digits } = await coded(username, now);
        for (let tries = 0; tries < 5; tries += 1)
          expect(await checkCode(request(), wanted, notThese(digits, tries), now)).toEqual({
            wrongLeft: 4 - tries,
          });
      }
      const { request, digits } = await coded(username, now);
      expect(await checkCode(request(), wanted, digits, now)).toEqual({ wrongLeft: 4 });
      const letter = { kind: 'code', login: username, secret: 's', address: null } as const;
      expect(await compose({ ...letter, purpose: 'sign-in' }, false, now)).toBeNull();
      const known = { ...letter, purpose: 'sign-in', device: `device:d:${id}` } as const;
      expect(await compose(known, false, now)).not.toBeNull();
      // Even much later, nothing is forgotten.
      const later = new Date(now.getTime() + 80 * 24 * 60 * minute);
      expect(await compose({ ...letter, purpose: 'sign-in' }, false, later)).toBeNull();
    });

    test('is mailed at most five times in a quarter of an hour, and twenty times until a right one', async () => {
      const { username } = await newUser();
      const letter = { kind: 'code', purpose: 'sign-in', login: username, secret: 's' } as const;
      let sent = 0;
      let now = Date.now();
      for (let hour = 0; hour < 100; hour += 1) {
        for (let asked = 0; asked < 8; asked += 1)
          if (await compose({ ...letter, address: null }, false, new Date(now))) sent += 1;
        if (hour === 0) expect(sent).toBe(5);
        now += 60 * minute;
      }
      expect(sent).toBe(20);
    });

    test.runIf(kind === 'postgresql')(
      'runs the same SQL statements for a known name and an unknown one',
      async () => {
        const statementsOf = (login: string) =>
          withStatements(async () => {
            const now = new Date();
            const asked = await ask(requestOf(), { ...wanted, to: login }, 'en', now);
            const cookie = 'cookie' in asked ? pairOf(asked.cookie) : '';
            return checkCode(requestOf([cookie]), wanted, '000000', now);
          });
        const { username } = await newUser();
        // Statements of background work do not count.
        await restQueues();
        await statementsOf(username);
        expect(await statementsOf(username)).toEqual(await statementsOf(`nobody-${Date.now()}`));
        once('queues', () => ({ left: false, byName: new Map() })).left = false;
      },
    );
  });
}
