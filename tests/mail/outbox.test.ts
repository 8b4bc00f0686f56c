import { expect, test } from 'vitest';
import { newLogFile } from '../support/database.ts';
import { textOf } from '../support/html.ts';
import { onDatabase } from '../support/on-each-database.ts';
import type { TestServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { newUser } from '../support/seed.ts';
import { startServer } from '../support/server.ts';
import { openServerWithMail } from '../support/server-with-mail.ts';

onDatabase('sqlite', () => {
  const gatehouse = openServerWithMail({ MAIL_URL: '', NODE_ENV: 'development' });
  const link = 'href="/admin/outbox"';
  const signedIn = async (at: TestServer, isAdmin: boolean) => {
    const person = new Person(at, (await newUser({ isAdmin })).username);
    await person.signIn();
    return person;
  };

  test('the outbox in development without a mail server shows mails to admins only', async () => {
    const admin = await signedIn(gatehouse, true);
    const member = await signedIn(gatehouse, false);
    const user = await newUser();
    expect((await admin.open('/admin')).html).toContain(link);
    const asking = new Person(gatehouse);
    await asking.submit(await asking.open('/recover'), '/recover/submit', {
      username: user.username,
    });
    const shown = async () => textOf((await admin.open('/admin/outbox')).html);
    await expect.poll(shown, { timeout: 10_000 }).toContain(user.email);
    const page = await admin.open('/admin/outbox');
    expect(page.html).toMatch(/href="[^"]+\/recover\/reset\?token=gh_ml_/);
    expect(textOf(page.html)).toContain('Choose a new password');

    const refused = await member.open('/admin/outbox');
    expect(refused.status).toBe(404);
    expect(refused.html).not.toContain(user.email);
    expect((await new Person(gatehouse).open('/admin/outbox')).at).toMatch(/^\/login/);
  });

  test.each<[string, Record<string, string>]>([
    ['with a mail server', { MAIL_URL: 'smtp://127.0.0.1:1', NODE_ENV: 'development' }],
    ['in production', { MAIL_URL: '' }],
  ])(
    'the outbox %s shows no mails, even from before, and is not in the navigation',
    async (_, env) => {
      const given = { SERVER_SECRET: process.env.SERVER_SECRET ?? '', ...env };
      const { databaseUrl } = gatehouse;
      const server = await startServer({
        mount: 'direct',
        databaseUrl,
        logFile: newLogFile('outbox'),
        env: given,
      });
      try {
        const base = `http://127.0.0.1:${server.port}`;
        const admin = await signedIn(
          { ...gatehouse, port: server.port, issuer: server.origin, base },
          true,
        );
        const page = await admin.open('/admin/outbox');
        expect(textOf(page.html)).toContain('Emails aren’t shown here');
        expect(page.html).not.toContain('token=');
        expect((await admin.open('/admin')).html).not.toContain(link);
      } finally {
        await server.stop();
      }
    },
  );
});
