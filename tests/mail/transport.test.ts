import { afterAll, expect, test } from 'vitest';
import { verifyMailServer } from '#lib/mail/transport.ts';
import { MailServer } from '../support/mail-server.ts';

const mail = await MailServer.start();
afterAll(() => mail.stop());

test('what could not be set up for sending is set up again for the next mail', async () => {
  await expect(verifyMailServer('no address')).rejects.toThrow('Invalid URL');
  await verifyMailServer(mail.url);
});
