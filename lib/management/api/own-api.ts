import { config } from '../../config.ts';
import { mayAskFor } from '../../oauth/api.ts';
import type { Client } from '../../oauth/client.ts';
import type { ApiRecord } from '../../store/apis.ts';
import { apiPath } from '../api-key/rights.ts';

/** The identifier of the HTTP API of this server. With its tokens, apps can do what admins do. */
export const ownIdentifier = () => config().issuer + apiPath;

/**
 * The API of this server, for a client that may ask for its tokens now; undefined if it may not.
 * Checked at each use, because a token that an app got for itself, without a person, and what the
 * app started with it, outlive the app's place in the list.
 */
export function ownApiFor(
  client: Pick<Client, 'id' | 'origin'>,
  apis: readonly ApiRecord[],
): ApiRecord | undefined {
  const api = apis.find(({ identifier }) => identifier === ownIdentifier());
  return api?.access === 'listed' && mayAskFor(api, client) ? api : undefined;
}
