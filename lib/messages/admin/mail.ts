/** What a mail server, or the way to it, can have against a mail. */
const faults = {
  unreachable: (host: string) =>
    `Nothing accepts mail at ${host}. Check host and port in MAIL_URL, and that no firewall is in between.`,
  name: (host: string) => `There is no host of that name: ${host}. Check the host in MAIL_URL.`,
  timeout: (host: string) =>
    `${host} didn’t answer in time. Check the port in MAIL_URL (often 587 with smtp://, or 465 with smtps://), and that no firewall is in between.`,
  tls: (host: string) =>
    `No encrypted connection to ${host} was possible. Use smtps:// for a port that’s encrypted from the start (465), smtp:// for others; the certificate has to be valid for that host.`,
  login: (host: string) =>
    `${host} didn’t accept the username and password. Check them in MAIL_URL; special characters have to be written as %40 for @, %2F for /.`,
  sender: (host: string) =>
    `${host} doesn’t accept mail from this sender. Set MAIL_FROM to an address it’s responsible for.`,
  recipient: (host: string) =>
    `${host} doesn’t accept mail to your address. Check your email address; some servers deliver only to their own domain without a login.`,
  other: (host: string) => `Something else went wrong with ${host}.`,
};
export type MailFault = keyof typeof faults;

/** What the pages about mail say. */
export const mailWords = {
  test: 'Send a test email to me',
  example: 'MAIL_URL=smtp://USER:PASSWORD@mail.example.org:587\nMAIL_FROM=no-reply@example.org',
  sent: (to: string) =>
    `The mail server accepted the test email to ${to}. If it doesn’t arrive, look in the spam folder, then in the mail server’s log.`,
  outbox: (to: string) => `The test email to ${to} will be in the outbox in a moment.`,
  off: 'Email is off, so nothing was sent. Set MAIL_URL and MAIL_FROM, then restart.',
  'too-often': 'You’ve sent several test emails. Wait a few minutes, then try again.',
  failed: (why: string, said: string) =>
    `The test email wasn’t sent. ${why}${said ? ` The answer was: “${said}”` : ''}`,
  faults,
} as const;
