import { config } from '../config.ts';
import { connectionFault } from '../http/connection-fault.ts';
import type { Locale } from '../messages/locales.ts';
import { newId } from '../oauth/secrets.ts';
import type { MailPlace } from '../own-words.ts';
import { readBranding } from '../store/branding.ts';
import { takeThrottledTry } from '../store/throttles.ts';
import { findLanguageOf } from '../store/users.ts';
import { compose } from './compose.ts';
import { post } from './post.ts';
import { send } from './transport.ts';

/** What can be wrong with a mail server, or with the connection to it. */
export type MailFault =
  | 'unreachable'
  | 'name'
  | 'timeout'
  | 'tls'
  | 'login'
  | 'sender'
  | 'recipient'
  | 'other';

/** The result of a test letter. `said` is the mail server's answer, to be shown as foreign text. */
type TestLetter =
  | { is: 'sent' | 'outbox' | 'off' | 'too-often' }
  | { is: 'failed'; fault: MailFault; said: string };

/** The most test letters per admin in 15 minutes. */
const perAdmin = 5;

/**
 * Bypasses the queue, and waits for the mail server (at most half a minute).
 * @param sample what to send instead of the test letter, and the language of its readers
 */
export async function sendTestLetter(
  admin: { id: string; email: string },
  now: Date,
  sample: { place?: MailPlace; locale?: Locale } = {},
): Promise<TestLetter> {
  const { mail, production } = config();
  if (mail.url === null && production) return { is: 'off' };
  if ((await takeThrottledTry(`mail:test:${admin.id}`, perAdmin, now)) === 'refused')
    return { is: 'too-often' };
  const letter = {
    kind: 'test',
    email: admin.email,
    place: sample.place,
    locale: sample.locale ?? (await findLanguageOf(admin.id)),
  } as const;
  if (mail.url === null) {
    await post(letter, now);
    return { is: 'outbox' };
  }
  await readBranding();
  const sheet = await compose(letter, false, now);
  if (!sheet) throw new Error('A test letter has words.');
  try {
    await send(mail.url, newId(now), sheet);
    return { is: 'sent' };
  } catch (error) {
    return { is: 'failed', ...judge(error) };
  }
}

type Failure = {
  code?: string;
  command?: string;
  response?: string;
  message?: string;
  syscall?: string;
};

/** Finds what went wrong, from nodemailer's and Node's error codes. */
export function judge(error: unknown): { fault: MailFault; said: string } {
  const failure = error as Failure;
  const words = failure.response ?? connectionFault(failure.message ?? '');
  const said = words.replace(/\p{C}+/gu, ' ').slice(0, 400);
  return { fault: faultOf(failure), said };
}

function faultOf({ code = '', command = '', syscall, message = '' }: Failure): MailFault {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login';
  if (code === 'EENVELOPE') return command.startsWith('MAIL') ? 'sender' : 'recipient';
  if (code === 'EDNS' || code === 'ENOTFOUND' || syscall === 'getaddrinfo') return 'name';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (code === 'ETLS' || /certificate|\bTLS\b|\bSSL\b|self.signed/i.test(message)) return 'tls';
  if (/^(ESOCKET|ECONNECTION|ECONNREFUSED|ECONNRESET|EHOSTUNREACH)$/.test(code))
    return 'unreachable';
  return 'other';
}
