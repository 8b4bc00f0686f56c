'use server';

import { addContact, removeContact } from '#lib/management/client/contacts.ts';
import { contactWords as words } from '#lib/messages/admin/developer.ts';
import { act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';

const accessOf = (id: string) => `/admin/clients/${encodeURIComponent(id)}/access`;

/** Names a developer of an app. */
export async function addClientContact(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const client = textOf(form, 'client');
    await addContact(client, textOf(form, 'contact'), actor, now);
    return doneAt(accessOf(client), words.added);
  });
}

/** A developer of an app is one no more. */
export async function removeClientContact(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    const client = textOf(form, 'client');
    await removeContact(client, textOf(form, 'user'), actor, now);
    return doneAt(accessOf(client), words.removed);
  });
}
