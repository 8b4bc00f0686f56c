import type { Range } from './ip-address.ts';

/** The LDAP server, as the operator configures it. */
export type LdapConfig = {
  host: string;
  /** Where it listens in plain text, with StartTLS if there is a certificate; null: nowhere. */
  port: number | null;
  /** Where it listens with TLS from the first byte; null: nowhere. */
  tlsPort: number | null;
  /** Paths of the files; null: there is no certificate. */
  certificate: { certificate: string; key: string } | null;
  /** Networks from which passwords may come without TLS, besides this machine. */
  plainFrom: readonly Range[];
  /** The DN above the trees of all apps. */
  baseDn: string;
  /** Whether people and groups have numbers for machines. */
  posix: boolean;
};

/**
 * The base DN that follows from a host: `dc=id,dc=example,dc=org`. An address has no labels to make
 * one of.
 */
export function baseDnOf(hostname: string): string {
  if (/^[\d.]+$|^\[/.test(hostname)) return 'dc=gatehouse';
  return hostname
    .split('.')
    .map((label) => `dc=${label}`)
    .join(',');
}

const part = /^(dc|o|ou|cn|c|l|st)=[^,+"\\<>;=#\s](?:[^,+"\\<>;=#]{0,60}[^,+"\\<>;=#\s])?$/i;

/** Reads a base DN, in any spelling that needs no escapes; null: it is none. */
export function readBaseDn(text: string): string | null {
  const parts = text.split(',').map((each) => each.trim());
  return parts.every((each) => part.test(each)) ? parts.join(',') : null;
}
