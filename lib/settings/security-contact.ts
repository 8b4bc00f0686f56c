import { mailtoOf, readEmail, readMailto } from '../people/email.ts';

const wanted = 'mailto:security@example.org, or the https:// address of a page';

/**
 * Where to report a vulnerability: a URI, as RFC 9116 section 2.5.3 requires.
 * @throws Error with a sentence for the operator
 */
export function parseSecurityContact(text: string): string {
  if (isMailto(text) || isPage(text)) return text;
  const email = readEmail(text);
  const said = JSON.stringify(text.slice(0, 100));
  const fault = `SECURITY_CONTACT is ${said}, and has to be where to report a vulnerability: ${wanted}.`;
  throw new Error(email === null ? fault : `${fault} Set SECURITY_CONTACT=${mailtoOf(email)}.`);
}

const isMailto = (text: string) => /^[\x21-\x7e]+$/.test(text) && readMailto(text) !== null;

function isPage(text: string): boolean {
  if (!/^https:\/\/[\x21-\x7e]{1,1000}$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
