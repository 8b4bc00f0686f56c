import { expect, test } from 'vitest';
import { changeBranding, showBranding } from '#lib/management/branding/branding.ts';
import { invite } from '#lib/management/invitation/invitations.ts';
import { read } from '#lib/store/engine/database.ts';
import { tokensOf } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { postLying } from '../support/lies.ts';
import { onDatabase } from '../support/on-each-database.ts';
import { Person } from '../support/person.ts';
import { newClient, newUser, password } from '../support/seed.ts';
import { newName, openServerWithMail } from '../support/server-with-mail.ts';
import { set } from '../support/settings.ts';

const actor = { id: 'cli' };
const encoded = `=?utf-8?B?${Buffer.from('x\r\nBcc: evil@example.com').toString('base64')}?=`;
/**
 * Everything that some mail program treats as a line end, and an encoded word that decodes to one.
 */
const breaks = [
  '\r\n',
  '\n',
  '\r',
  '\u0085',
  '\u2028',
  '\u2029',
  '\v',
  '\f',
  '\0',
  '%0d%0a',
  '\\r\\n',
  '\r\n ',
];
const lineEnds = /[\r\n\u0085\u2028\u2029\v\f\0]/;

// The contents of mails do not depend on the database.
onDatabase('sqlite', () => {
  const server = openServerWithMail();
  const signedIn = async (username: string) => {
    const person = new Person(server, username);
    await person.signIn();
    return person;
  };

  const addresses = [
    ...breaks.map((end) => `victim@example.com${end}Bcc: evil@example.com`),
    ...breaks.map((end) => `victim${end}Bcc: evil@example.com`),
    `${encoded}@example.com`,
    `victim@example.com${encoded}`,
    'victim@example.com, evil@example.com',
    'victim@example.com;evil@example.com',
    'victim@example.com evil@example.com',
    'evil@example.com <victim@example.com>',
    '<evil@example.com>',
    '"victim, evil"@example.com',
    'victim@example.com>\r\nRCPT TO:<evil@example.com',
    'victim@[127.0.0.1]',
  ];

  test.each(addresses)('header injection by an email address is refused: %j', async (email) => {
    await set('REGISTRATION', 'open');
    const person = new Person(server);
    const page = await person.submit(await person.open('/register'), '/register/submit', { email });
    // With a NUL it is not text, so the form is not even read.
    const refusal = email.includes('\0') ? 'bytes that are not text' : 'Enter an email address';
    expect(textOf(page.html)).toContain(refusal);
    await expect(invite(email, actor, new Date())).rejects.toThrow('is not an email address');
    const owner = await signedIn((await newUser()).username);
    const mail = await owner.open('/account/mail');
    const refused = await owner.submit(mail, '/account/email/submit', {
      email,
      confirm_password: password,
    });
    expect(textOf(refused.html)).toContain(refusal);
    // Recovery accepts any input, finds no one, and sends no mail.
    await person.submit(await person.open('/recover'), '/recover/submit', { username: email });
    expect(server.smtp.to('evil@example.com')).toEqual([]);
    expect(server.smtp.to('victim@example.com')).toEqual([]);
  });

  test('header injection by the name of an app: it is one line of the subject, and no encoded word', async () => {
    const user = await newUser();
    const person = await signedIn(user.username);
    for (const end of [...breaks, encoded]) {
      await tokensOf(server, person, await newClient({ name: `App${end}Bcc: evil@example.com` }));
      const mail = await server.smtp.next(user.email, /can now use your account/);
      expect(mail.to).toEqual([user.email]);
      expect([...mail.headers.keys()]).not.toContain('bcc');
      expect(mail.subject).toMatch(
        /^“App.*Bcc: evil@example\.com” can now use your account at Gatehouse$/,
      );
      expect(mail.subject).not.toMatch(lineEnds);
      expect(mail.text.replaceAll('\r\n', '\n').replaceAll('\n', '')).not.toMatch(lineEnds);
    }
    expect(server.smtp.to('evil@example.com')).toEqual([]);
  });

  test('header injection by the name of a user or of the server has no effect', async () => {
    const { stored } = await showBranding();
    const name = `Gate house ${encoded.slice(0, 20)}`;
    await changeBranding(
      { name, accent: null, supportLink: null, footerLinks: [], words: {} },
      stored,
      actor,
      new Date(),
    );
    const user = await newUser({ name: 'Ada\r\nBcc: evil@example.com' });
    const person = new Person(server);
    await person.submit(await person.open('/recover'), '/recover/submit', {
      username: user.username,
    });
    const mail = await server.smtp.next(user.email);
    expect([...mail.headers.keys()]).not.toContain('bcc');
    for (const header of ['subject', 'from', 'to']) {
      expect(mail.headers.get(header)).toHaveLength(1);
      expect(mail.headers.get(header)?.[0], header).not.toMatch(lineEnds);
    }
    expect(mail.subject).not.toMatch(lineEnds);
    expect(mail.subject).not.toContain('=?');
    expect(server.smtp.to('evil@example.com')).toEqual([]);
    const [row] = await read('SELECT name FROM users WHERE id = $1', [user.id]);
    expect(row?.name).toContain('\r\n');
  });

  test('links in mails begin with the issuer, whatever host the request names', async () => {
    await set('REGISTRATION', 'open');
    const user = await newUser();
    const fresh = `${newName()}@example.com`;
    const wanted = `${newName()}@example.com`;
    const person = new Person(server);
    const owner = await signedIn((await newUser()).username);
    const forms: [Person, string, string, Record<string, string>, string, string][] = [
      [
        person,
        '/recover',
        '/recover/submit',
        { username: user.username },
        user.email,
        '/recover/reset?token=',
      ],
      [person, '/register', '/register/submit', { email: fresh }, fresh, '/register/finish?token='],
      [person, '/register', '/register/submit', { email: user.email }, user.email, '/login'],
      [
        owner,
        '/account/mail',
        '/account/email/submit',
        { email: wanted, confirm_password: password },
        wanted,
        '/account/email/confirm?token=',
      ],
    ];
    for (const [who, page, action, fields, to, path] of forms) {
      const answer = await postLying(who, action, who.postOf(await who.open(page), action, fields));
      expect([action, answer.status]).toEqual([action, 303]);
      expect(answer.location).toMatch(/^\//);
      const mail = await server.smtp.next(to);
      expect(mail.raw).not.toContain('evil.example');
      expect(mail.link.startsWith(server.issuer + path), mail.link).toBe(true);
    }
  });
});
