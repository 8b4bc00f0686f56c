import type { Client } from '../oauth/client.ts';
import type { Settings } from '../settings/table.ts';
import { findClientRequest } from '../store/client-requests.ts';
import type { Approval } from './passage.ts';

/**
 * Whether admins have approved an app, where they want to be asked. Runs no statement for apps that
 * admins made.
 */
export async function approvalOf(
  { id, origin, unstored }: Pick<Client, 'id' | 'origin' | 'unstored'>,
  { approveNewApps }: Pick<Settings, 'approveNewApps'>,
): Promise<Approval> {
  if (origin === 'admin') return 'given';
  const request = await findClientRequest(id);
  if (request?.decision === 'refused') return 'refused';
  // An app that is already stored was let in before, so it needs no approval.
  const isNew = approveNewApps === 'on' && unstored !== undefined;
  if (!isNew || request?.decision === 'allowed') return 'given';
  return request ? 'asked' : 'needed';
}
