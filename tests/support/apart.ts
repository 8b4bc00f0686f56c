import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { configNames } from '#lib/config.ts';
import { settingKeys, settingTable } from '#lib/settings/table.ts';

/** Every variable that changes what a server or a command does. */
const ourVariables = (): string[] => [
  ...configNames,
  ...settingKeys.map((key) => settingTable[key].name),
];

/** What a child needs of this process's environment to start, and stays apart as well. */
export const apart = () => {
  const { PATH, HOME, SETTINGS_DIR } = process.env;
  return { PATH, HOME, SETTINGS_DIR };
};

/**
 * Keeps the tests of this process and of its children apart from where they run: from the settings
 * in the environment, and from `.env` and the data of this checkout, which `npm start` makes.
 * @param folder where an empty folder for settings is made
 */
export function standApart(folder: string): void {
  for (const name of ourVariables()) delete process.env[name];
  process.env.SETTINGS_DIR = resolve(folder, 'settings');
  mkdirSync(process.env.SETTINGS_DIR, { recursive: true });
}
