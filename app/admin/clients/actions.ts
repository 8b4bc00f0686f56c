'use server';

import { config } from '#lib/config.ts';
import { type ClientKind, clientKinds, startOf } from '#lib/management/client-kinds.ts';
import * as clients from '#lib/management/clients.ts';
import * as logos from '#lib/management/logos.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { type Acting, act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';
import { oneOf } from '../ui/params.ts';
import { readEdit, readNew } from './client-input.ts';
import type { Credentials } from './given-secret.tsx';

type SecretState = FormState<Credentials>;

const pageOf = (id: string) => `/admin/clients/${encodeURIComponent(id)}`;
const idIn = (form: FormData) => textOf(form, 'client');

function gave(clientId: string, secret: string | null): SecretState {
  return { serial: Date.now(), faults: {}, result: { clientId, secret, issuer: config().issuer } };
}

export async function addClient(_: SecretState, form: FormData): Promise<SecretState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const kind: ClientKind = oneOf(clientKinds, textOf(form, 'kind')) ?? 'web';
    const input = { ...startOf(kind), ...readNew(kind, form), id: textOf(form, 'id') };
    const { client, secret } = await clients.createClient(input, actor, now);
    return gave(client.id, secret);
  });
}

export async function saveClient(_: SecretState, form: FormData): Promise<SecretState> {
  const id = idIn(form);
  const save = async ({ actor, now, demandFresh }: Acting): Promise<SecretState> => {
    const change = readEdit(form);
    const seen = new Date(Number(textOf(form, 'seen')) || 0);
    const { secret } = await clients.updateClient(id, change, actor, now, seen, demandFresh);
    return secret === null ? doneAt(pageOf(id), words.saved) : gave(id, secret);
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
    return doneAt(pageOf(idIn(form)), words.secretDeleted);
  });
}

export async function disableClient(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    await clients.disableClient(idIn(form), actor, now);
    return doneAt(pageOf(idIn(form)), words.disabledDone);
  });
}

export async function enableClient(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    await clients.enableClient(idIn(form), actor, now);
    return doneAt(pageOf(idIn(form)), words.enabledDone);
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
    return doneAt(`${pageOf(idIn(form))}/edit`, words.logoSaved);
  });
}

export async function removeLogo(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    await logos.removeLogo(idIn(form), actor, now);
    return doneAt(`${pageOf(idIn(form))}/edit`, words.logoRemoved);
  });
}
