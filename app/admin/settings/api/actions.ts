'use server';

import { createApiKey, deleteApiKey } from '#lib/management/api-key/keys.ts';
import { apiNouns, type RightsPreset, rightsPresets } from '#lib/management/api-key/rights.ts';
import { knownOption } from '../../../params.ts';
import { stripBidi } from '../../../ui/strip-bidi.ts';
import { act, doneAt, listOf, textOf } from '../../act.ts';
import type { FormState } from '../../ui/forms/state.ts';
import { settingsAt } from '../tabs.ts';

const presets = Object.keys(rightsPresets) as RightsPreset[];

/** A new key, which is shown once. */
export type GivenKey = { name: string; secret: string };

export async function addApiKey(
  _: FormState<GivenKey>,
  form: FormData,
): Promise<FormState<GivenKey>> {
  return act<GivenKey>('fresh-admin', form, async ({ actor, now }) => {
    const { name, secret } = await createApiKey(readKey(form), actor, now);
    return { serial: now.getTime(), faults: {}, result: { name: stripBidi(name), secret } };
  });
}

const readKey = (form: FormData) => ({
  name: textOf(form, 'name'),
  rights: rightsIn(form),
  for: textOf(form, 'for'),
  networks: listOf(form, 'networks')
    .map((network) => network.trim())
    .filter(Boolean),
});

/** The rights of the chosen set, or those that were chosen one by one. */
function rightsIn(form: FormData): readonly string[] {
  const preset = knownOption(presets, textOf(form, 'rights'));
  if (preset) return rightsPresets[preset];
  return apiNouns.flatMap((noun) => {
    const level = textOf(form, `right-${noun}`);
    return level === '' ? [] : [`${noun}:${level}`];
  });
}

export async function endApiKey(_: FormState, form: FormData): Promise<FormState> {
  return act('admin', form, async ({ actor, now }) => {
    const { name } = await deleteApiKey(textOf(form, 'key'), actor, now);
    return doneAt(settingsAt('api'), 'apiKeys.deleted', { name: stripBidi(name) });
  });
}
