import { describe, expect, test } from 'vitest';
import { judge } from '#lib/mail/test-letter.ts';
import { actingAs, perform } from '#lib/management/act.ts';
import { wordActs } from '#lib/management/branding/word-acts.ts';
import { onDatabase, onOneForChange } from '../support/on-each-database.ts';
import { Person } from '../support/person.ts';
import { newUser } from '../support/seed.ts';
import { openServerWithMail } from '../support/server-with-mail.ts';

/** An admin on the General page, and what the page says after the button was pressed. */
async function pressing(
  server: ReturnType<typeof openServerWithMail>,
  path = '/admin/settings/general',
) {
  const user = await newUser({ isAdmin: true });
  const admin = new Person(server, user.username);
  await admin.signIn();
  const press = async () => {
    const page = await admin.open(path);
    const form = page.forms.find(({ fields }) => 'from' in fields);
    const body = new FormData();
    for (const [name, value] of Object.entries(form?.fields ?? {})) body.append(name, value);
    const headers = {
      Cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      Origin: server.issuer,
    };
    const sent = { method: 'POST', body, redirect: 'manual', headers } as const;
    const answer = await fetch(server.base + path, sent);
    const at = answer.headers.get('location');
    if (!at) return { at: path, html: await answer.text() };
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      admin.cookies.set(name, value);
    }
    return { at, html: (await admin.open(at)).html };
  };
  return { user, press };
}

onOneForChange(() => {
  const server = openServerWithMail();

  test('a test email is sent immediately, and the page says that it was accepted', async () => {
    const { user, press } = await pressing(server);
    const { at, html } = await press();
    expect(at).toBe('/admin/settings/general');
    expect(html).toContain(`The mail server accepted the test email to ${user.email}.`);
    const mail = await server.smtp.next(user.email, /^Test email from Gatehouse/);
    expect(mail.text).toContain('It works');
  });

  test('a test email sent in the set-up returns to its step', async () => {
    const { user, press } = await pressing(server, '/admin/set-up/server');
    const { at, html } = await press();
    expect(at).toBe('/admin/set-up/server');
    expect(html).toContain(`The mail server accepted the test email to ${user.email}.`);
  });

  test('a sample of a letter with the operator’s own words is sent, and says that it is a test', async () => {
    const by = { ...actingAs('admin', { id: 'cli' }), now: new Date(), demandFresh: () => {} };
    const said = {
      subject: 'Willkommen',
      greeting: 'Hallo {name},',
      paragraph: '**{host}** lädt ein.',
    };
    const place = { place: 'mail-invitation', language: 'de' } as const;
    await perform(wordActs.update, { ...place, ...said }, by);
    const path = '/admin/settings/look/words/mail-invitation?language=de';
    const { user, press } = await pressing(server, path);
    expect((await press()).at).toBe(path);
    const mail = await server.smtp.next(user.email, /^Willkommen$/);
    expect(mail.text).toContain('Hallo Ada Lovelace,');
    expect(mail.text).toMatch(/localhost(:\d+)? lädt ein\./);
    expect(mail.text).toContain('diesen Test angefordert');
    await perform(wordActs.reset, place, by);
  });

  test('a test email that the mail server refuses is explained, with the server’s answer', async () => {
    server.smtp.mood('refuses');
    const { press } = await pressing(server);
    const { html } = await press();
    server.smtp.mood('takes');
    expect(html).toContain('doesn’t accept mail to your address');
    expect(html).toContain('The answer was: “550');
    expect(html).not.toContain('p%40ss');
  });

  test('test emails are limited to five in a quarter of an hour', async () => {
    const { user, press } = await pressing(server);
    for (let count = 0; count < 5; count += 1) await press();
    expect((await press()).html).toContain('You’ve sent several test emails.');
    const tests = server.smtp.to(user.email).filter(({ subject }) => subject.startsWith('Test'));
    expect(tests).toHaveLength(5);
  });
});

onDatabase('sqlite', () => {
  describe('a test email when no mail server listens', () => {
    const server = openServerWithMail({ MAIL_URL: 'smtp://user:secret-word@127.0.0.1:1' });

    test('is reported with host and port, and without the password', async () => {
      const { press } = await pressing(server);
      const { html } = await press();
      expect(html).toContain('Nothing accepts mail at 127.0.0.1:1.');
      expect(html).not.toContain('secret-word');
    });
  });
});

test.each([
  [{ code: 'EAUTH', response: '535 5.7.8 Authentication failed' }, 'login', '535 5.7.8'],
  [{ code: 'EENVELOPE', command: 'MAIL FROM', response: '553 Not yours' }, 'sender', '553'],
  [
    { code: 'EENVELOPE', command: 'RCPT TO', response: '550 No\r\nRelay' },
    'recipient',
    '550 No Relay',
  ],
  [{ code: 'EDNS', message: 'getaddrinfo ENOTFOUND nowhere.invalid' }, 'name', 'ENOTFOUND'],
  [{ code: 'ETIMEDOUT', message: 'Connection timeout' }, 'timeout', 'timeout'],
  [{ code: 'ESOCKET', message: 'self-signed certificate' }, 'tls', 'self-signed'],
  [{ code: 'ETLS', message: 'Server does not support STARTTLS' }, 'tls', 'STARTTLS'],
  [{ code: 'ESOCKET', message: 'connect ECONNREFUSED 127.0.0.1:1' }, 'unreachable', 'ECONN'],
  [{ code: 'EMESSAGE', response: '552 Too big' }, 'other', '552'],
])('the mail error %j is a fault of the %s', (error, fault, said) => {
  const judged = judge(error);
  expect(judged.fault).toBe(fault);
  expect(judged.said).toContain(said);
});
