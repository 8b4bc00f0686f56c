import { config } from '../config.ts';
import { sendTestLetter } from '../mail/test-letter.ts';
import { defaultLocale } from '../messages/locales.ts';
import { textIn } from '../messages/text.ts';
import { readEmail } from '../people/email.ts';
import { type Finding, fine, trouble, warning } from './finding.ts';

const text = textIn(defaultLocale);

/** The way that every letter is sent: reports whether the mail server accepted it. */
export async function examineLetter(typed: string, now: Date): Promise<Finding> {
  const address = readEmail(typed);
  if (address === null) {
    const received = JSON.stringify(typed.slice(0, 80));
    return trouble('letter', `${received} is no email address.`, 'Such as you@example.org.');
  }
  const sent = await sendTestLetter({ id: 'cli', email: address }, now);
  if ('fault' in sent) {
    const { host } = new URL(config().mail.url ?? '');
    const says = `The mail server did not take the letter to ${address}: ${sent.said}`;
    return trouble('letter', says, text(`testMail.faults.${sent.fault}`, { host }));
  }
  if (sent.is === 'sent') return fine('letter', text('testMail.sent', { to: address }));
  if (sent.is === 'outbox')
    return warning(
      'letter',
      text('testMail.outbox', { to: address }),
      'Set MAIL_URL and MAIL_FROM to send letters.',
    );
  const says = 'No letter was sent.';
  return sent.is === 'off'
    ? trouble('letter', says, 'Set MAIL_URL and MAIL_FROM.')
    : warning('letter', says, text('testMail.too-often'));
}
