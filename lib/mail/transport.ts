import { createTransport } from 'nodemailer';
import { config } from '../config.ts';
import { productName } from '../messages/text.ts';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';
import { once } from '../once.ts';
import type { Sheet } from './letter.ts';
import { headerText, subjectOf, writeHtml, writeText } from './write.ts';

const seconds = 1000;

function transport(url: string) {
  return once('mail-transport', () => {
    const { protocol, hostname, username } = new URL(url);
    const local = isLoopbackHost(hostname);
    return createTransport({
      url,
      // On this machine nobody listens; elsewhere a password never goes out in the clear.
      ignoreTLS: protocol === 'smtp:' && local,
      requireTLS: protocol === 'smtp:' && !local && username !== '',
      connectionTimeout: 10 * seconds,
      greetingTimeout: 10 * seconds,
      socketTimeout: 20 * seconds,
      dnsTimeout: 10 * seconds,
      // A mail is made of texts; nothing may make it read files or fetch addresses.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  });
}

/** Hands a mail to the mail server. The id makes a repeat recognisable. @throws nodemailer's errors */
export async function send(url: string, id: string, sheet: Sheet): Promise<void> {
  const { from } = config().mail;
  await transport(url).sendMail({
    from: { name: headerText(from.name || productName()), address: from.address },
    // As an object: nodemailer would read a text as a list of addresses.
    to: { name: '', address: sheet.to },
    subject: subjectOf(sheet),
    text: writeText(sheet),
    html: writeHtml(sheet),
    messageId: `<${id}@${new URL(config().issuer).hostname}>`,
    // RFC 3834: no holiday answers to this.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  });
}

/** The mail server will never take this mail; a wrong password of ours, which it also says "no" to for good, can be mended. */
export function isForGood(error: unknown): boolean {
  const { permanent, code } = error as { permanent?: boolean; code?: string };
  return permanent === true && (code === 'EENVELOPE' || code === 'EMESSAGE');
}
