import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { read, write } from '#lib/store/engine/database.ts';
import { findUser, findUserByLogin } from '#lib/store/users.ts';
import { databases } from '#lib/tooling/schema.ts';
import { refresh, tokensOf } from '../support/app.ts';
import {
  atSecondStep,
  codeOf,
  confirmedBy,
  newUserWithApp,
  wrongCode,
} from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { alikeOn, onDatabase } from '../support/on-each-database.ts';
import { type Page, Person } from '../support/person.ts';
import { newClient, newUser, password, type TestUser } from '../support/seed.ts';
import { openServerWithMail } from '../support/server-with-mail.ts';

const other = () => `other-${randomBytes(6).toString('hex')}@example.com`;

for (const database of databases) onDatabase(database, () => accountTests(database));

function accountTests(database: (typeof databases)[number]): void {
  const alike = alikeOn(database);
  const server = openServerWithMail();

  async function signedIn(user: TestUser): Promise<Person> {
    const person = new Person(server, user.username);
    await person.signIn();
    return person;
  }

  const change = async (person: Person, email: string, word = password): Promise<Page> =>
    person.submit(await person.open('/account/mail'), '/account/email/submit', {
      email,
      confirm_password: word,
    });

  test('a change of the email address takes effect once confirmed, and the old address gets a mail', async () => {
    const user = await newUser();
    const wanted = other();
    const person = await signedIn(user);
    const sent = await change(person, wanted);
    expect(textOf(sent.html)).toContain(`We sent a code and a link to ${wanted}`);
    expect((await findUser(user.id))?.email).toBe(user.email);
    const path = server.pathOf((await server.smtp.next(wanted, /Confirm your new/)).link);
    const page = await person.open(path);
    expect((await findUser(user.id))?.email).toBe(user.email);
    const done = await person.submit(page, '/account/email/confirm/submit');
    expect(done.at).toBe('/account/email/done');
    expect((await findUser(user.id))?.email).toBe(wanted);
    const told = await server.smtp.next(user.email, /address .* was changed/);
    expect(told.text).toContain(wanted);
    expect(server.smtp.to(wanted)).toHaveLength(1);
    expect(textOf((await person.open(path)).html)).toContain('no longer works');
    expect((await new Person(server).signIn(wanted)).at).toBe('/account');
    const [event] = await read(
      `SELECT detail FROM audit_events WHERE user_id = $1 AND type = 'email.changed'`,
      [user.id],
    );
    expect(JSON.parse(String(event?.detail))).toEqual({ before: user.email, after: wanted });
  });

  alike(
    'changing the email address needs the second factor too, and the session gets a new cookie',
    async () => {
      const user = await newUserWithApp();
      const { person, page } = await atSecondStep(server, user);
      await person.submit(page, '/login/factor/submit', { code: codeOf(user.secret, -1) });
      const thief = new Person(server, user.username);
      for (const [name, value] of person.cookies) thief.cookies.set(name, value);
      const email = other();
      const ask = async (given: Record<string, string>) =>
        textOf(
          (
            await person.submit(await person.open('/account/mail'), '/account/email/submit', {
              email,
              ...given,
            })
          ).html,
        );
      expect(await ask(confirmedBy())).toContain('Enter your password and a code');
      expect(await ask(confirmedBy(wrongCode(user.secret)))).toContain('code isn’t right');
      expect(server.smtp.to(email)).toEqual([]);
      expect(await ask(confirmedBy(codeOf(user.secret)))).toContain(
        `We sent a code and a link to ${email}`,
      );
      expect((await server.smtp.next(email, /Confirm your new/)).link).toBeTruthy();
      expect((await person.open('/account')).at).toBe('/account');
      expect((await thief.open('/account')).at).toMatch(/^\/login/);
    },
  );

  alike('changing the email address needs the password, and a valid new address', async () => {
    const user = await newUser();
    const person = await signedIn(user);
    expect(textOf((await change(person, other(), 'not the password')).html)).toContain(
      'That’s not your password',
    );
    expect(textOf((await change(person, user.email.toUpperCase())).html)).toContain(
      'already your address',
    );
    expect(textOf((await change(person, 'a@b@c')).html)).toContain('Enter an email address');
    expect(textOf((await change(person, `${other()}\nBcc: evil@example.com`)).html)).toContain(
      'Enter an email address',
    );
  });

  alike('changing to another user’s address: same answer, and its owner gets a mail', async () => {
    const user = await newUser();
    const owner = await newUser();
    const answer = textOf((await change(await signedIn(user), owner.email)).html);
    const fresh = other();
    const same = textOf((await change(await signedIn(user), fresh)).html);
    expect(answer.replaceAll(owner.email, 'X')).toBe(same.replaceAll(fresh, 'X'));
    const told = await server.smtp.next(owner.email, /Your address at/);
    expect(told.text).not.toContain('token=');
  });

  test('two users who want the same email address: the second to confirm is refused', async () => {
    const one = await newUser();
    const two = await newUser();
    const wanted = other();
    await change(await signedIn(one), wanted);
    const first = server.pathOf((await server.smtp.next(wanted)).link);
    await change(await signedIn(two), wanted);
    const second = server.pathOf((await server.smtp.next(wanted)).link);
    const person = await signedIn(one);
    const slower = await signedIn(two);
    const late = await slower.open(second);
    expect(
      (await person.submit(await person.open(first), '/account/email/confirm/submit')).at,
    ).toBe('/account/email/done');
    const refused = await slower.submit(late, '/account/email/confirm/submit');
    expect(textOf(refused.html)).toContain('belongs to another account');
    expect((await findUser(two.id))?.email).toBe(two.email);
  });

  test('a changed password invalidates the link to confirm a new email address', async () => {
    const user = await newUser();
    const wanted = other();
    await change(await signedIn(user), wanted);
    const path = server.pathOf((await server.smtp.next(wanted)).link);
    const person = await signedIn(user);
    const page = await person.open(path);
    await write(`UPDATE users SET password_hash = 'v1:changed' WHERE id = $1`, [user.id]);
    const dead = await person.submit(page, '/account/email/confirm/submit');
    expect(textOf(dead.html)).toContain('no longer works');
  });

  const action = '/account/email/own/submit';
  const confirm = async (person: Person): Promise<Page> =>
    person.submit(await person.open('/account/mail'), action);
  /**
   * The subjects of the mails that a person was sent. Mails are sent in order, so this asks for
   * another one and waits for it.
   */
  const subjectsOf = async ({ username, email }: TestUser): Promise<string> => {
    const person = new Person(server);
    await person.submit(await person.open('/recover'), '/recover/submit', { username });
    await server.smtp.next(email, /Reset your password/);
    return server.smtp
      .to(email)
      .map(({ subject }) => subject)
      .join('\n');
  };
  const isConfirmed = async (user: TestUser) =>
    Boolean(
      (await read('SELECT email_verified FROM users WHERE id = $1', [user.id]))[0]?.emailVerified,
    );

  test('a user confirms the present email address by a mailed link, in their own session only', async () => {
    const user = await newUser();
    const other = await newUser();
    const person = await signedIn(user);
    expect(textOf((await confirm(person)).html)).toContain(
      `We sent a code and a link to ${user.email}`,
    );
    const mail = await server.smtp.next(user.email, /Confirm your email address/);
    expect(mail.text.replace(/\s+/g, ' ')).toContain('confirm that this address is theirs');
    const path = server.pathOf(mail.link);
    const submit = '/account/email/confirm/submit';
    expect(
      (await (await signedIn(other)).open(path)).forms.map((form) => form.action),
    ).not.toContain(submit);
    const page = await person.open(path);
    expect(textOf(page.html)).toContain('Confirm your email address?');
    expect(await isConfirmed(user)).toBe(false);
    const done = await person.submit(page, submit);
    expect([done.at, await isConfirmed(user)]).toEqual(['/account/mail', true]);
    expect(textOf(done.html)).toContain('Your email address is confirmed.');
    expect(done.forms.map((form) => form.action)).not.toContain(action);
    expect(textOf((await person.open(path)).html)).toContain('no longer works');
    const [event] = await read(
      `SELECT detail FROM audit_events WHERE user_id = $1 AND type LIKE 'email.%'`,
      [user.id],
    );
    expect(JSON.parse(String(event?.detail))).toEqual({ email: user.email });
    expect(await subjectsOf(user)).not.toMatch(/changed/);
  });

  alike('a confirmed email address is mailed no further link', async () => {
    const user = await newUser();
    const person = await signedIn(user);
    const page = await person.open('/account/mail');
    await write('UPDATE users SET email_verified = $2 WHERE id = $1', [user.id, true]);
    const asked = await person.submit(page, action);
    expect(textOf(asked.html)).not.toContain('We sent a');
    expect(await subjectsOf(user)).not.toMatch(/Confirm/);
  });

  alike('mailed links to confirm and to change an address are limited together', async () => {
    const user = await newUser();
    const person = await signedIn(user);
    for (let sent = 0; sent < 4; sent += 1) await confirm(person);
    await change(person, other());
    expect(textOf((await confirm(person)).html)).toContain('Too many requests.');
    expect(textOf((await change(person, other())).html)).toContain('Too many requests.');
    for (let sent = 0; sent < 4; sent += 1)
      await server.smtp.next(user.email, /Confirm your email/);
    expect((await subjectsOf(user)).match(/Confirm/g)).toHaveLength(4);
  });

  test('a link to confirm an email address is invalid once the account has another address', async () => {
    const user = await newUser();
    const person = await signedIn(user);
    await confirm(person);
    const path = server.pathOf((await server.smtp.next(user.email, /Confirm your email/)).link);
    const page = await person.open(path);
    const moved = other();
    await write('UPDATE users SET email = $2, email_key = $2 WHERE id = $1', [user.id, moved]);
    const dead = await person.submit(page, '/account/email/confirm/submit');
    expect(textOf(dead.html)).toContain('no longer works');
    expect([(await findUser(user.id))?.email, await isConfirmed(user)]).toEqual([moved, false]);
  });

  if (database === 'postgresql') return;
  alike('the account page shows a success once, an input error also on a reload', async () => {
    const person = await signedIn(await newUser());
    const saved = await person.submit(
      await person.open('/account/mail'),
      '/account/notices/submit',
    );
    expect(textOf(saved.html)).toContain('Saved.');
    expect(textOf((await person.open('/account/mail')).html)).not.toContain('Saved.');
    await change(person, 'a@b@c');
    const again = await person.open('/account/mail');
    expect(textOf(again.html)).toContain('Enter an email address');
    expect(again.html).toContain('a@b@c');
  });

  test('choosing notices: only offered ones are stored, and the same choice again is no audit event', async () => {
    const person = await signedIn(await newUser());
    const page = await person.open('/account/mail');
    const { csrf = '' } = page.forms[0]?.fields ?? {};
    const choose = async (...named: string[]) => {
      const body = new URLSearchParams([['csrf', csrf], ...named.map((each) => ['notice', each])]);
      const headers = { Origin: server.issuer };
      const visit = { method: 'POST', body: body.toString(), headers };
      expect((await person.request('/account/notices/submit', visit)).status).toBe(303);
    };
    const told = async () => {
      const sql = `SELECT detail FROM audit_events WHERE user_id = $1 AND type = 'notices.changed' ORDER BY id`;
      const { id } = (await findUserByLogin(person.username)) ?? { id: '' };
      return (await read(sql, [id])).map(({ detail }) => JSON.parse(String(detail)));
    };
    const long = Array.from({ length: 60 }, (_, index) => `${index}`.repeat(450));
    await choose('app-approved', ...long);
    await choose('app-approved', ...long);
    expect(await told()).toEqual([{ wanted: ['app-approved'] }]);
    await choose();
    expect(await told()).toHaveLength(2);
  });

  test('a user is mailed about a new device, an app, a reused token and a new password, unless turned off', async () => {
    const user = await newUser({ name: 'Ada <b>Lovelace</b>' });
    const client = await newClient({ name: 'Notes\u202E & more <i>' });
    const person = new Person(server, user.username);
    const agent = { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' };
    const { body, headers } = person.postOf(await person.open('/login'), '/login/submit', {
      username: user.username,
      password,
    });
    await person.request('/login/submit', {
      method: 'POST',
      body,
      headers: { ...headers, ...agent },
    });
    const device = await server.smtp.next(user.email, /New sign-in/);
    expect(device.text.replace(/\s+/g, ' ')).toContain('(Firefox, Windows, ');
    expect(device.text.replace(/\s+/g, ' ')).toContain(`IP address ${person.address})`);
    expect(device.headers.get('auto-submitted')).toEqual(['auto-generated']);

    const tokens = await tokensOf(server, person, client);
    const approved = await server.smtp.next(user.email, /can now use your account/);
    expect(approved.subject).toContain('Notes & more <i>');
    expect(approved.html).toContain('Notes &amp; more &lt;i&gt;');
    expect(approved.html).not.toContain('<i>');

    const second = await refresh(server, tokens.refresh_token);
    await refresh(server, String(second.body.refresh_token));
    await Promise.all(Array.from({ length: 4 }, () => refresh(server, tokens.refresh_token)));
    await server.smtp.next(user.email, /was disconnected/);

    await person.submit(await person.open('/account/sign-in'), '/account/password/submit', {
      confirm_password: password,
      new_password: 'some other long words',
    });
    await server.smtp.next(user.email, /password .* was changed/);
    expect(server.smtp.to(user.email)).toHaveLength(4);

    const page = await person.open('/account/mail');
    expect(
      page.forms.find(({ action }) => action === '/account/notices/submit')?.fields.notice,
    ).toBeDefined();
    const form = new URLSearchParams({ csrf: page.forms[0]?.fields.csrf ?? '' });
    await person.open('/account/notices/submit', {
      method: 'POST',
      body: form.toString(),
      headers: { Origin: server.issuer },
    });
    await new Person(server).signIn(user.username, 'some other long words');
    await tokensOf(server, person);
    const after = new Person(server);
    await after.submit(await after.open('/recover'), '/recover/submit', {
      username: user.username,
    });
    await server.smtp.next(user.email, /Reset your password/);
    expect(server.smtp.to(user.email)).toHaveLength(5);
  });
}
