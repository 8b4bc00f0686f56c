import { expect, test } from 'vitest';
import {
  invite,
  listInvitations,
  revokeInvitation,
} from '#lib/management/invitation/invitations.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { textOf } from '../support/html.ts';
import { onOneForChange } from '../support/on-each-database.ts';
import { answerOf, authorizePath, forgetSentForms, type Page, Person } from '../support/person.ts';
import { newClient, newUser, password } from '../support/seed.ts';
import { newName, openServerWithMail } from '../support/server-with-mail.ts';
import { set } from '../support/settings.ts';

const actor = { id: 'cli' };

onOneForChange(() => {
  const server = openServerWithMail();
  const register = async (person: Person, email: string, from = '/register'): Promise<Page> =>
    person.submit(await person.open(from), '/register/submit', { email });
  const finish = async (person: Person, page: Page, username: string, word = password) => {
    await forgetSentForms();
    return person.submit(page, '/register/finish/submit', { username, password: word });
  };

  test('registration off: the pages do not offer it, and the form is refused', async () => {
    // Until there is an account, the sign-in page has no form.
    await newUser();
    const person = new Person(server);
    expect((await person.open('/login')).html).not.toContain('/register');
    const page = await person.open('/register');
    expect(page.forms).toEqual([]);
    const login = await person.open('/login');
    const { body, headers } = person.postOf(login, '/login/submit', { email: 'x@example.com' });
    const refused = await person.open('/register/submit', { method: 'POST', body, headers });
    expect(textOf(refused.html)).toContain('Sign-up is closed');
  });

  test('registration: a user confirms the address, and ends in the app where it began', async () => {
    await set('REGISTRATION', 'open');
    const client = await newClient();
    const [name, person] = [newName(), new Person(server)];
    const email = `${name}@example.com`;
    const login = await person.open(
      authorizePath({ client_id: client.id, response_type: 'code', state: 'kept' }),
    );
    const begin = /href="(\/register\?flow=[^"]+)"/.exec(login.html)?.[1] ?? '';
    const sent = await register(person, email, begin);
    expect(sent.at).toMatch(/^\/register\/sent\?flow=/);
    expect(await read('SELECT id FROM users WHERE email_key = $1', [email])).toEqual([]);

    const mail = await server.smtp.next(email, /Confirm/);
    const page = await person.open(server.pathOf(mail.link));
    const consent = await finish(person, page, name);
    expect(consent.at).toMatch(/^\/consent\?flow=/);
    expect(answerOf(await person.decide(consent, 'allow'))).toMatchObject({
      state: 'kept',
      code: expect.any(String),
    });
    const [user] = await read('SELECT email_verified, is_admin FROM users WHERE email_key = $1', [
      email,
    ]);
    expect([Boolean(user?.emailVerified), Boolean(user?.isAdmin)]).toEqual([true, false]);
    expect((await new Person(server).signIn(email)).at).toBe('/account');
  });

  test('registration: a taken address gets the same answer, and its owner a mail', async () => {
    const user = await newUser();
    const fresh = `${newName()}@example.com`;
    const shapeOf = async (email: string) => {
      const person = new Person(server);
      const { body, headers } = person.postOf(await person.open('/register'), '/register/submit', {
        email,
      });
      const response = await person.request('/register/submit', { method: 'POST', body, headers });
      const page = await person.open(response.headers.get('location') ?? '');
      return [
        response.status,
        [...response.headers.keys()],
        page.at,
        textOf(page.html).replace(email, 'EMAIL'),
      ];
    };
    expect(await shapeOf(user.email)).toEqual(await shapeOf(fresh));
    const told = await server.smtp.next(user.email, /already have an account/);
    expect(told.text).toContain(user.username);
    expect(told.link).toBe(`${server.issuer}/login`);
    await server.smtp.next(fresh, /Confirm/);
  });

  test('registration: a link makes one account, also when used in parallel', async () => {
    const email = `${newName()}@example.com`;
    await register(new Person(server), email);
    const path = server.pathOf((await server.smtp.next(email)).link);
    const people = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const person = new Person(server);
        return { person, page: await person.open(path) };
      }),
    );
    const ends = await Promise.all(
      people.map(({ person, page }) => finish(person, page, newName())),
    );
    expect(ends.filter((page) => page.at === '/account')).toHaveLength(1);
    expect(await read('SELECT id FROM users WHERE email_key = $1', [email])).toHaveLength(1);
    expect(textOf((await new Person(server).open(path)).html)).toContain('no longer works');
  });

  test('registration: a taken username and a weak password are refused, and a forged address is ignored', async () => {
    const user = await newUser();
    const name = newName();
    const email = `${name}@example.com`;
    const person = new Person(server);
    await register(person, email);
    const path = server.pathOf((await server.smtp.next(email)).link);
    const taken = await finish(person, await person.open(path), user.username);
    expect(textOf(taken.html)).toContain('That username is taken.');
    expect(taken.forms[0]?.fields.username).toBe(user.username);
    const weak = await finish(person, taken, name, email);
    expect(textOf(weak.html)).toContain('your own username or email address');
    const forged = await person.submit(weak, '/register/finish/submit', {
      username: name,
      password,
      email: 'ceo@example.com',
    });
    expect(forged.at).toBe('/account');
    const [made] = await read('SELECT email FROM users WHERE username_key = $1', [name]);
    expect(made?.email).toBe(email);
  });

  test('registration: one link can try twenty taken usernames', async () => {
    const user = await newUser();
    const name = newName();
    const email = `${name}@example.com`;
    const person = new Person(server);
    await register(person, email);
    const page = await person.open(server.pathOf((await server.smtp.next(email)).link));
    for (let tries = 0; tries < 20; tries += 1)
      expect(textOf((await finish(person, page, user.username)).html)).toContain('is taken');
    const refused = textOf((await finish(person, page, name)).html);
    expect(refused).not.toContain('is taken');
    expect(refused).toContain('Too many');
  });

  test('registration: one link can try twenty weak passwords', async () => {
    const name = newName();
    const email = `${name}@example.com`;
    const person = new Person(server);
    await register(person, email);
    const page = await person.open(server.pathOf((await server.smtp.next(email)).link));
    for (let tries = 0; tries < 20; tries += 1)
      expect(textOf((await finish(person, page, name, 'password12345')).html)).toContain('easy to');
    const refused = textOf((await finish(person, page, name, 'password12345')).html);
    expect(refused).not.toContain('easy to');
    expect(refused).toContain('Too many');
  });

  test('registration: header injection by the email address is refused', async () => {
    const name = newName();
    const bad = [
      `${name}@example.com\r\nBcc: evil@example.com`,
      `${name}@example.com, evil@example.com`,
      `evil@example.com <${name}@example.com>`,
      `"${name}\r\nBcc: evil@example.com"@example.com`,
    ];
    for (const email of bad) {
      const page = await register(new Person(server), email);
      expect(textOf(page.html), email).toContain('Enter an email address');
    }
    const good = await register(new Person(server), `${name}@example.com`);
    expect(good.at).toBe('/register/sent');
    const mail = await server.smtp.next(`${name}@example.com`);
    expect(mail.to).toEqual([`${name}@example.com`]);
    expect(mail.headers.get('bcc')).toBeUndefined();
    expect(server.smtp.to('evil@example.com')).toEqual([]);
  });

  test('registration by domain: only listed domains, also when the link is opened', async () => {
    await set('REGISTRATION', 'domains');
    await set('REGISTRATION_DOMAINS', 'example.org, Example.NET');
    const name = newName();
    const outside = await register(new Person(server), `${name}@sub.example.org`);
    expect(textOf(outside.html)).toContain('Only addresses at certain organizations');
    const inside = await register(new Person(server), `${name}@EXAMPLE.net`);
    expect(inside.at).toBe('/register/sent');
    const path = server.pathOf((await server.smtp.next(`${name}@example.net`)).link);
    await set('REGISTRATION_DOMAINS', 'example.org');
    expect(textOf((await new Person(server).open(path)).html)).toContain('no longer works');
    await set('REGISTRATION_DOMAINS', 'example.org, example.net');
    expect((await new Person(server).open(path)).forms).toHaveLength(1);
  });

  test('registration by invitation: makes one account, and can be revoked', async () => {
    await set('REGISTRATION', 'invitation');
    const [one, two] = [`${newName()}@example.com`, `${newName()}@example.com`];
    expect(textOf((await new Person(server).open('/register')).html)).toContain(
      'You need an invitation',
    );
    // The link is made in this process, which does not know the server's port.
    const pathOf = ({ link }: { link: string }) => link.replace(/^https?:\/\/[^/]+/, '');
    const invited = await invite(one, actor, new Date());
    const person = new Person(server);
    const page = await person.open(pathOf(invited));
    expect(textOf(page.html)).toContain(one);
    expect((await finish(person, page, newName())).at).toBe('/account');
    expect(textOf((await new Person(server).open(pathOf(invited))).html)).toContain(
      'no longer works',
    );

    const german = await invite(`${newName()}@example.com`, actor, new Date(), [], {
      language: 'de',
    });
    expect((await new Person(server).open(pathOf(german))).html).toContain('<html lang="de"');
    await revokeInvitation(german.id, actor, new Date());

    const other = await invite(two, actor, new Date());
    expect((await listInvitations(new Date())).map(({ email }) => email)).toEqual([two]);
    await revokeInvitation(other.id, actor, new Date());
    expect(textOf((await new Person(server).open(pathOf(other))).html)).toContain(
      'no longer works',
    );
    await expect(revokeInvitation(other.id, actor, new Date())).rejects.toThrow('no such');
    await expect(invite(one, actor, new Date())).rejects.toThrow('has an account already');
    await expect(invite('nobody', actor, new Date())).rejects.toThrow('not an email address');
    await set('REGISTRATION', 'off');
    const third = await invite(two, actor, new Date());
    expect(textOf((await new Person(server).open(pathOf(third))).html)).toContain(two);
    await write('DELETE FROM outgoing_mails', []);
  });
});
