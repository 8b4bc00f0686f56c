import type { Client } from './client.ts';

/**
 * The ways in which clients can prove who they are (OpenID Connect Core section 9, RFC 7591 section
 * 2). Metadata, registration, the rules and the error help all read these rows.
 */
const clientAuthMethods = {
  client_secret_basic: { proves: 'secret' },
  client_secret_post: { proves: 'secret' },
  /** A JWT that the client signs itself (RFC 7523 section 2.2). */
  private_key_jwt: { proves: 'key' },
  /** The client only states its id, as anyone could. */
  none: { proves: null },
} as const satisfies Record<string, { proves: 'secret' | 'key' | null }>;

/**
 * How clients authenticate that have federated credentials. An admin sets these up, so this method
 * is never offered for registration.
 */
const federatedMethod = 'a JWT of an issuer that is trusted for it';

export type ClientAuthMethod = keyof typeof clientAuthMethods;

export const clientAuthMethodNames = Object.keys(clientAuthMethods) as ClientAuthMethod[];

/** The methods that prove anything. */
export const provingMethodNames = clientAuthMethodNames.filter(
  (name) => clientAuthMethods[name].proves !== null,
);

export const keyMethodNames = clientAuthMethodNames.filter(
  (name) => clientAuthMethods[name].proves === 'key',
);

type Proving = Pick<Client, 'type' | 'jwks' | 'jwksUri' | 'federatedCredentials' | 'guardedSites'>;

/**
 * What proves a client: its secret, its key, a JWT from another issuer (`federation`), or nothing.
 * A client with keys or such issuers cannot authenticate in any other way, and an app behind a
 * proxy not at all: this server redeems its codes.
 */
export function proofOf(client: Proving): 'secret' | 'key' | 'federation' | null {
  if (client.type === 'public' || client.guardedSites.length > 0) return null;
  if (client.federatedCredentials.length > 0) return 'federation';
  return client.jwks === null && client.jwksUri === null ? 'secret' : 'key';
}

/** Whether a client proves itself with a client assertion, its own or another issuer's. */
export const provesByAssertion = (client: Proving): boolean =>
  ['key', 'federation'].includes(proofOf(client) ?? '');

export function authMethodsOf(client: Proving): string[] {
  const proof = proofOf(client);
  if (proof === 'federation') return [federatedMethod];
  return clientAuthMethodNames.filter((name) => clientAuthMethods[name].proves === proof);
}
