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

/** How a client whose issuers are rules of an admin proves itself. No client registers it, so it is offered to none. */
const federatedMethod = 'a JWT of an issuer that is trusted for it';

export type ClientAuthMethod = keyof typeof clientAuthMethods;

export const clientAuthMethodNames = Object.keys(clientAuthMethods) as ClientAuthMethod[];

/** Those that prove something. */
export const provingMethodNames = clientAuthMethodNames.filter(
  (name) => clientAuthMethods[name].proves !== null,
);

/** Those that prove by a key. */
export const keyMethodNames = clientAuthMethodNames.filter(
  (name) => clientAuthMethods[name].proves === 'key',
);

type Proving = Pick<Client, 'type' | 'jwks' | 'jwksUri' | 'federatedCredentials'>;

/**
 * What proves a client: its secret, its key, a JWT of another issuer (`federation`), or nothing. One that
 * has keys or such issuers proves itself by nothing else.
 */
export function proofOf(client: Proving): 'secret' | 'key' | 'federation' | null {
  if (client.type === 'public') return null;
  if (client.federatedCredentials.length > 0) return 'federation';
  return client.jwks === null && client.jwksUri === null ? 'secret' : 'key';
}

/** Whether a client proves itself by something that it signs or has signed, a client assertion. */
export const provesByAssertion = (client: Proving): boolean =>
  ['key', 'federation'].includes(proofOf(client) ?? '');

/** The ways that are open to a client. */
export function methodsOf(client: Proving): string[] {
  const proof = proofOf(client);
  if (proof === 'federation') return [federatedMethod];
  return clientAuthMethodNames.filter((name) => clientAuthMethods[name].proves === proof);
}
