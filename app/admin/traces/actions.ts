'use server';

import { attemptActs } from '#lib/management/attempt/acts.ts';
import { placeField } from '#lib/management/attempt/place-field.ts';
import { doneAt, textOf } from '../act.ts';
import { clientPage } from '../addresses.ts';
import { doing } from '../doing.ts';

/** Changes the app so that the refused request would be accepted. */
export const fixAttempt = doing(
  attemptActs.fix,
  (form) => ({
    id: textOf(form, 'trace'),
    request: textOf(form, 'request'),
    place: textOf(form, placeField),
  }),
  ({ id }, form) => {
    const client = textOf(form, 'client');
    const page = client ? clientPage(client) : `/admin/traces/${encodeURIComponent(id)}`;
    return doneAt(page, 'attempts.fixed');
  },
);
