import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { judge } from '#lib/mail/test-letter.ts';
import { verifyMailServer } from '#lib/mail/transport.ts';
import { MailServer } from '../support/mail-server.ts';
import { setEnvironment } from '../support/work-on.ts';

const mail = await MailServer.start();
afterAll(() => mail.stop());

test('the mail transport is set up again for the next mail if it failed', async () => {
  await expect(verifyMailServer('no address')).rejects.toThrow('Invalid URL');
  await verifyMailServer(mail.url);
});

/** What a mail server is greeted with. */
async function greeting(query = ''): Promise<string> {
  let greeted = '';
  const server = createServer((socket) => {
    socket.write('220 mail.example.org\r\n');
    socket.on('data', (chunk) => {
      greeted ||= String(chunk).trim();
      socket.end('421 Not now.\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await verifyMailServer(`smtp://127.0.0.1:${port}/${query}`).catch(() => {});
  server.close();
  return greeted;
}

test.each([
  ['https://id.example.org', 'no-reply@mail.example.com', '', 'EHLO id.example.org'],
  ['http://localhost:3000', 'no-reply@mail.example.com', '', 'EHLO mail.example.com'],
  ['https://192.0.2.7', 'no-reply@xn--exmple-cua.de', '', 'EHLO xn--exmple-cua.de'],
  [
    'https://id.example.org',
    'no-reply@example.com',
    '?name=relay.example.net',
    'EHLO relay.example.net',
  ],
])(
  'the mail server is greeted with a name (RFC 5321 section 4.1.1.1): ISSUER=%s MAIL_FROM=%s %s',
  async (ISSUER, MAIL_FROM, query, expected) => {
    setEnvironment({ ISSUER, MAIL_FROM });
    expect(await greeting(query)).toBe(expected);
  },
);

test('a certificate of one’s own authority gets advice for operators, not for programmers', () => {
  const message =
    'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca';
  expect(judge(Object.assign(new Error(message), { code: 'ESOCKET' }))).toEqual({
    fault: 'tls',
    said: expect.stringMatching(
      /^self-signed certificate\. If .* NODE_EXTRA_CA_CERTS, and restart\.$/,
    ),
  });
});
