import type { Client, ClientSettings } from './client.ts';
import { proofOf } from './client-auth-methods.ts';
import { refuse } from './errors.ts';
import { clientSigningAlgs, keysFor, readKeySet } from './key-set.ts';
import type { ProtocolSettings } from './settings.ts';

/*
 * Strong clients: those that the FAPI 2.0 Security Profile (final) is about. A client may be one in any
 * profile of this server; in the profile `fapi` all are.
 */

/** Seconds that a code of a strong client lives at most (section 5.3.2.1). */
const longestStrongCode = 60;

/** The algorithms by which strong clients sign (section 5.4.1). */
export const strongAlgs: readonly string[] = clientSigningAlgs.filter((alg) => alg !== 'RS256');

/** What strong clients are signed for with (section 5.4.1). */
export const strongTokenAlg = 'ES256';

/** Whether a client is to be a strong one: it is said of it, or else of all. */
export const isToBeStrong = (
  { strong }: Pick<ClientSettings, 'strong'>,
  { requireStrongClients }: Pick<ProtocolSettings, 'requireStrongClients'>,
): boolean => strong ?? requireStrongClients;

/**
 * The client as the rules see it: where it is to be strong, with everything that makes it so, whatever
 * else its record says. Nothing changes where it is so already.
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

/** Everything that keeps a client from being a strong one (sections 5.3.2.1, 5.3.2.2 and 5.4.1). */
export function weaknessesOf(
  client: Pick<
    ClientSettings,
    'type' | 'jwks' | 'jwksUri' | 'federatedCredentials' | 'grants' | 'redirectUris'
  >,
): Weakness[] {
  const found: Weakness[] = [];
  if (client.type === 'public') found.push('public');
  else if (proofOf(client) !== 'key') found.push('secret');
  else if (client.jwks !== null && !hasStrongKey(client.jwks)) found.push('keys');
  const usesAddresses = client.grants.includes('authorization_code');
  if (usesAddresses && !client.redirectUris.every((uri) => uri.startsWith('https:')))
    found.push('redirect-uri');
  return found;
}

function hasStrongKey(jwks: string): boolean {
  const read = readKeySet(jwks);
  // What is wrong with the set itself is said elsewhere.
  if ('fault' in read) return true;
  return clientSigningAlgs.some(
    (alg) => strongAlgs.includes(alg) && keysFor(read.keys, { alg }).length > 0,
  );
}

type Strong = Pick<Client, 'strong' | 'type' | 'jwks' | 'jwksUri' | 'federatedCredentials'>;

/** A strong client proves itself by its key and in no other way (section 5.3.2.1). @throws OAuthRefusal unauthorized_client */
export function checkStrength(client: Strong): void {
  if (!client.strong || proofOf(client) === 'key') return;
  refuse('unauthorized_client', 'This client has to prove itself by a key (private_key_jwt).', {
    rule: 'client.no-key',
    received: client.type === 'public' ? 'a public client' : 'a client without a key of its own',
    expected: ['a client with jwks or jwks_uri'],
  });
}

/** Seconds that a code of this client lives. */
export const codeLifeOf = (
  { strong }: Pick<Client, 'strong'>,
  { codeTtl }: Pick<ProtocolSettings, 'codeTtl'>,
): number => (strong ? Math.min(codeTtl, longestStrongCode) : codeTtl);
