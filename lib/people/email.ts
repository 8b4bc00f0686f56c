import { domainToASCII, domainToUnicode } from 'node:url';
import { foldName } from '../oauth/name.ts';
import { mixesScripts } from '../oauth/self-given-name.ts';
import { usernameGlance } from './username-glance.ts';

/** Longer texts are no addresses, and are not looked at. */
const longestTyped = 1000;
const longestLocalPart = 64;
const longestAddress = 254;

/** RFC 5322 3.2.3 and RFC 6531 3.3: atext, and what other scripts write words and signs with. */
const atom = "(?:[\\w!#$%&'*+/=?^`{|}~-]|(?![\\0-\\x7f])[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}])+";
const dotString = new RegExp(`^${atom}(?:\\.${atom})*$`, 'u');
/** Mail programs show such words decoded (RFC 2047 2), so an address of them looks like another. */
const encodedWord = /=\?[^?]*\?[^?]*\?[^?]*\?=/;
const needlesslyQuoted = /^"([^"\\]*)"$/;
/** Letters, digits and hyphens of RFC 1123 2.1; a top-level domain is no number. */
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const hostName = new RegExp(`^(?:${label}\\.)+(?!\\d+$)${label}$`);

/**
 * Reads an email address: a dot-string of RFC 5321 4.1.2 or RFC 6531 3.3, at a domain of at least
 * two labels. Blanks and invisible signs around it go, full-width signs become those of ASCII, and
 * so do quotes that the local part does not need. A local part that needs quotes is refused
 * (RFC 5321 4.1.2 advises against them), and so are address literals.
 * @returns the address as it is stored, whose domain every mail server and app can read (small
 *   letters, A-labels of RFC 5890); null if the text is none
 */
export function readEmail(typed: string): string | null {
  if (typed.length > longestTyped) return null;
  const [before, domain] = parted(foldName(typed.normalize('NFKC')));
  const local = before.replace(needlesslyQuoted, '$1');
  const host = readDomain(domain);
  if (!host || !dotString.test(local) || encodedWord.test(local)) return null;
  if (Buffer.byteLength(local) > longestLocalPart) return null;
  const email = `${local}@${host}`;
  return Buffer.byteLength(email) > longestAddress ? null : email;
}

/**
 * Like `readEmail`, for an address that another server vouches for: a mailbox whose name only
 * becomes somebody's by folding is not theirs.
 */
export function readVouchedEmail(said: string): string | null {
  const email = readEmail(said);
  if (!email) return null;
  const [[local], [sent]] = [parted(email), parted(said.trim())];
  // Letters with marks are one letter in either form; but U+212A, a K of its own, is no K of ASCII.
  const isAscii = /^[\0-\x7f]*$/.test(local);
  return local === (isAscii ? sent : sent.normalize('NFC')) ? email : null;
}

/** The `mailto:` URI of an address (RFC 6068). */
export const mailtoOf = (email: string): string =>
  `mailto:${encodeURIComponent(email).replace('%40', '@')}`;

/** Reads the one address in a `mailto:` URI (RFC 6068), perhaps with a subject; null if it has none. */
export function readMailto(uri: string): string | null {
  const [, said = ''] = /^mailto:([^\s?]{1,1000})(?:\?[\x21-\x7e]{1,500})?$/.exec(uri) ?? [];
  try {
    return readEmail(decodeURIComponent(said));
  } catch {
    return null;
  }
}

/**
 * Reads the domain of addresses, in either spelling. What is pasted along with it goes, as from an
 * address.
 * @returns it in small letters and A-labels; null if the text is none
 */
export function readDomain(typed: string): string | null {
  if (typed.length > longestTyped) return null;
  const text = foldName(typed.normalize('NFKC'));
  if (!/^(?:[\p{L}\p{M}\p{N}\p{So}.。-]|\u200c|\u200d)+$/u.test(text)) return null;
  const domain = domainToASCII(text);
  return domain.length <= 253 && hostName.test(domain) && hasSoundLabels(domain) ? domain : null;
}

/** What begins like an A-label has to be one (RFC 5890 2.3.1). */
function hasSoundLabels(domain: string): boolean {
  const shown = domainToUnicode(domain).split('.');
  return domain.split('.').every((each, at) => !each.startsWith('xn--') || shown[at] !== each);
}

/**
 * An address in the spelling in which it would be stored. One that is no address any more stays,
 * since earlier releases stored some that are longer.
 */
export function spelledAsStored(typed: string): string {
  const [local, domain] = parted(typed);
  return readEmail(typed) ?? `${local}@${readDomain(domain) ?? domain}`;
}

/**
 * An address as people read it: labels of other scripts in their letters, unless one could be
 * mistaken for another.
 */
export function shownEmail(email: string): string {
  const [local, domain] = parted(email);
  if (!/(^|\.)xn--/i.test(domain)) return email;
  const shown = domainToUnicode(domain);
  const isClear = shown !== '' && shown.split('.').every(isClearLabel);
  return isClear ? `${local}@${shown}` : email;
}

const isClearLabel = (each: string) =>
  /^[\x21-\x7e]+$/.test(each) ||
  !(mixesScripts(each) || /^[\x21-\x7e]*$/.test(usernameGlance(each)));

function parted(email: string): [local: string, domain: string] {
  const at = email.lastIndexOf('@');
  return [email.slice(0, Math.max(0, at)), email.slice(at + 1)];
}
