'use server';

import { approveApp, refuseApp } from '#lib/management/new-apps.ts';
import { newAppWords as words } from '#lib/messages/admin/new-apps.ts';
import { act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';

const page = '/admin/clients';

export async function approveNewApp(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const { host } = await approveApp(textOf(form, 'client'), actor, now);
    return doneAt(page, words.approved(host));
  });
}

export async function refuseNewApp(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    const { host } = await refuseApp(textOf(form, 'client'), actor, now);
    return doneAt(page, words.refused(host));
  });
}
