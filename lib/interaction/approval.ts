import type { Client } from '../oauth/client.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import type { Settings } from '../settings/table.ts';
import { findClientRequest } from '../store/client-requests.ts';

/**
 * What admins say of an app that introduced itself: it may be used; somebody has to ask them; they
 * were asked; they refused.
 */
export type Approval = 'given' | 'needed' | 'asked' | 'refused';

/** Whether an app may be used, as far as admins want to be asked. One that they made costs nothing. */
export async function approvalOf(
  { id, origin, newcomer }: Pick<Client, 'id' | 'origin' | 'newcomer'>,
  { approveNewApps }: Pick<Settings, 'approveNewApps'>,
): Promise<Approval> {
  if (origin === 'admin') return 'given';
  const request = await findClientRequest(id);
  if (request?.decision === 'refused') return 'refused';
  // What people use already was let in before.
  const isNew = approveNewApps === 'on' && newcomer !== undefined;
  if (!isNew || request?.decision === 'allowed') return 'given';
  return request ? 'asked' : 'needed';
}

/** What an app hears that may not be used, if its user goes back to it. */
export function refusalOfApproval(approval: Approval): OAuthRefusal | null {
  if (approval === 'given') return null;
  const refused = approval === 'refused';
  return new OAuthRefusal(
    'access_denied',
    refused ? 'An admin has refused this app.' : 'An admin has to approve this app first.',
    {},
    { rule: refused ? 'approval.refused' : 'approval.needed' },
  );
}

/** Whether admins have refused an app that is stored. */
export async function isRefused(client: Pick<Client, 'id' | 'origin'>): Promise<boolean> {
  return (await approvalOf(client, { approveNewApps: 'off' })) === 'refused';
}
