import { config } from '../config.ts';
import { productName } from '../messages/text.ts';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';
import { once } from '../once.ts';
import { waitsFor } from '../store/engine/transaction.ts';
import type { Sheet } from './letter.ts';
import { headerText, subjectLineOf, writeHtml, writeText } from './write.ts';

const seconds = 1000;

function transport(url: string) {
  return once('mail-transport', async () => {
    // Loaded on first use: it takes 10 MB, and many servers send no mail.
    const { createTransport } = await import('nodemailer');
    const { protocol, hostname, username } = new URL(url);
    const local = isLoopbackHost(hostname);
    return createTransport({
      url,
      name: greetingName(),
      // Plain text is acceptable on loopback; elsewhere a password never travels unencrypted.
      ignoreTLS: protocol === 'smtp:' && local,
      requireTLS: protocol === 'smtp:' && !local && username !== '',
      connectionTimeout: 10 * seconds,
      greetingTimeout: 10 * seconds,
      socketTimeout: 20 * seconds,
      dnsTimeout: 10 * seconds,
      // Mails are made of strings only: nothing may make nodemailer read files or fetch URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  });
}

/**
 * How this server introduces itself (RFC 5321, section 4.1.1.1): the host of ISSUER, else that of
 * the sender. Many relays refuse the name of a container, or an address. `?name=` in MAIL_URL wins.
 */
function greetingName(): string | undefined {
  const { issuer, mail } = config();
  const hosts = [new URL(issuer).hostname, mail.from.address.split('@')[1] ?? ''];
  return hosts.find((host) => /^(?!\d+(?:\.\d+){3}$)[\w-]+(?:\.[\w-]+)+$/.test(host));
}

/**
 * Hands a mail to the mail server. The id makes duplicates recognisable.
 * @throws nodemailer's errors
 */
export async function send(url: string, id: string, sheet: Sheet): Promise<void> {
  waitsFor('the mail server');
  const { from } = config().mail;
  await (await transport(url)).sendMail({
    from: { name: headerText(from.name || productName()), address: from.address },
    // As an object: nodemailer parses a string as a list of addresses.
    to: { name: '', address: sheet.to },
    subject: subjectLineOf(sheet),
    text: writeText(sheet),
    html: writeHtml(sheet),
    messageId: `<${id}@${new URL(config().issuer).hostname}>`,
    // RFC 3834: suppresses auto-replies.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  });
}

/** Connects and signs in to the mail server, and sends nothing. @throws nodemailer's errors */
export async function verifyMailServer(url: string): Promise<void> {
  await (await transport(url)).verify();
}

/** Permanently. A wrong SMTP password can be fixed, so it doesn't count. */
export function isForGood(error: unknown): boolean {
  const { permanent, code } = error as { permanent?: boolean; code?: string };
  return permanent === true && (code === 'EENVELOPE' || code === 'EMESSAGE');
}
