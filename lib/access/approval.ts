import type { Client } from '../oauth/client.ts';
import type { Settings } from '../settings/table.ts';
import { findClientRequest } from '../store/client-requests.ts';
import type { Approval } from './passage.ts';

/** Whether an app may be used, as far as admins want to be asked. One that they made costs nothing. */
export async function approvalOf(
  { id, origin, unstored }: Pick<Client, 'id' | 'origin' | 'unstored'>,
  { approveNewApps }: Pick<Settings, 'approveNewApps'>,
): Promise<Approval> {
  if (origin === 'admin') return 'given';
  const request = await findClientRequest(id);
  if (request?.decision === 'refused') return 'refused';
  // What people use already was let in before.
  const isNew = approveNewApps === 'on' && unstored !== undefined;
  if (!isNew || request?.decision === 'allowed') return 'given';
  return request ? 'asked' : 'needed';
}
