import { expect, test } from 'vitest';
import { read, write } from '#lib/store/engine/database.ts';
import { findUser, isEmailVerified } from '#lib/store/users.ts';
import { textOf } from '../support/html.ts';
import { digitsIn, notThese } from '../support/mailed-codes.ts';
import { onOneForChange } from '../support/on-each-database.ts';
import { answerOf, authorizePath, newPerson, type Page, Person } from '../support/person.ts';
import { newClient, newUser, password } from '../support/seed.ts';
import { newName, openServerWithMail } from '../support/server-with-mail.ts';
import { set } from '../support/settings.ts';

onOneForChange(() => {
  const server = openServerWithMail({ REGISTRATION_DOMAINS: 'example.com' });

  const register = async (person: Person, email: string, from = '/register'): Promise<Page> =>
    person.submit(await person.open(from), '/register/submit', { email });
  const typeHere = (person: Person, page: Page, code: string) =>
    person.submit(page, '/register/code/submit', { code });
  const letterTo = (email: string) => server.smtp.next(email, /Confirm your/);

  test('the mailed code continues a registration, in the app where it began', async () => {
    await set('REGISTRATION', 'open');
    const client = await newClient();
    const person = new Person(server);
    const name = newName();
    const email = `${name}@example.com`;
    const login = await person.open(
      authorizePath({ client_id: client.id, response_type: 'code', state: 'kept' }),
    );
    const begin = /href="(\/register\?flow=[^"]+)"/.exec(login.html)?.[1] ?? '';
    const sent = await register(person, email, begin);
    expect(sent.html).toContain('autoComplete="one-time-code"');
    const digits = digitsIn(await letterTo(email));
    const wrong = await typeHere(person, sent, notThese(digits));
    expect(textOf(wrong.html)).toContain('4 tries are left');
    expect(textOf(wrong.html)).toContain(email);
    const finish = await typeHere(person, wrong, digits);
    expect(finish.at).toMatch(/^\/register\/finish\?token=/);
    const consent = await person.submit(finish, '/register/finish/submit', {
      username: name,
      password,
    });
    expect(answerOf(await person.decide(consent, 'allow'))).toMatchObject({ state: 'kept' });
    const [user] = await read<{ emailVerified: boolean }>(
      'SELECT email_verified FROM users WHERE email_key = $1',
      [email],
    );
    expect(Boolean(user?.emailVerified)).toBe(true);
    // The link in the same mail does not create another account.
    expect(await read('SELECT id FROM users WHERE email_key = $1', [email])).toHaveLength(1);
  });

  test('registration with a taken address shows the same pages, and its mail has no code', async () => {
    const user = await newUser();
    const walk = async (email: string) => {
      const person = new Person(server);
      let page = await register(person, email);
      const seen = [];
      for (let tries = 0; tries < 6; tries += 1) {
        seen.push([page.at, page.status, textOf(page.html).replaceAll(email, 'EMAIL')]);
        page = await typeHere(person, page, '000000');
      }
      return seen;
    };
    expect(await walk(user.email)).toEqual(await walk(`${newName()}@example.com`));
    const told = await server.smtp.next(user.email, /already have an account/);
    expect(told.text).not.toMatch(/^ {4}\d{6}$/m);
  });

  test('REGISTRATION=domains mails a link only, and no code', async () => {
    await set('REGISTRATION', 'domains');
    const email = `${newName()}@example.com`;
    const person = new Person(server);
    const sent = await register(person, email);
    expect(sent.html).not.toContain('/register/code/submit');
    const mail = await letterTo(email);
    expect(mail.text).not.toMatch(/^ {4}\d{6}$/m);
    expect((await person.open(server.pathOf(mail.link))).forms).toHaveLength(1);
    await set('REGISTRATION', 'open');
    // A code that was sent before the rule applied is of no use after it.
    const before = `${newName()}@example.com`;
    const page = await register(person, before);
    const digits = digitsIn(await letterTo(before));
    await set('REGISTRATION', 'domains');
    expect((await typeHere(person, page, digits)).at).toBe('/register');
    await set('REGISTRATION', 'open');
  });

  test('wrong codes are limited over all registrations, and the link still works', async () => {
    await set('REGISTRATION', 'open');
    let refused = 0;
    for (let round = 0; round < 11; round += 1) {
      const person = new Person(server);
      const email = `${newName()}@example.com`;
      let page = await register(person, email);
      const { text } = await letterTo(email);
      for (let tries = 0; tries < 5; tries += 1) {
        page = await typeHere(person, page, notThese(digitsIn({ text }), tries));
        if (textOf(page.html).includes('Too many attempts')) refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(0);
    const [person, email] = [new Person(server), `${newName()}@example.com`];
    const page = await register(person, email);
    const mail = await letterTo(email);
    expect((await typeHere(person, page, digitsIn(mail))).at).toBe('/register/sent');
    expect((await person.open(server.pathOf(mail.link))).at).toMatch(/^\/register\/finish/);
    await write("DELETE FROM throttles WHERE key LIKE 'mail-code:%'", []);
  });

  const mailPage = '/account/mail';

  test('the mailed code confirms the present email address', async () => {
    const person = await newPerson(server);
    const sent = await person.submit(await person.open(mailPage), '/account/email/own/submit');
    const digits = digitsIn(await letterTo(person.user.email));
    const wrong = await person.submit(sent, '/account/email/code/submit', {
      code: notThese(digits),
    });
    expect(textOf(wrong.html)).toContain('4 tries are left');
    const done = await person.submit(wrong, '/account/email/code/submit', { code: digits });
    expect(textOf(done.html)).toContain('Your email address is confirmed.');
    expect(done.html).not.toContain('/account/email/code/submit');
    expect(await isEmailVerified(person.user.id)).toBe(true);
  });

  test('the mailed code for a new address changes it, in the account that asked only', async () => {
    const person = await newPerson(server);
    const other = await newPerson(server);
    const email = `${newName()}@example.com`;
    const sent = await person.submit(await person.open(mailPage), '/account/email/submit', {
      email,
      confirm_password: password,
    });
    const digits = digitsIn(await letterTo(email));
    // Another account in the same browser, with the same cookies except the session.
    for (const name of ['gh_browser', 'gh_mail_code'])
      other.cookies.set(name, person.cookies.get(name) ?? '');
    const theirs = await other.open(mailPage);
    expect(theirs.html).not.toContain('/account/email/code/submit');
    const { body, headers } = other.postOf(theirs, '/account/notices/submit', { code: digits });
    await other.open('/account/email/code/submit', { method: 'POST', body, headers });
    expect((await findUser(other.user.id))?.email).toBe(other.user.email);
    const done = await person.submit(sent, '/account/email/code/submit', { code: digits });
    expect(done.at).toBe('/account/email/done');
    expect((await findUser(person.user.id))?.email).toBe(email);
    await server.smtp.next(person.user.email, /was changed/);
  });

  test('changing to a taken address mails no code, and the page does not reveal it', async () => {
    const person = await newPerson(server);
    const owner = await newUser();
    const sent = await person.submit(await person.open(mailPage), '/account/email/submit', {
      email: owner.email,
      confirm_password: password,
    });
    const told = await server.smtp.next(owner.email);
    expect(told.text).not.toMatch(/^ {4}\d{6}$/m);
    const end = await person.submit(sent, '/account/email/code/submit', { code: '000000' });
    expect(textOf(end.html)).toContain('4 tries are left');
    expect((await findUser(person.user.id))?.email).toBe(person.user.email);
  });

  /** Asks for this address as one's own, in an account of its own. */
  const wants = async (
    email: string,
  ): Promise<{ person: Awaited<ReturnType<typeof newPerson>>; page: Page }> => {
    const person = await newPerson(server);
    const fields = { email, confirm_password: password };
    const page = await person.submit(await person.open(mailPage), '/account/email/submit', fields);
    return { person, page };
  };
  const typeAt = (person: Person, page: Page, code: string) =>
    person.submit(page, '/account/email/code/submit', { code });

  test('letters to one new address are limited, however many accounts ask for it', async () => {
    const email = `${newName()}@example.com`;
    const pages = [];
    for (let each = 0; each < 6; each += 1) pages.push((await wants(email)).page);
    expect(pages.map(({ html }) => html.includes('/account/email/code/submit'))).toEqual([
      ...Array(5).fill(true),
      false,
    ]);
    expect((await wants(`${newName()}@example.com`)).page.html).toContain('email/code/submit');
  });

  test('wrong codes for one address are counted over all accounts, and no code for another clears them', async () => {
    const email = `${newName()}@example.com`;
    let right = '';
    for (let account = 0; account < 5; account += 1) {
      let { person, page } = await wants(email);
      right = digitsIn(await letterTo(email));
      const wrongs = account === 4 ? 1 : 5;
      for (let tries = 0; tries < wrongs; tries += 1)
        page = await typeAt(person, page, notThese(right, tries));
      if (account === 3) {
        const own = `${newName()}@example.com`;
        const change = await wants(own);
        await typeAt(change.person, change.page, digitsIn(await letterTo(own)));
        expect((await findUser(change.person.user.id))?.email).toBe(own);
      }
      if (account < 4) continue;
      page = await typeAt(person, page, right);
      expect(textOf(page.html)).toContain('3 tries are left');
      expect((await findUser(person.user.id))?.email).not.toBe(email);
    }
    await write("DELETE FROM throttles WHERE key LIKE 'mail-code:%'", []);
  });

  test('wrong codes that strangers type for an address do not keep its owner from confirming it', async () => {
    const owner = await newPerson(server);
    const { email } = owner.user;
    for (let account = 0; account < 5; account += 1) {
      let { person, page } = await wants(email);
      for (let tries = 0; tries < 5; tries += 1) page = await typeAt(person, page, '000000');
    }
    const sent = await owner.submit(await owner.open(mailPage), '/account/email/own/submit');
    await typeAt(owner, sent, digitsIn(await letterTo(email)));
    expect(await isEmailVerified(owner.user.id)).toBe(true);
    await write("DELETE FROM throttles WHERE key LIKE '%mail-code:%'", []);
  });

  test('wrong codes for new addresses are limited over all of them', async () => {
    let refused = 0;
    for (let round = 0; round < 11; round += 1) {
      const email = `${newName()}@example.com`;
      let { person, page } = await wants(email);
      const digits = digitsIn(await letterTo(email));
      for (let tries = 0; tries < 5; tries += 1) {
        page = await typeAt(person, page, notThese(digits, tries));
        if (textOf(page.html).includes('Too many attempts')) refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(0);
    await write("DELETE FROM throttles WHERE key LIKE 'mail-code:%'", []);
  });
});
