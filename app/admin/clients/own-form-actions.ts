'use server';

import { clientActs } from '#lib/management/client/acts.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { fromJson } from '#lib/management/client/shapes.ts';
import type { PlainKey } from '#lib/messages/keys.ts';
import { doneAt, textOf } from '../act.ts';
import { clientPage } from '../addresses.ts';
import { doing } from '../doing.ts';
import { inOwnForm } from './client-input.ts';
import type { ownForms } from './own-forms.ts';

const saving = (own: keyof typeof ownForms, saved: PlainKey) =>
  doing(
    clientActs.update,
    (form) => inOwnForm(own, form),
    ({ client_id }) => doneAt(clientPage(client_id, 'access'), saved),
    async (form) => String((await showClient(textOf(form, 'client'))).updatedAt.getTime()),
    fromJson,
  );

/** Saves what an app is told in its own way. */
export const saveClaims = saving('claims', 'claims.saved');

/** Saves what an app demands of a sign-in. */
export const saveRules = saving('rules', 'rules.saved');
