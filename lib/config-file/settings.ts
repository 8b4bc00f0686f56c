import { config } from '../config.ts';
import { type SettingEdit, setSettings } from '../management/setting/settings.ts';
import { findSettingKey, type SettingKey, settingTable } from '../settings/table.ts';
import { storedSettings } from '../store/settings.ts';
import type { Run } from './run.ts';

/** Sets what the file says, and restores the default of settings that it no longer mentions. */
export async function applySettings(run: Run): Promise<void> {
  const stored = await storedSettings();
  const seen = (key: SettingKey) => (stored[key] === undefined ? '' : String(stored[key]));
  const edits: SettingEdit[] = [];
  for (const [name, value] of Object.entries(run.content.settings ?? {})) {
    const key = findSettingKey(name);
    if (key === null || value === undefined) continue;
    const text = Array.isArray(value) ? value.join(',') : String(value);
    edits.push({ key, text, seen: seen(key) });
    await run.keep({ kind: 'setting', key: name }, ['settings', name], name, seen(key) !== '');
  }
  for (const name of run.dropped('setting')) {
    const key = findSettingKey(name);
    const isFixed = key === null || config().fixedSettings[key] !== undefined;
    if (isFixed) run.letGo.push({ kind: 'setting', name });
    else edits.push({ key, text: null, seen: seen(key) });
    await run.letGoOf({ kind: 'setting', key: name });
  }
  await run.attempt(
    ['settings'],
    () => setSettings(edits, run.actor, run.now()),
    (field) => [settingTable[field as SettingKey]?.name ?? field],
  );
}
