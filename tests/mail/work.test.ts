import { afterEach, beforeAll, expect, test } from 'vitest';
import {
  freeAsks,
  isWorkDue,
  newWork,
  slowWait,
  type WorkUse,
} from '#lib/identity/proof-of-work.ts';
import { cookieName } from '#lib/sealed/cookies.ts';
import { write } from '#lib/store/engine/database.ts';
import { takeTry } from '#lib/store/throttles.ts';
import { databases } from '#lib/tooling/schema.ts';
import { textOf } from '../support/html.ts';
import { askForCode } from '../support/mailed-codes.ts';
import { alikeOn, onDatabase } from '../support/on-each-database.ts';
import type { TestServer } from '../support/open-server.ts';
import { forgetSentForms, type Page, Person } from '../support/person.ts';
import { newUser } from '../support/seed.ts';
import { openServerWithMail } from '../support/server-with-mail.ts';
import { set } from '../support/settings.ts';
import { solve } from '../support/work.ts';

for (const database of databases) onDatabase(database, () => workTests(database));

function workTests(database: (typeof databases)[number]): void {
  const alike = alikeOn(database);
  const server = openServerWithMail();
  let other: TestServer;
  beforeAll(async () => {
    Object.assign(process.env, { MAIL_URL: server.smtp.url, ISSUER: server.issuer });
    other = await server.secondProcess();
    await set('REGISTRATION', 'open');
    await set('MAIL_CODE', 'on');
  });
  afterEach(() => set('PROOF_OF_WORK', null));

  const register = '/register/submit';
  const recover = '/recover/submit';
  const email = () => `new-${Math.random().toString(36).slice(2)}@example.com`;
  const sent = (page: Page) => page.at === '/register/sent' || page.at === '/recover/sent';

  /** The challenge of a form that this browser opened this many milliseconds ago. */
  async function opened(person: Person, use: WorkUse, milliseconds: number): Promise<string> {
    const cookie = `${cookieName('browser')}=${person.cookies.get('gh_browser')}`;
    const request = { header: (name: string) => (name === 'cookie' ? cookie : undefined) };
    const then = new Date(Date.now() - milliseconds);
    return (await newWork(request, use, undefined, then))?.text ?? '';
  }

  alike(
    'proof of work is not asked for without an attack, and its script is not loaded',
    async () => {
      for (const path of ['/register', '/recover', '/login'])
        expect((await new Person(server).open(path)).html).not.toMatch(/data-work|work\.js/);
      const person = new Person(server);
      expect(
        sent(await person.submit(await person.open('/register'), register, { email: email() })),
      ).toBe(true);
    },
  );

  alike('proof of work by ALTCHA’s solver is accepted for each form, once', async () => {
    await set('PROOF_OF_WORK', 'always');
    const user = await newUser();
    const forms = [
      ['/register', register, { email: email() }],
      ['/recover', recover, { username: user.username }],
    ] as const;
    for (const [path, action, fields] of forms) {
      const person = new Person(server);
      const page = await person.open(path);
      expect(page.html).toContain('/work.js');
      const done = { ...fields, ...(await solve(page, action)) };
      expect(sent(await person.submit(page, action, done))).toBe(true);
      await forgetSentForms();
      const again = await person.submit(page, action, done);
      expect(again.at).toBe(path);
      expect(textOf(again.html)).toContain('Send it again now');
      expect(again.forms[0]?.fields).toMatchObject(fields);
      expect(sent(await person.submit(again, action, await solve(again, action)))).toBe(true);
    }
    const person = new Person(server);
    const login = await person.open('/login');
    const work = await solve(login, '/login/submit');
    const { body, headers } = person.postOf(login, '/login/submit', {
      username: user.username,
      ...work,
    });
    const code = await person.open('/login/code/send', { method: 'POST', body, headers });
    expect(code.at).toBe('/login/code');
    const next = await solve(code, '/login/code/send');
    expect(textOf((await person.submit(code, '/login/code/send', next)).html)).toContain(
      'A new code is on its way',
    );
  });

  alike('proof of work with a wrong number, or of another browser or form, fails', async () => {
    await set('PROOF_OF_WORK', 'always');
    const person = new Person(server);
    const fresh = await person.open('/register');
    const mine = await solve(fresh, register);
    const { work = '' } = mine;
    // The form is shown again, and work that is not ours does not spend that of the page.
    for (const other of [
      `${'0'.repeat(32)}${work.slice(32)}`,
      work.replace(/\.(\d{13})\./, (_, at) => `.${Number(at) - 1}.`),
      'x'.repeat(2000),
      '',
    ]) {
      const fields = { email: email(), ...mine, work: other };
      expect((await person.submit(fresh, register, fields)).at, other).toBe('/register');
    }
    // Any number spends the work of its page, whether right or wrong.
    for (const proof of [`${mine.proof}0`, '-1', '4294967296']) {
      const page = await person.open('/register');
      const { at } = await person.submit(page, register, { email: email(), proof });
      expect(at, proof).toBe('/register');
    }
    const thief = new Person(server);
    const theirs = await thief.open('/register');
    expect((await thief.submit(theirs, register, { email: email(), ...mine })).at).toBe(
      '/register',
    );
    const form = await person.open('/recover');
    expect((await person.submit(form, recover, { username: 'somebody', ...mine })).at).toBe(
      '/recover',
    );
    expect(sent(await person.submit(fresh, register, { email: email(), ...mine }))).toBe(true);
  });

  test('proof of work sent to two processes in parallel counts once', async () => {
    await set('PROOF_OF_WORK', 'always');
    const [person, address] = [new Person(server), email()];
    const page = await person.open('/register');
    const work = await solve(page, register);
    const there = new Person({
      ...server,
      base: `http://127.0.0.1:${other.port}`,
      issuer: other.issuer,
    } as TestServer);
    Object.assign(there, { address: person.address });
    for (const [name, value] of person.cookies) there.cookies.set(name, value);
    const ends = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? person : there).submit(page, register, {
          email: `${address}${' '.repeat(index)}`,
          ...work,
        }),
      ),
    );
    expect(ends.filter(sent)).toHaveLength(1);
  });

  alike(
    'proof of work without JavaScript: waiting counts instead, keeps what was typed, and is limited per network',
    async () => {
      await set('PROOF_OF_WORK', 'always');
      const { address } = new Person(server);
      const patient = async (fields: Record<string, string>) => {
        const person = new Person(server);
        person.address = address;
        const page = await person.open('/register');
        return {
          person,
          page,
          end: () => person.submit(page, register, { email: email(), ...fields }),
        };
      };
      const { person, page } = await patient({});
      const typed = email();
      const early = await person.submit(page, register, { email: typed });
      expect(textOf(early.html)).toMatch(/send it again in (\d+ seconds|1 second)\./);
      expect(early.forms[0]?.fields.email).toBe(typed);
      // The time counts from when the form was first opened.
      expect(early.forms[0]?.fields.work).toBe(page.forms[0]?.fields.work);
      for (let passed = 0; passed < 3; passed += 1) {
        const { person, page } = await patient({});
        const soon = await opened(person, 'registration', slowWait - 5000);
        expect((await person.submit(page, register, { email: email(), work: soon })).at).toBe(
          '/register',
        );
        const work = await opened(person, 'registration', slowWait + 1000);
        expect(sent(await person.submit(page, register, { email: email(), work }))).toBe(true);
      }
      const fourth = await patient({});
      const work = await opened(fourth.person, 'registration', slowWait + 1000);
      const refused = await fourth.person.submit(fourth.page, register, { email: email(), work });
      expect(textOf(refused.html)).toContain('Many bots are active right now. Try again in');
      // With work it is accepted, and so is another network without work.
      const done = await solve(refused, register);
      expect(sent(await fourth.person.submit(refused, register, { email: email(), ...done }))).toBe(
        true,
      );
      const elsewhere = new Person(server);
      const form = await elsewhere.open('/register');
      const waited = await opened(elsewhere, 'registration', slowWait + 1000);
      expect(sent(await elsewhere.submit(form, register, { email: email(), work: waited }))).toBe(
        true,
      );
      const again = await elsewhere.submit(form, register, { email: email(), work: waited });
      expect(again.at).toBe('/register');
      const old = await opened(elsewhere, 'registration', 61 * 60_000);
      expect((await elsewhere.submit(form, register, { email: email(), work: old })).at).toBe(
        '/register',
      );
    },
  );

  alike(
    'proof of work starts when too many forms are sent by strangers, and ends after a pause',
    async () => {
      const now = new Date();
      const person = new Person(server);
      const before = await person.open('/register');
      const user = await newUser();
      const signIn = new Person(server, user.username);
      for (let asked = 0; asked <= freeAsks; asked += 1)
        await takeTry({ key: 'work:asked', limit: freeAsks }, now);
      expect(await isWorkDue(now)).toBe(true);
      // A form opened earlier loses nothing.
      const typed = email();
      const again = await person.submit(before, register, { email: typed });
      expect(again.at).toBe('/register');
      expect(again.forms[0]?.fields.email).toBe(typed);
      expect(sent(await person.submit(again, register, await solve(again, register)))).toBe(true);
      // Forms that send mail make no work for passwords.
      expect((await signIn.signIn()).at).toBe('/account');
      expect(await isWorkDue(new Date(now.getTime() + 61_000))).toBe(false);
      await set('PROOF_OF_WORK', 'off');
      const free = new Person(server);
      expect((await askForCode(free, await free.open('/login'), user.username)).at).toBe(
        '/login/code',
      );
      await write("DELETE FROM throttles WHERE key LIKE 'work:%'", []);
    },
  );
}
