import type { AccountSettings, SettingArea } from '#lib/settings/table.ts';

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

export const settingsAt = (tab: SettingsTab) => `/admin/settings/${tab}` as const;

/** The address of a setting on the security page, which has the protocol settings. */
export const settingHref = (key: string) => `${settingsAt('security')}#${key}`;

/** The cards with settings on the pages `sign-in` and `general`. */
type SettingsCard = 'accounts' | 'sessions' | 'unused' | 'records';

const cards: Readonly<Record<keyof AccountSettings, SettingsCard>> = {
  registration: 'accounts',
  registrationDomains: 'accounts',
  webfingerDomains: 'accounts',
  requireSecondFactor: 'accounts',
  rememberDevice: 'accounts',
  rememberDeviceOfAdmins: 'accounts',
  newDeviceMail: 'accounts',
  mailCode: 'accounts',
  proofOfWork: 'accounts',
  passkeyUpgrade: 'accounts',
  usernameChange: 'accounts',
  appPasswords: 'accounts',
  accountDeletion: 'accounts',
  unusedDays: 'unused',
  unusedNoticeDays: 'unused',
  unusedExceptGroups: 'unused',
  unusedShare: 'unused',
  auditRetentionDays: 'records',
  deletedRetentionDays: 'records',
  traceRetentionDays: 'records',
  sessionIdleTtl: 'sessions',
  sessionMaxTtl: 'sessions',
  adminSessionIdleTtl: 'sessions',
  adminSessionMaxTtl: 'sessions',
};
const cardOf = (key: string): SettingsCard | undefined =>
  Object.entries(cards).find(([each]) => each === key)?.[1];

export const onCard = <Setting extends { key: string }>(
  settings: readonly Setting[],
  card: SettingsCard,
): Setting[] => settings.filter(({ key }) => cardOf(key) === card);

export function addressOf({ key, about }: { key: string; about: SettingArea }): string {
  if (about === 'protocol') return settingHref(key);
  if (about === 'registration') return `${settingsAt('new-apps')}#${key}`;
  return `${settingsAt(cardOf(key) === 'records' ? 'general' : 'sign-in')}#${key}`;
}
