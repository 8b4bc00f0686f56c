'use server';

import { clientActs } from '#lib/management/client/acts.ts';
import type { PlainKey } from '#lib/messages/keys.ts';
import { doneAt, textOf } from '../act.ts';
import { clientPage } from '../addresses.ts';
import { doing } from '../doing.ts';

const clientIn = (form: FormData) => ({ client_id: textOf(form, 'client') });
const doneFor = (form: FormData, message: PlainKey) =>
  doneAt(clientPage(textOf(form, 'client'), 'access'), message);

/** Adds a developer to an app. */
export const addClientContact = doing(
  clientActs.addContact,
  (form) => ({ ...clientIn(form), contact: textOf(form, 'contact') }),
  (_, form) => doneFor(form, 'contacts.added'),
);

export const removeClientContact = doing(
  clientActs.removeContact,
  (form) => ({ ...clientIn(form), user_id: textOf(form, 'user') }),
  (_, form) => doneFor(form, 'contacts.removed'),
);

/** Makes a developer of an agent the person who answers for it. */
export const setClientOwner = doing(
  clientActs.update,
  (form) => ({ ...clientIn(form), owner: textOf(form, 'user') }),
  (_, form) => doneFor(form, 'contacts.madeOwner'),
);
