import { config } from '../config.ts';
import { newSetUpLink } from '../identity/set-up.ts';
import { issuerChangeFix, issuerChangeText } from '../messages/issuer-change.ts';
import { defaultLocale } from '../messages/locales.ts';
import { textIn } from '../messages/text.ts';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';
import { readIssuerChange } from '../store/issuer-change.ts';
import { hasPeople } from '../store/users.ts';

/** Tells the operator where the server is, whether it sends mail, and what is left to do. */
export async function greet(port: number): Promise<void> {
  const { issuer, host, database, ldap } = config();
  if (issuer.startsWith('http:') && !isLoopbackHost(new URL(issuer).hostname)) {
    console.warn(
      `WARNING: ${issuer} is not encrypted. Anyone on the network can read passwords and tokens. Put https in front and set ISSUER.`,
    );
  }
  console.log(
    `Gatehouse is ready at ${issuer} (listening on ${host}:${port}, ${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}).`,
  );
  for (const [scheme, at] of [
    ['ldap', ldap.port],
    ['ldaps', ldap.tlsPort],
  ] as const)
    if (at !== null)
      console.log(`LDAP is at ${scheme}://${ldap.host}:${at}, below ${ldap.baseDn}.`);
  const change = await readIssuerChange();
  if (change) {
    const text = textIn(defaultLocale);
    const fix = issuerChangeFix(text, change.previous);
    console.warn(`WARNING: ${issuerChangeText(text, change)} ${fix}`);
  }
  console.log(aboutMail());
  await showSetUpLink();
}

/** The one-time set-up link, set off from all else. Nothing once an admin exists. */
export async function showSetUpLink(): Promise<void> {
  const link = await newSetUpLink(new Date());
  if (link === null) return;
  const state = (await hasPeople()) ? 'There is no admin yet.' : 'Nobody can sign in yet.';
  console.log(`\n${state} Create the first admin here, within a day:\n\n  ${bold(link)}\n`);
}

function aboutMail(): string {
  const { url, from, fromIsGuessed } = config().mail;
  if (!url)
    return 'MAIL_URL is not set, so no email is sent: users cannot reset a forgotten password, sign up, confirm an address or be notified of changes to their account.';
  if (!fromIsGuessed) return `Emails are sent from ${from.address}.`;
  const doubt = /@(localhost|[\d.]+|\[.*)$/.test(from.address)
    ? ', which most mail servers refuse'
    : '';
  return `Emails are sent from ${from.address}${doubt}. To change the sender: MAIL_FROM=Gatehouse <no-reply@example.org>`;
}

/** Bold text for terminals only: in a file or journal the escape codes would show. */
function bold(text: string): string {
  return process.stdout.isTTY && process.stdout.hasColors() ? `\u001b[1m${text}\u001b[22m` : text;
}
