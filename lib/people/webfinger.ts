import { readDomain } from './email.ts';

/** The link relation of an issuer (OpenID Connect Discovery section 2). */
export const issuerRel = 'http://openid.net/specs/connect/1.0/issuer';

const longest = 1000;

/**
 * The domain that a WebFinger resource belongs to, as it is stored: that of an account
 * (`acct:`, `mailto:`, or a bare address) or of a web address (RFC 7033 section 4.1, RFC 7565).
 * null: there is none.
 */
export function domainOf(resource: string): string | null {
  if (resource.length > longest) return null;
  const host = /^https?:\/\//i.test(resource)
    ? URL.parse(resource)?.host
    : /^(?:(?:acct|mailto):)?[^@:\s]+@([^@/?#\\]+)$/i.exec(resource)?.[1];
  if (!host) return null;
  return readDomain(host.replace(/:\d*$/, '')) ?? (URL.parse(`https://${host}`)?.hostname || null);
}
