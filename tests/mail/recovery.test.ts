import { describe, expect, test } from 'vitest';
import { codeTriesKey } from '#lib/mail/code-limits.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { takeTry, triesCounted } from '#lib/store/throttles.ts';
import { databases } from '#lib/tooling/schema.ts';
import { me, tokensOf } from '../support/app.ts';
import { codeOf, newPersonWithPasskey, newUserWithApp, wrongCode } from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { alikeOn, onDatabase } from '../support/on-each-database.ts';
import { answerOf, authorizePath, type Page, Person } from '../support/person.ts';
import { newClient, newUser, type TestUser } from '../support/seed.ts';
import { openServerWithMail } from '../support/server-with-mail.ts';

const fresh = 'entirely other words here';

for (const database of databases) onDatabase(database, () => recoveryTests(database));

function recoveryTests(database: (typeof databases)[number]): void {
  const alike = alikeOn(database);
  const server = openServerWithMail();

  async function ask(person: Person, login: string, from = '/recover'): Promise<Page> {
    return person.submit(await person.open(from), '/recover/submit', { username: login });
  }

  async function linkFor(user: TestUser, person = new Person(server)): Promise<string> {
    await ask(person, user.username);
    return server.pathOf((await server.smtp.next(user.email, /Reset your password/)).link);
  }

  const choose = (person: Person, page: Page, word = fresh) =>
    person.submit(page, '/recover/reset/submit', { new_password: word });

  test('password reset: a forgotten password is replaced, and the user returns to the app', async () => {
    const user = await newUser();
    const client = await newClient();
    const person = new Person(server, user.username);
    const login = await person.open(
      authorizePath({ client_id: client.id, response_type: 'code', state: 'kept' }),
    );
    const flow = new URL(login.at, server.base).searchParams.get('flow') ?? '';
    expect(login.html).toContain(`/recover?flow=${flow}`);
    const sent = await ask(person, user.email, `/recover?flow=${flow}`);
    expect(sent.at).toBe(`/recover/sent?flow=${flow}`);
    expect(textOf(sent.html)).toContain(user.email);

    const mail = await server.smtp.next(user.email, /Reset your password/);
    const path = server.pathOf(mail.link);
    expect(path).toMatch(/^\/recover\/reset\?token=gh_ml_[\w-]{43}$/);
    expect(mail.html).toContain(mail.link);
    const page = await person.open(path);
    expect(page.html).toContain('autoComplete="new-password"');
    const consent = await choose(person, page);
    expect(consent.at).toMatch(/^\/consent/);
    expect((await new Person(server).signIn(user.username)).at).toBe('/login');
    expect(answerOf(await person.decide(consent, 'allow'))).toMatchObject({ state: 'kept' });
    await server.smtp.next(user.email, /password .* was changed/);
  });

  alike('password reset: passkeys stay valid, and the user is led to their list', async () => {
    const { user } = await newPersonWithPasskey(server);
    const person = new Person(server, user.username);
    const asked = await choose(person, await person.open(await linkFor(user, person)));
    expect(asked.at).toBe('/login/factor?back=%2Faccount%2Fsecurity');
    expect(person.cookies.has('gh_session')).toBe(false);
  });

  test('password reset: clears counts of wrong passwords and mailed codes, not those of the second step', async () => {
    const user = await newUserWithApp();
    const [guesses, known] = [`factor:user:${user.id}`, `factor:device:known:${user.id}`];
    const others = [`login:${user.id}`, `device:known:${user.id}`, codeTriesKey(`user:${user.id}`)];
    for (const key of [guesses, known, ...others])
      await takeTry({ key, limit: 5, userId: user.id }, new Date());
    for (const word of [fresh, `${fresh} and more`]) {
      const person = new Person(server, user.username);
      let step = await choose(person, await person.open(await linkFor(user)), word);
      for (let tries = 0; tries < 2; tries += 1)
        step = await person.submit(step, '/login/factor/submit', { code: wrongCode(user.secret) });
      expect(step.at).toBe('/login/factor');
    }
    // Five wrong codes in all: one before the two links, and two after each.
    const person = new Person(server, user.username);
    const step = await choose(person, await person.open(await linkFor(user)), `${fresh} again`);
    const refused = await person.submit(step, '/login/factor/submit', {
      code: codeOf(user.secret),
    });
    expect(textOf(refused.html)).toContain('Too many attempts. Try again in 1 minute.');
    for (const key of [guesses, known]) expect(await triesCounted(key)).toBeGreaterThan(0);
    for (const key of others) expect(await triesCounted(key)).toBe(0);
  });

  test('password reset: ends sessions and tokens, and is in the audit log', async () => {
    const user = await newUser();
    const person = new Person(server, user.username);
    const tokens = await tokensOf(server, person);
    expect((await me(server, tokens.access_token)).status).toBe(200);
    const other = new Person(server);
    await choose(other, await other.open(await linkFor(user)));
    expect((await me(server, tokens.access_token)).status).toBe(401);
    expect((await person.open('/account')).at).toContain('/login');
    const events = await read('SELECT type FROM audit_events WHERE user_id = $1 ORDER BY id', [
      user.id,
    ]);
    expect(events.map((row) => row.type)).toEqual(
      expect.arrayContaining(['password.reset-requested', 'password.reset']),
    );
  });

  alike('password reset: a link works once, and its form cannot be sent again', async () => {
    const user = await newUser();
    const person = new Person(server);
    const path = await linkFor(user);
    const page = await person.open(path);
    await choose(person, page);
    expect(textOf((await person.open(path)).html)).toContain('no longer works');
    const replay = await choose(person, page, 'yet another set of words');
    expect(textOf(replay.html)).toContain('no longer works');
    expect((await new Person(server, user.username).signIn(user.username, fresh)).at).toBe(
      '/account',
    );
  });

  test('password reset: one link used in parallel sets one password', async () => {
    const user = await newUser();
    const path = await linkFor(user);
    const words = Array.from({ length: 8 }, (_, index) => `${fresh} ${index}`);
    const people = await Promise.all(
      words.map(async (word) => {
        const person = new Person(server);
        return { person, word, page: await person.open(path) };
      }),
    );
    const outcomes = await Promise.all(
      people.map(({ person, page, word }) => choose(person, page, word)),
    );
    const winners = outcomes.flatMap((page, index) =>
      page.at === '/account' ? [words[index] ?? ''] : [],
    );
    expect(winners).toHaveLength(1);
    expect((await new Person(server).signIn(user.username, winners[0])).at).toBe('/account');
  });

  test('password reset: using one of two links ends the other', async () => {
    const user = await newUser();
    const one = await linkFor(user);
    const two = await linkFor(user);
    const person = new Person(server);
    await choose(person, await person.open(one));
    expect(textOf((await person.open(two)).html)).toContain('no longer works');
  });

  test('password reset: a link ends after 30 minutes, or when password, address or rights change', async () => {
    const died = async (change: (user: TestUser, path: string) => Promise<unknown>) => {
      const user = await newUser();
      const path = await linkFor(user);
      const person = new Person(server);
      const page = await person.open(path);
      expect(page.forms).toHaveLength(1);
      await change(user, path);
      expect(textOf((await choose(person, page)).html)).toContain('no longer works');
    };
    const hashOf = (path: string) => digest(path.split('token=')[1] ?? '');
    const half = new Date(Date.now() + 30 * 60_000);
    await died(async (_, path) => {
      const [row] = await read('SELECT created_at, expires_at FROM mailed_links WHERE hash = $1', [
        hashOf(path),
      ]);
      expect(
        Number(new Date(row?.expiresAt as string)) - Number(new Date(row?.createdAt as string)),
      ).toBe(30 * 60_000);
      expect(new Date(row?.expiresAt as string) <= half).toBe(false);
      await write('UPDATE mailed_links SET expires_at = $2 WHERE hash = $1', [
        hashOf(path),
        new Date(Date.now() - 1),
      ]);
    });
    await died((user) =>
      write(`UPDATE users SET password_hash = 'v1:other' WHERE id = $1`, [user.id]),
    );
    await died((user) =>
      write(`UPDATE users SET email_key = 'x-' || email_key, email = 'x-' || email WHERE id = $1`, [
        user.id,
      ]),
    );
    await died((user) =>
      write('UPDATE users SET disabled_at = $2 WHERE id = $1', [user.id, new Date()]),
    );
    await died((user) => write('UPDATE users SET epoch = epoch + 1 WHERE id = $1', [user.id]));
    await died((user) => write('DELETE FROM users WHERE id = $1', [user.id]));
  });

  if (database === 'postgresql') return;
  // What follows does not depend on the kind of database.

  alike('password reset: in another browser it signs in without the app', async () => {
    const user = await newUser();
    const client = await newClient();
    const asking = new Person(server);
    const login = await asking.open(authorizePath({ client_id: client.id, response_type: 'code' }));
    await ask(asking, user.username, login.at.replace('/login', '/recover'));
    const link = server.pathOf((await server.smtp.next(user.email)).link);
    const phone = new Person(server);
    const after = await choose(phone, await phone.open(link));
    expect(after.at).toBe('/account');
  });

  alike(
    'password reset: the answers and cookies do not reveal whether an account exists',
    async () => {
      const user = await newUser();
      const shapeOf = async (login: string) => {
        const person = new Person(server);
        const { body, headers } = person.postOf(await person.open('/recover'), '/recover/submit', {
          username: login,
        });
        const response = await person.request('/recover/submit', { method: 'POST', body, headers });
        const cookies = response.headers
          .getSetCookie()
          .map((cookie) => cookie.replace(/=[^;]*/, (value) => `=${value.length}`));
        const page = await person.open(response.headers.get('location') ?? '');
        return {
          status: response.status,
          headers: [...response.headers.keys()],
          location: response.headers.get('location'),
          cookies,
          page: textOf(page.html).replace(login, 'LOGIN'),
        };
      };
      const outsider = user.username.split('').reverse().join('');
      expect(await shapeOf(outsider)).toEqual(await shapeOf(user.username));
      expect(await shapeOf(`${outsider}@example.com`)).toEqual(await shapeOf(user.email));
      await server.smtp.next(user.email);
      await server.smtp.next(user.email);
      expect(server.smtp.to(`${outsider}@example.com`)).toEqual([]);
    },
  );

  alike('password reset: a link is for its own account and purpose, in any session', async () => {
    const victim = await newUser();
    const attacker = await newUser();
    const person = new Person(server, attacker.username);
    await person.signIn();
    const path = await linkFor(attacker);
    const page = await person.open(path);
    expect(textOf(page.html)).toContain(attacker.username);
    const token = path.split('token=')[1] ?? '';
    expect(textOf((await person.open(`/register/finish?token=${token}`)).html)).toContain(
      'no longer works',
    );
    expect(textOf((await person.open(`/account/email/confirm?token=${token}`)).html)).toContain(
      'no longer works',
    );
    await person.submit(page, '/recover/reset/submit', {
      new_password: fresh,
      username: victim.username,
    });
    expect((await new Person(server).signIn(victim.username)).at).toBe('/account');
    expect((await new Person(server).signIn(attacker.username, fresh)).at).toBe('/account');
  });

  alike('password reset: a weak password is refused, and the link stays valid', async () => {
    const user = await newUser();
    const person = new Person(server);
    const path = await linkFor(user);
    const refused = await choose(person, await person.open(path), 'password12345');
    expect(textOf(refused.html)).toContain('easy to guess');
    expect((await choose(person, refused)).at).toBe('/account');
  });

  alike('password reset: the second factor is still asked for', async () => {
    const user = await newUserWithApp();
    const person = new Person(server, user.username);
    const asked = await choose(person, await person.open(await linkFor(user)));
    expect(asked.at).toMatch(/^\/login\/factor/);
    expect((await person.open('/account')).at).toMatch(/^\/login/);
  });

  describe('password reset: too many requests', () => {
    test('for one name are refused, known or not', async () => {
      const user = await newUser();
      for (const login of [user.username, `nobody-${user.username}`]) {
        for (let tries = 0; tries < 5; tries += 1)
          expect((await ask(new Person(server), login)).at).toBe('/recover/sent');
        const refused = await ask(new Person(server), login);
        expect(refused.at).toBe('/recover');
        expect(textOf(refused.html)).toContain('Too many requests. Try again in 1 minute');
      }
      expect((await ask(new Person(server), user.email)).at).toBe('/recover/sent');
      await server.smtp.until(() => server.smtp.to(user.email).length === 5, 'Five mails');
      const other = await newUser();
      await ask(new Person(server), other.username);
      await server.smtp.next(other.email);
      expect(server.smtp.to(user.email)).toHaveLength(5);
    });

    test('from one address are refused', async () => {
      const person = new Person(server);
      for (let tries = 0; tries < 20; tries += 1)
        await ask(person, `nobody-${person.address}-${tries}`);
      expect((await ask(person, 'somebody else')).at).toBe('/recover');
      expect((await ask(new Person(server), 'somebody else')).at).toBe('/recover/sent');
    });
  });
}
