import type { ClientSettings } from './client.ts';
import type { ClientMetadata } from './client-metadata.ts';
import type { MetadataFault } from './client-metadata-fault.ts';
import { redirectKind } from './redirect-uri.ts';
import { strongAlgs, type Weakness, weaknessesOf } from './strong-client.ts';

const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 200);

/**
 * What prevents a client that registers itself from working where all clients must be strong; null:
 * nothing.
 * @param client the client that its metadata describes
 */
export function weakMetadataFault(
  client: ClientSettings,
  metadata: ClientMetadata,
): MetadataFault | null {
  const [weakness] = weaknessesOf(client);
  if (weakness) return faultOf(weakness, client, metadata);
  const { token_endpoint_auth_signing_alg: alg } = metadata;
  if (alg === undefined || alg === null || strongAlgs.some((one) => one === alg)) return null;
  return byKeys('This server does not accept this token_endpoint_auth_signing_alg.', alg);
}

function faultOf(
  weakness: Weakness,
  { redirectUris }: ClientSettings,
  { token_endpoint_auth_method: method }: ClientMetadata,
): MetadataFault {
  switch (weakness) {
    case 'public':
    case 'secret':
      return {
        code: 'invalid_client_metadata',
        reason:
          'This server accepts only apps that authenticate with a key (FAPI 2.0). Register with token_endpoint_auth_method private_key_jwt, and jwks or jwks_uri.',
        received: shown(method),
        expected: ['private_key_jwt'],
      };
    case 'keys':
      return byKeys('jwks: none of these keys fits an algorithm that this server accepts.');
    case 'redirect-uri':
      return {
        code: 'invalid_redirect_uri',
        reason: 'redirect_uris: this server accepts only https addresses (FAPI 2.0).',
        received: shown(redirectUris.find((uri) => redirectKind(uri) !== 'https')),
        expected: ['https://…'],
      };
  }
}

const byKeys = (reason: string, received?: unknown): MetadataFault => ({
  code: 'invalid_client_metadata',
  reason,
  ...(received !== undefined && { received: shown(received) }),
  expected: strongAlgs,
});
