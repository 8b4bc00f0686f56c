import { mailtoOf, readEmail, readMailto } from '../people/email.ts';

const takes =
  'SECURITY_CONTACT is where to report a vulnerability: mailto:security@example.org, or the https:// address of a page';

/**
 * Where to report a vulnerability: a URI, as RFC 9116 section 2.5.3 requires.
 * @throws Error with a sentence for the operator
 */
export function parseSecurityContact(text: string): string {
  if (isMailto(text) || isPage(text)) return text;
  const email = readEmail(text);
  if (email !== null) throw new Error(`${takes}. Set SECURITY_CONTACT=${mailtoOf(email)}.`);
  throw new Error(`${takes}; ${JSON.stringify(text.slice(0, 100))} is neither.`);
}

const isMailto = (text: string) => /^[\x21-\x7e]+$/.test(text) && readMailto(text) !== null;

function isPage(text: string): boolean {
  if (!/^https:\/\/[\x21-\x7e]{1,1000}$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
