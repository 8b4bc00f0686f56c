'use server';

import { allow, disallow, whoIsMeant } from '#lib/management/client/access.ts';
import { updateClient } from '#lib/management/client/clients.ts';
import { accessWords as words } from '#lib/messages/admin/access.ts';
import { act, doneAt, listOf, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';
import { readOwnForm } from './client-input.ts';

const accessOf = (id: string) => `/admin/clients/${encodeURIComponent(id)}/access`;

/** Everybody may use an app, or those who are listed. */
export async function saveAccess(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now, demandFresh }) => {
    const client = textOf(form, 'client');
    await updateClient(client, readOwnForm('access', form), actor, now, undefined, demandFresh);
    return doneAt(accessOf(client), words.saved);
  });
}

const readMeant = (form: FormData) =>
  whoIsMeant({ groups: listOf(form, 'group'), people: listOf(form, 'person') });

/** Lists a group or somebody. */
export async function allowOnClient(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const client = textOf(form, 'client');
    await allow(client, await readMeant(form), actor, now);
    return doneAt(accessOf(client), words.added);
  });
}

/** Lists a group or somebody no longer. */
export async function disallowOnClient(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    const client = textOf(form, 'client');
    await disallow(client, await readMeant(form), actor, now);
    return doneAt(accessOf(client), words.removed);
  });
}
