import type { Client, ClientSettings } from './client.ts';
import { proofOf } from './client-auth-methods.ts';
import { refuse } from './errors.ts';
import { clientSigningAlgs, keysFor, readKeySet } from './key-set.ts';
import { redirectKind } from './redirect-uri.ts';
import type { ProtocolSettings } from './settings.ts';

/*
 * Strong clients: those that follow the FAPI 2.0 Security Profile (final). A client may be strong
 * in any profile of this server; in profile `fapi` all are.
 */

/** The maximum lifetime of a strong client's code in seconds (section 5.3.2.1). */
const longestStrongCode = 60;

/** The algorithms that strong clients may sign with (section 5.4.1). */
export const strongAlgs: readonly string[] = clientSigningAlgs.filter((alg) => alg !== 'RS256');

/** The algorithm with which this server signs for strong clients (section 5.4.1). */
export const strongTokenAlg = 'ES256';

/**
 * Whether a client is to be strong, by its own record or otherwise by the server's setting. An app
 * behind a proxy sends no requests of its own.
 */
export const isToBeStrong = (
  { strong, guardedSites }: Pick<ClientSettings, 'strong' | 'guardedSites'>,
  { requireStrongClients }: Pick<ProtocolSettings, 'requireStrongClients'>,
): boolean => guardedSites.length === 0 && (strong ?? requireStrongClients);

/**
 * The client as the rules see it: if it is to be strong, with everything that makes it so, whatever
 * else its record says. A client that is already strong does not change.
 */
export function strengthened<C extends Client>(
  client: C,
  settings: Pick<ProtocolSettings, 'requireStrongClients'>,
): C {
  if (!isToBeStrong(client, settings)) return client;
  return {
    ...client,
    strong: true,
    requirePkce: true,
    requireClientAuthOnRefresh: true,
    requirePushedAuthorizationRequests: true,
    dpopBoundAccessTokens: true,
    sendIss: true,
    idTokenAlg: strongTokenAlg,
  };
}

/** Why a client that is to be strong cannot work. */
export type Weakness = 'public' | 'secret' | 'keys' | 'redirect-uri';

/** Everything that prevents a client from being strong (sections 5.3.2.1, 5.3.2.2 and 5.4.1). */
export function weaknessesOf(
  client: Pick<
    ClientSettings,
    | 'type'
    | 'jwks'
    | 'jwksUri'
    | 'federatedCredentials'
    | 'guardedSites'
    | 'grants'
    | 'redirectUris'
  >,
): Weakness[] {
  const found: Weakness[] = [];
  if (client.type === 'public') found.push('public');
  else if (proofOf(client) !== 'key') found.push('secret');
  else if (client.jwks !== null && !hasStrongKey(client.jwks)) found.push('keys');
  const usesAddresses = client.grants.includes('authorization_code');
  if (usesAddresses && !client.redirectUris.every((uri) => redirectKind(uri) === 'https'))
    found.push('redirect-uri');
  return found;
}

function hasStrongKey(jwks: string): boolean {
  const read = readKeySet(jwks);
  // A fault in the set itself is reported elsewhere.
  if ('fault' in read) return true;
  return clientSigningAlgs.some(
    (alg) => strongAlgs.includes(alg) && keysFor(read.keys, { alg }).length > 0,
  );
}

type Strong = Pick<
  Client,
  'strong' | 'type' | 'jwks' | 'jwksUri' | 'federatedCredentials' | 'guardedSites'
>;

/**
 * A strong client authenticates with its key and in no other way (section 5.3.2.1).
 * @throws OAuthRefusal unauthorized_client
 */
export function checkStrength(client: Strong): void {
  if (!client.strong || proofOf(client) === 'key') return;
  refuse('unauthorized_client', 'This client must authenticate with a key (private_key_jwt).', {
    rule: 'client.no-key',
    received: client.type === 'public' ? 'a public client' : 'a client without a key of its own',
    expected: ['a client with jwks or jwks_uri'],
  });
}

/** The lifetime of this client's codes, in seconds. */
export const codeLifeOf = (
  { strong }: Pick<Client, 'strong'>,
  { codeTtl }: Pick<ProtocolSettings, 'codeTtl'>,
): number => (strong ? Math.min(codeTtl, longestStrongCode) : codeTtl);
