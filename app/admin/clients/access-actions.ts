'use server';

import { clientActs } from '#lib/management/client/acts.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { fromJson } from '#lib/management/told.ts';
import type { PlainKey } from '#lib/messages/keys.ts';
import { doneAt, listOf, textOf } from '../act.ts';
import { clientPage } from '../addresses.ts';
import { doing } from '../doing.ts';
import { endIn } from '../ui/last-day.ts';
import { readAccessPage } from './client-input.ts';

const doneFor = (form: FormData, message: PlainKey) =>
  doneAt(clientPage(textOf(form, 'client'), 'access'), message);

/** Saves as one change who may use an app, what it demands of a sign-in, and what it is sent. */
export const saveAccess = doing(
  clientActs.update,
  readAccessPage,
  (_, form) => doneFor(form, 'clients.saved'),
  {
    seenNow: async (form) => String((await showClient(textOf(form, 'client'))).updatedAt.getTime()),
    controlOf: fromJson,
  },
);

const readMeant = (form: FormData) => ({
  client_id: textOf(form, 'client'),
  groups: listOf(form, 'group'),
  people: listOf(form, 'person'),
});
const controlOf = (place: string) =>
  place === 'groups' ? 'group' : place === 'people' ? 'person' : place;

/** Lists a group or a person. */
export const allowOnClient = doing(
  clientActs.allow,
  (form) => ({ ...readMeant(form), ...(form.has('ends_at') && { ends_at: endIn(form) }) }),
  (_, form) => doneFor(form, 'access.added'),
  { controlOf },
);

/** Removes a group or a person from the list. */
export const disallowOnClient = doing(
  clientActs.disallow,
  readMeant,
  (_, form) => doneFor(form, 'access.removed'),
  { controlOf },
);
