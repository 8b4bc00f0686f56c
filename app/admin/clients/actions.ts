'use server';

import { config } from '#lib/config.ts';
import { allow } from '#lib/management/client/access.ts';
import * as clients from '#lib/management/client/clients.ts';
import * as logos from '#lib/management/client/logos.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { connectWords } from '#lib/messages/admin/connect.ts';
import { titleOf } from '../../ui/page-title.tsx';
import { stripBidi } from '../../ui/user-text.tsx';
import { type Acting, act, doneAt, textOf } from '../act.ts';
import { readAccess } from '../new-client/new-access.ts';
import { readNewApp } from '../new-client/new-app.ts';
import type { NewApp } from '../new-client/put-this-there.tsx';
import type { FormState } from '../ui/forms/state.ts';
import { readEdit, readRest, refuseNoRedirect } from './client-input.ts';
import type { Credentials } from './given-secret.tsx';

type SecretState = FormState<Credentials>;

const settingsOf = (id: string) => `/admin/clients/${encodeURIComponent(id)}/settings`;
const idIn = (form: FormData) => textOf(form, 'client');

function gave(clientId: string, secret: string | null): SecretState {
  return { serial: Date.now(), faults: {}, result: { clientId, secret, issuer: config().issuer } };
}

export async function addClient(_: FormState<NewApp>, form: FormData): Promise<FormState<NewApp>> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const { client: asked, guide } = readNewApp(form);
    const { access, meant } = await readAccess(asked, form);
    const input = { ...asked, access, id: textOf(form, 'id') };
    const { client, secret } = await clients.createClient(input, actor, now);
    if (access === 'listed') await allow(client.id, meant, actor, now);
    const { name, id: clientId } = client;
    const given = { clientId, secret, issuer: config().issuer };
    const title = titleOf(connectWords.madeTitle(stripBidi(name)));
    const result = { ...given, name: stripBidi(name), title, guide: guide?.(given) ?? null };
    return { serial: Date.now(), faults: {}, result };
  });
}

export async function saveClient(_: SecretState, form: FormData): Promise<SecretState> {
  const id = idIn(form);
  const save = async ({ actor, now, demandFresh }: Acting): Promise<SecretState> => {
    const { origin, redirectUris } = await clients.showClient(id);
    const change = origin === 'document' ? readRest(form) : readEdit(form);
    if (origin !== 'document' && redirectUris.length > 0) refuseNoRedirect(change, form);
    const seen = new Date(Number(textOf(form, 'seen')) || 0);
    const { secret } = await clients.updateClient(id, change, actor, now, seen, demandFresh);
    return secret === null ? doneAt(settingsOf(id), words.saved) : gave(id, secret);
  };
  return act('admin', form, save, async () =>
    String((await clients.showClient(id)).updatedAt.getTime()),
  );
}

export async function addSecret(_: SecretState, form: FormData): Promise<SecretState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const keepOld = textOf(form, 'keepOld') === 'on';
    const { secret } = await clients.rotateSecret(idIn(form), { keepOld }, actor, now);
    return gave(idIn(form), secret);
  });
}

export async function deleteSecret(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    await clients.removeSecret(idIn(form), textOf(form, 'hash'), actor, now);
    return doneAt(settingsOf(idIn(form)), words.secretDeleted);
  });
}

export async function disableClient(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    await clients.disableClient(idIn(form), actor, now);
    return doneAt(settingsOf(idIn(form)), words.disabledDone);
  });
}

export async function enableClient(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    await clients.enableClient(idIn(form), actor, now);
    return doneAt(settingsOf(idIn(form)), words.enabledDone);
  });
}

export async function deleteClient(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const { name } = await clients.deleteClient(idIn(form), actor, now);
    return doneAt('/admin/clients', words.deletedDone(name));
  });
}

export async function saveLogo(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    const file = form.get('logo');
    const bytes =
      file instanceof File ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array();
    await logos.setLogo(idIn(form), bytes, actor, now);
    return doneAt(settingsOf(idIn(form)), words.logoSaved);
  });
}

export async function removeLogo(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    await logos.removeLogo(idIn(form), actor, now);
    return doneAt(settingsOf(idIn(form)), words.logoRemoved);
  });
}
