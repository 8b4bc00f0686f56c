'use server';

import {
  createRegistrationToken,
  removeRegistrationToken,
} from '#lib/management/registration-tokens.ts';
import { registrationTokenWords as words } from '#lib/messages/admin/registration-tokens.ts';
import { stripBidi } from '../../../ui/strip-bidi.ts';
import { act, doneAt, textOf } from '../../act.ts';
import type { FormState } from '../../ui/forms/state.ts';
import { settingsAt } from '../tabs.ts';

/** A new token, shown once. */
export type GivenToken = { name: string; token: string };

export async function addRegistrationToken(
  _: FormState<GivenToken>,
  form: FormData,
): Promise<FormState<GivenToken>> {
  return act<GivenToken>('fresh-admin', form, async ({ actor, now }) => {
    const asked = { name: textOf(form, 'name'), life: textOf(form, 'life') };
    const { name, token } = await createRegistrationToken(asked, actor, now);
    return { serial: now.getTime(), faults: {}, result: { name: stripBidi(name), token } };
  });
}

export async function deleteRegistrationToken(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    const { name } = await removeRegistrationToken(textOf(form, 'token'), actor, now);
    return doneAt(settingsAt('new-apps'), words.removed(stripBidi(name)));
  });
}
