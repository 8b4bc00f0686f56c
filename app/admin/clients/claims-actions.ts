'use server';

import { showClient, updateClient } from '#lib/management/clients.ts';
import { claimsWords as words } from '#lib/messages/admin/claims.ts';
import { act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';
import { readOwnForm } from './client-input.ts';

/** Saves what an app is told in its own way. */
export async function saveClaims(_: FormState, form: FormData): Promise<FormState> {
  const id = textOf(form, 'client');
  return act(
    'admin',
    form,
    async ({ actor, now, demandFresh }) => {
      const seen = new Date(Number(textOf(form, 'seen')) || 0);
      await updateClient(id, readOwnForm('claims', form), actor, now, seen, demandFresh);
      return doneAt(`/admin/clients/${encodeURIComponent(id)}/access`, words.saved);
    },
    async () => String((await showClient(id)).updatedAt.getTime()),
  );
}
