'use server';

import { mend } from '#lib/management/mend.ts';
import { placeField } from '#lib/management/place-field.ts';
import { traceWords as words } from '#lib/messages/admin/traces.ts';
import { act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';

/** Changes the app so that the refused request would be accepted. */
export async function mendAttempt(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now, demandFresh }) => {
    const trace = textOf(form, 'trace');
    await mend(trace, textOf(form, 'request'), textOf(form, placeField), {
      actor,
      now,
      onLoosening: demandFresh,
    });
    const client = encodeURIComponent(textOf(form, 'client'));
    const page = client ? `/admin/clients/${client}` : `/admin/traces/${encodeURIComponent(trace)}`;
    return doneAt(page, words.mended);
  });
}
