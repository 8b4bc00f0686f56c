import type { Client } from '../oauth/client.ts';
import { hostAdmitted } from '../oauth/client-document.ts';
import type { Settings } from '../settings/table.ts';
import { readRegisteredId } from './registered-id.ts';

/**
 * Whether an admin vouches for a client: they made it, listed the host of its document, or gave it a
 * registration token. That somebody here uses it says nothing: they may be whoever introduced it.
 */
export function isVouchedByAdmin(
  { id, origin, host }: Client,
  { clientDocumentHosts }: Pick<Settings, 'clientDocumentHosts'>,
): boolean {
  if (origin === 'admin') return true;
  if (origin === 'registration') return readRegisteredId(id)?.byToken === true;
  return host !== null && hostAdmitted(clientDocumentHosts, host) === 'listed';
}
