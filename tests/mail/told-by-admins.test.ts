import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { resetPassword } from '#lib/management/user/users.ts';
import { findUser } from '#lib/store/users.ts';
import { onOneForChange } from '../support/on-each-database.ts';
import { Person } from '../support/person.ts';
import { newUser } from '../support/seed.ts';
import { openServerWithMail, plain } from '../support/server-with-mail.ts';
import { setEnvironment } from '../support/work-on.ts';

const actor = { id: 'cli' };

onOneForChange(() => {
  const server = openServerWithMail();
  beforeAll(() => {
    setEnvironment({ MAIL_URL: server.smtp.url, ISSUER: server.issuer });
  });

  test('a password reset by an admin is mailed to the user, in their language', async () => {
    const user = await newUser();
    const german = await newUser({ claims: { locale: 'de' } });
    for (const { id } of [user, german])
      await resetPassword(id, 'some other long words', actor, new Date());
    const told = await server.smtp.next(user.email, /An administrator reset your password/);
    expect(plain(told.text)).toContain(`your account ${user.username} at`);
    expect(told.text).toContain(`${server.issuer}/recover`);
    expect(told.text).not.toContain('some other long words');
    await server.smtp.next(german.email, /Ein Administrator hat Ihr Passwort/);
  });

  test('a change of email or username by an admin is mailed, to the old and the new address', async () => {
    const user = await newUser({ claims: { locale: 'de' } });
    const email = `moved-${randomBytes(5).toString('hex')}@example.com`;
    await updateUser(user.id, { email }, actor, new Date());
    const last = await server.smtp.next(user.email, /E-Mail-Adresse .* wurde geändert/);
    expect(last.text).toContain(email);
    const first = await server.smtp.next(email, /verwendet jetzt diese E-Mail-Adresse/);
    expect(first.text).not.toContain(user.email);
    expect(server.smtp.to(user.email)).toHaveLength(1);
    const louder = email.replace('moved', 'MOVED');
    await updateUser(user.id, { email: louder, name: 'Ada' }, actor, new Date());
    expect((await findUser(user.id))?.email).toBe(louder);
    await updateUser(user.id, { username: `new.${user.username}` }, actor, new Date());
    // Mails are sent in order, so none was sent about the other spelling.
    const renamed = await server.smtp.next(louder, /Benutzername .* wurde geändert/);
    expect(plain(renamed.text)).toContain(`von ${user.username} in new.${user.username} geändert`);
    expect(
      server.smtp.mails.filter(({ to }) => to.toString().toLowerCase() === email),
    ).toHaveLength(2);
  });

  test('a user who changes their username is mailed', async () => {
    const user = await newUser();
    const person = new Person(server, user.username);
    await person.signIn();
    const username = `new.${user.username}`;
    await person.submit(await person.open('/account/sign-in'), '/account/username/submit', {
      username,
    });
    const told = await server.smtp.next(user.email, /username .* was changed/);
    expect(plain(told.text)).toContain(`from ${user.username} to ${username} on`);
  });

  test('a password reset by the command line is mailed by the server, and its output is only JSON', async () => {
    const user = await newUser();
    const args = [
      'user',
      'reset-password',
      user.username,
      '--password',
      'some long words',
      '--json',
    ];
    const answer = execFileSync(process.execPath, [resolve('lib/cli.ts'), ...args], {
      env: { ...process.env, MAIL_URL: '', NODE_ENV: 'development' },
      encoding: 'utf8',
    });
    expect(JSON.parse(answer)).toMatchObject({ username: user.username });
    await server.smtp.next(user.email, /An administrator reset your password/);
  });
});
