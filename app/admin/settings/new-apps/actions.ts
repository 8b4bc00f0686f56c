'use server';

import { registrationTokenActs as acts } from '#lib/management/registration-token/acts.ts';
import { stripBidi } from '../../../ui/strip-bidi.ts';
import { doneAt, textOf } from '../../act.ts';
import { doing, shown } from '../../doing.ts';
import { settingsAt } from '../tabs.ts';

/** A new token, which is shown once. */
export type GivenToken = { name: string; token: string };

export const addRegistrationToken = doing(
  acts.create,
  (form) => ({ name: textOf(form, 'name'), life: textOf(form, 'life') }),
  ({ name, token }) => shown<GivenToken>({ name: stripBidi(name), token }),
);

export const deleteRegistrationToken = doing(
  acts.delete,
  (form) => ({ id: textOf(form, 'token') }),
  ({ name }) =>
    doneAt(settingsAt('new-apps'), 'registrationTokens.removed', { name: stripBidi(name) }),
);
