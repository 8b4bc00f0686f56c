import { config } from '../config.ts';
import { sendTestLetter } from '../mail/test-letter.ts';
import { mailWords as words } from '../messages/admin/mail.ts';
import { type Finding, fine, trouble, warning } from './finding.ts';

/** A letter by the way that every letter goes, and whether the mail server took it. */
export async function examineLetter(address: string, now: Date): Promise<Finding> {
  if (!/^[^\s@<>(),;:"]{1,64}@[^\s@<>(),;:"]{1,250}$/.test(address)) {
    const received = JSON.stringify(address.slice(0, 80));
    return trouble('letter', `${received} is no email address.`, 'Such as you@example.org.');
  }
  const sent = await sendTestLetter({ id: 'cli', email: address }, now);
  if ('fault' in sent) {
    const { host } = new URL(config().mail.url ?? '');
    const says = `The mail server did not take the letter to ${address}: ${sent.said}`;
    return trouble('letter', says, words.faults[sent.fault](host));
  }
  if (sent.is === 'sent') return fine('letter', words.sent(address));
  if (sent.is === 'outbox')
    return warning('letter', words.outbox(address), 'Set MAIL_URL and MAIL_FROM to send letters.');
  const says = 'No letter was sent.';
  return sent.is === 'off'
    ? trouble('letter', says, 'Set MAIL_URL and MAIL_FROM.')
    : warning('letter', says, words['too-often']);
}
