import type { Client } from './client.ts';

/**
 * How a client may prove that it is itself (OpenID Connect Core section 9, RFC 7591 section 2).
 * Metadata, registration, the rules and the help on errors read these rows.
 */
const clientAuthMethods = {
  client_secret_basic: { proves: 'secret' },
  client_secret_post: { proves: 'secret' },
  /** A JWT that it signs itself (RFC 7523 section 2.2). */
  private_key_jwt: { proves: 'key' },
  /** It says its name, and anybody could. */
  none: { proves: null },
} as const satisfies Record<string, { proves: 'secret' | 'key' | null }>;

export type ClientAuthMethod = keyof typeof clientAuthMethods;

export const clientAuthMethodNames = Object.keys(clientAuthMethods) as ClientAuthMethod[];

/** Those that prove something. */
export const provingMethodNames = clientAuthMethodNames.filter(
  (name) => clientAuthMethods[name].proves !== null,
);

type Proving = Pick<Client, 'type' | 'jwks' | 'jwksUri'>;

/** What proves a client: its secret, its key, or nothing. One that has keys proves itself by nothing else. */
export function proofOf({ type, jwks, jwksUri }: Proving): 'secret' | 'key' | null {
  if (type === 'public') return null;
  return jwks === null && jwksUri === null ? 'secret' : 'key';
}

/** The ways that are open to a client. */
export function methodsOf(client: Proving): ClientAuthMethod[] {
  const proof = proofOf(client);
  return clientAuthMethodNames.filter((name) => clientAuthMethods[name].proves === proof);
}
