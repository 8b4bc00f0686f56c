import type { SettingArea } from '#lib/settings/table.ts';

/** The pages of the settings, in order. */
export const settingsTabs = [
  'general',
  'sign-in',
  'permissions',
  'new-apps',
  'look',
  'security',
  'api',
] as const;
export type SettingsTab = (typeof settingsTabs)[number];

/** The address of a page of the settings. */
export const settingsAt = (tab: SettingsTab) => `/admin/settings/${tab}` as const;

/** What stands on the page about security; the rest of the protocol's settings has none elsewhere. */
export const settingHref = (key: string) => `${settingsAt('security')}#${key}`;

/** The address of any setting. */
export function addressOf({ key, about }: { key: string; about: SettingArea }): string {
  if (about === 'protocol') return settingHref(key);
  if (about === 'registration') return `${settingsAt('new-apps')}#${key}`;
  return `${settingsAt(key.endsWith('RetentionDays') ? 'general' : 'sign-in')}#${key}`;
}
