import { type Meant, whoIsMeant } from '#lib/management/client/access.ts';
import type { ClientChange } from '#lib/management/client/clients.ts';
import type { ClientSettings } from '#lib/oauth/client.ts';
import { deviceGrant } from '#lib/oauth/grant-types.ts';
import { textOf } from '../act.ts';

type NewAccess = { access: ClientSettings['access']; meant: Meant };

/**
 * Who may use a new app. A service has no users, so nobody is asked about it.
 * @throws AdminRefusal at `group`, before the app is there
 */
export async function readAccess({ grants }: ClientChange, form: FormData): Promise<NewAccess> {
  const isForPeople =
    grants === undefined || grants.includes('authorization_code') || grants.includes(deviceGrant);
  const isListed = isForPeople && textOf(form, 'access') === 'listed';
  // The name of a group has no comma.
  const groups = isListed ? textOf(form, 'group').split(',') : [];
  return { access: isListed ? 'listed' : 'everybody', meant: await whoIsMeant({ groups }) };
}
