import { afterAll, expect, test } from 'vitest';
import { verifyMailServer } from '#lib/mail/transport.ts';
import { MailServer } from '../support/mail-server.ts';

const mail = await MailServer.start();
afterAll(() => mail.stop());

test('the mail transport is set up again for the next mail if it failed', async () => {
  await expect(verifyMailServer('no address')).rejects.toThrow('Invalid URL');
  await verifyMailServer(mail.url);
});
