'use server';

import { revokeKey, rotateKeys } from '#lib/management/keys.ts';
import { keyWords as words } from '#lib/messages/admin/keys.ts';
import { act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';

const path = '/admin/keys';

export async function makeNewKeys(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    await rotateKeys(actor, now);
    return doneAt(path, words.rotated);
  });
}

export async function revokeOneKey(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    await revokeKey(textOf(form, 'kid'), actor, now);
    return doneAt(path, words.revoked);
  });
}
