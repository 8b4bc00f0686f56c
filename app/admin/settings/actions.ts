'use server';

import { settingActs } from '#lib/management/setting/acts.ts';
import { listSettings } from '#lib/management/setting/settings.ts';
import { joinHosts } from '#lib/settings/known-hosts.ts';
import { settingKeys, settingTable } from '#lib/settings/table.ts';
import { doneAt, textOf } from '../act.ts';
import { doing } from '../doing.ts';
import { settingsAt, settingsTabs } from './tabs.ts';

/**
 * The stored values of the settings, under the names that the form uses for the values it showed.
 */
async function seenSettings(): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await listSettings()).map(({ key, stored }) => [`seen.${key}`, stored]),
  );
}

/** Saves the settings in the form and returns to its page. */
export const saveSettings = doing(
  settingActs.setAll,
  (form) => changesIn(form, (key) => textIn(form, key).trim() || null),
  saved,
  { seenNow: seenSettings },
);

export const resetSettings = doing(
  settingActs.setAll,
  (form) => changesIn(form, () => null),
  saved,
  { seenNow: seenSettings },
);

function changesIn(form: FormData, valueFor: (key: string) => string | null) {
  const held = settingKeys.filter((key) => form.has(`seen.${key}`));
  const changes = held.map((key) => ({
    name: settingTable[key].name,
    value: valueFor(key),
    seen: textOf(form, `seen.${key}`),
  }));
  return { changes };
}

function textIn(form: FormData, key: string): string {
  const text = textOf(form, key);
  if (key !== 'clientDocumentHosts') return text;
  const chosen = form.getAll('knownHosts').map(String);
  return joinHosts(chosen, text, textOf(form, `seen.${key}`));
}

async function saved({ changed }: { changed: number }, form: FormData): Promise<never> {
  const tab = settingsTabs.find((each) => each === textOf(form, 'tab')) ?? 'security';
  return doneAt(settingsAt(tab), 'settings.saved', { count: changed });
}
