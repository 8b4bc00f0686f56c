import type { Client } from '../oauth/client.ts';
import { hostAdmitted } from '../oauth/client-document.ts';
import type { Settings } from '../settings/table.ts';
import { findClientRequest } from '../store/client-requests.ts';
import { readRegisteredId } from './registered-id.ts';

/**
 * Whether an admin vouches for a client: they made it, listed the host of its document, gave it a
 * registration token, or approved it. That a person here uses it proves nothing, because they may
 * have registered it themselves.
 */
export async function isVerified(
  { id, origin, host }: Client,
  { clientDocumentHosts }: Pick<Settings, 'clientDocumentHosts'>,
): Promise<boolean> {
  if (origin === 'admin') return true;
  const known =
    origin === 'registration'
      ? readRegisteredId(id)?.byToken === true
      : host !== null && hostAdmitted(clientDocumentHosts, host) === 'listed';
  return known || (await findClientRequest(id))?.decision === 'allowed';
}
