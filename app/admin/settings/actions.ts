'use server';

import { listSettings, type SettingEdit, setSettings } from '#lib/management/settings.ts';
import { settingWords as words } from '#lib/messages/admin/settings.ts';
import { joinHosts } from '#lib/settings/known-hosts.ts';
import { settingKeys } from '#lib/settings/table.ts';
import { act, doneAt, textOf } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';
import { settingsAt, settingsTabs } from './tabs.ts';

/** The stored values of the settings the form has seen. */
async function seenSettings(): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await listSettings()).map(({ key, stored }) => [`seen.${key}`, stored]),
  );
}

export async function saveSettings(_: FormState, form: FormData): Promise<FormState> {
  const save = (text: string) => text.trim() || null;
  return change(form, (key) =>
    save(key === 'clientDocumentHosts' ? hostsIn(form) : textOf(form, key)),
  );
}

function hostsIn(form: FormData): string {
  const chosen = form.getAll('knownHosts').map(String);
  return joinHosts(
    chosen,
    textOf(form, 'clientDocumentHosts'),
    textOf(form, 'seen.clientDocumentHosts'),
  );
}

export async function resetSettings(_: FormState, form: FormData): Promise<FormState> {
  return change(form, () => null);
}

/** Saves the settings in the form, and comes back to its page. */
async function change(form: FormData, textFor: (key: string) => string | null): Promise<FormState> {
  const tab = settingsTabs.find((each) => each === textOf(form, 'tab')) ?? 'security';
  return act(
    'fresh-admin',
    form,
    async ({ actor, now }) => {
      const held = settingKeys.filter((key) => form.has(`seen.${key}`));
      const edits = held.map(
        (key): SettingEdit => ({ key, text: textFor(key), seen: textOf(form, `seen.${key}`) }),
      );
      return doneAt(settingsAt(tab), words.saved(await setSettings(edits, actor, now)));
    },
    seenSettings,
  );
}
