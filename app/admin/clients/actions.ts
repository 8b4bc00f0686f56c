'use server';

import { config } from '#lib/config.ts';
import { clientActs } from '#lib/management/client/acts.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { inJsonNames } from '#lib/management/client/fields.ts';
import { secretActs } from '#lib/management/secret/acts.ts';
import { fromJson } from '#lib/management/told.ts';
import type { PlainKey } from '#lib/messages/keys.ts';
import { pageText } from '../../locale.ts';
import type { Credentials } from '../../ui/connect/guide.ts';
import { isLdapOff, ldapForm } from '../../ui/connect/ldap-form.ts';
import { titleOf } from '../../ui/page-title.tsx';
import { stripBidi } from '../../ui/user-text.tsx';
import { doneAt, textOf } from '../act.ts';
import { clientPage } from '../addresses.ts';
import { doing, shown } from '../doing.ts';
import type { FormState } from '../ui/forms/state.ts';
import { readEdit, readRest, refuseNoRedirect } from './client-input.ts';
import { readAccess } from './new/new-access.ts';
import { readNewApp } from './new/new-app.ts';
import type { NewApp } from './new/put-this-there.tsx';

type Given = { client_id: string; client_secret: string | null };

const settingsOf = (id: string) => clientPage(id, 'settings');
const clientIn = (form: FormData) => ({ client_id: textOf(form, 'client') });
const doneFor = (form: FormData, message: PlainKey) =>
  doneAt(settingsOf(textOf(form, 'client')), message);
const credentials = ({ client_id: clientId, client_secret: secret }: Given): Credentials => ({
  clientId,
  secret,
  issuer: config().issuer,
});

export const addClient = doing(
  clientActs.create,
  (form) => {
    const { client } = readNewApp(form);
    const said = { ...inJsonNames(client), ...readAccess(client, form) };
    return { ...said, name: client.name ?? '', client_id: textOf(form, 'id') };
  },
  async (told, form) => {
    const given = credentials(told);
    const name = stripBidi(told.name);
    const text = await pageText();
    const title = titleOf(text('connect.madeTitle', { name }), text.locale);
    const { client, guide } = readNewApp(form);
    // Nothing of a guarded app is shown only once: its page says what comes next.
    if (client.guardedSites?.length)
      return doneAt(clientPage(told.client_id), 'guard.made', { name });
    const ldap = client.ldap ? { form: ldapForm(text, told.client_id), isOff: isLdapOff() } : null;
    return shown<NewApp>({ ...given, name, title, guide: guide?.(given) ?? null, ldap });
  },
  { controlOf: controlOfNew },
);

const controlsOfNew: Readonly<Record<string, string>> = {
  client_id: 'id',
  allowed_groups: 'group',
  // A conflict with the strong authentication is shown where the form asks how the app proves
  // itself.
  type: 'strong',
};
function controlOfNew(place: string): string {
  return controlsOfNew[place] ?? fromJson(place);
}

export const saveClient = doing(
  clientActs.update,
  async (form) => {
    const { origin, redirectUris } = await showClient(textOf(form, 'client'));
    const change = origin === 'document' ? readRest(form) : readEdit(form);
    if (origin !== 'document' && redirectUris.length > 0) refuseNoRedirect(change, form);
    // If the field is left blank, the same person goes on answering for the app.
    const owner = change.agent ? { owner: textOf(form, 'owner').trim() || null } : {};
    return { ...clientIn(form), ...inJsonNames(change), ...owner };
  },
  (told, form): FormState<Credentials> | Promise<FormState<Credentials>> =>
    told.client_secret === null ? doneFor(form, 'clients.saved') : shown(credentials(told)),
  {
    seenNow: async (form) => String((await showClient(textOf(form, 'client'))).updatedAt.getTime()),
    controlOf: fromJson,
  },
);

export const addSecret = doing(
  secretActs.create,
  (form) => ({ ...clientIn(form), keep_old: textOf(form, 'keepOld') === 'on' }),
  (told) => shown(credentials(told)),
  { controlOf: fromJson },
);

export const deleteSecret = doing(
  secretActs.delete,
  (form) => ({ ...clientIn(form), id: textOf(form, 'hash') }),
  (_, form) => doneFor(form, 'clients.secretDeleted'),
);

export const disableClient = doing(clientActs.disable, clientIn, (_, form) =>
  doneFor(form, 'clients.disabledDone'),
);

export const enableClient = doing(clientActs.enable, clientIn, (_, form) =>
  doneFor(form, 'clients.enabledDone'),
);

export const deleteClient = doing(clientActs.delete, clientIn, ({ name }) =>
  doneAt('/admin/clients', 'clients.deletedDone', { name }),
);

export const saveLogo = doing(
  clientActs.setLogo,
  async (form) => {
    const file = form.get('logo');
    const bytes = file instanceof File ? await file.arrayBuffer() : new ArrayBuffer();
    return { ...clientIn(form), logo: Buffer.from(bytes) };
  },
  (_, form) => doneFor(form, 'clients.logoSaved'),
);

export const removeLogo = doing(
  clientActs.setLogo,
  (form) => ({ ...clientIn(form), logo: null }),
  (_, form) => doneFor(form, 'clients.logoRemoved'),
);
