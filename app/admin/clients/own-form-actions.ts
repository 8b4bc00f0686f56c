'use server';

import { showClient, updateClient } from '#lib/management/client/clients.ts';
import { claimsWords } from '#lib/messages/admin/claims.ts';
import { rulesWords } from '#lib/messages/admin/rules.ts';
import { act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';
import { readOwnForm } from './client-input.ts';
import type { ownForms } from './own-forms.ts';

/** Saves what an app is told in its own way. */
export async function saveClaims(_: FormState, form: FormData): Promise<FormState> {
  return save('claims', form, claimsWords.saved);
}

/** Saves what an app demands of a sign-in. */
export async function saveRules(_: FormState, form: FormData): Promise<FormState> {
  return save('rules', form, rulesWords.saved);
}

function save(own: keyof typeof ownForms, form: FormData, saved: string): Promise<FormState> {
  const id = textOf(form, 'client');
  return act(
    'admin',
    form,
    async ({ actor, now, demandFresh }) => {
      const seen = new Date(Number(textOf(form, 'seen')) || 0);
      await updateClient(id, readOwnForm(own, form), actor, now, seen, demandFresh);
      return doneAt(`/admin/clients/${encodeURIComponent(id)}/access`, saved);
    },
    async () => String((await showClient(id)).updatedAt.getTime()),
  );
}
