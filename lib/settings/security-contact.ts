const takes =
  'SECURITY_CONTACT is where to report a vulnerability: mailto:security@example.org, or the https:// address of a page';

/**
 * Where to report a vulnerability: a URI, as RFC 9116 section 2.5.3 requires.
 * @throws Error with a sentence for the operator
 */
export function parseSecurityContact(text: string): string {
  if (isMailto(text) || isPage(text)) return text;
  if (/^[^\s:/@]+@[^\s:/@]+$/.test(text))
    throw new Error(`${takes}. Set SECURITY_CONTACT=mailto:${text}.`);
  throw new Error(`${takes}; ${JSON.stringify(text.slice(0, 100))} is neither.`);
}

/** The address of one person in the characters of a URI (RFC 6068), optionally with a subject. */
const isMailto = (text: string) =>
  /^mailto:[\w.!#$%&'*+/=~-]{1,128}@[A-Za-z0-9.-]{1,255}(\?[\x21-\x7e]{1,500})?$/.test(text);

function isPage(text: string): boolean {
  if (!/^https:\/\/[\x21-\x7e]{1,1000}$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
