import type { AccountSettings, SettingArea } from '#lib/settings/table.ts';

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

/** Cards of settings, on the pages `sign-in` and `general`. */
type SettingsCard = 'accounts' | 'sessions' | 'records';

/** On which card a setting about accounts stands. */
const cards: Readonly<Record<keyof AccountSettings, SettingsCard>> = {
  registration: 'accounts',
  registrationDomains: 'accounts',
  requireSecondFactor: 'accounts',
  rememberDevice: 'accounts',
  rememberDeviceOfAdmins: 'accounts',
  newDeviceMail: 'accounts',
  mailCode: 'accounts',
  proofOfWork: 'accounts',
  passkeyUpgrade: 'accounts',
  usernameChange: 'accounts',
  accountDeletion: 'accounts',
  auditRetentionDays: 'records',
  traceRetentionDays: 'records',
  sessionIdleTtl: 'sessions',
  sessionMaxTtl: 'sessions',
  adminSessionIdleTtl: 'sessions',
  adminSessionMaxTtl: 'sessions',
};
const cardOf = (key: string): SettingsCard | undefined =>
  Object.entries(cards).find(([each]) => each === key)?.[1];

/** Those of these settings that stand on a card. */
export const onCard = <Setting extends { key: string }>(
  settings: readonly Setting[],
  card: SettingsCard,
): Setting[] => settings.filter(({ key }) => cardOf(key) === card);

/** The address of any setting. */
export function addressOf({ key, about }: { key: string; about: SettingArea }): string {
  if (about === 'protocol') return settingHref(key);
  if (about === 'registration') return `${settingsAt('new-apps')}#${key}`;
  return `${settingsAt(cardOf(key) === 'records' ? 'general' : 'sign-in')}#${key}`;
}
