import type { ClientChange } from '#lib/management/client/clients.ts';
import { deviceGrant } from '#lib/oauth/grant-types.ts';
import { textOf } from '../../act.ts';

/** Reads who may use a new app. A service has no users, so its form does not ask. */
export function readAccess({ grants }: ClientChange, form: FormData) {
  const isForPeople =
    grants === undefined || grants.includes('authorization_code') || grants.includes(deviceGrant);
  if (!isForPeople || textOf(form, 'access') !== 'listed') return { access: 'everybody' };
  // Names of groups contain no comma.
  return { access: 'listed', allowed_groups: textOf(form, 'group').split(',') };
}
