import { config } from '../config.ts';
import {
  findSettingKey,
  parseSetting,
  resolveSettings,
  type SettingKey,
  type Settings,
  settingTable,
} from '../oauth/settings.ts';
import { once } from '../once.ts';
import { prisma } from './prisma.ts';
import { RevisionCache, raiseRevision, readRevision } from './revision.ts';

const cache = () => once('cache.settings', () => new RevisionCache<Settings>(1));

/** The settings in force at a revision. */
export function settingsAt(revision: number): Promise<Settings> {
  return cache().get('all', revision, loadSettings);
}

/** The settings in force now. */
export async function readSettings(): Promise<Settings> {
  return settingsAt(await readRevision());
}

async function loadSettings(): Promise<Settings> {
  const { profile, fixedSettings } = config();
  return resolveSettings(profile, fixedSettings, await storedSettings());
}

/** What an admin set, whether or not the environment overrules it. */
export async function storedSettings(): Promise<Partial<Settings>> {
  const stored: Record<string, boolean | number> = {};
  for (const { name, value } of await (await prisma()).setting.findMany()) {
    const key = findSettingKey(name);
    if (key && !settingTable[key].operatorOnly) stored[key] = parseSetting(key, value);
  }
  return stored as Partial<Settings>;
}

/**
 * Stores a setting, or with null goes back to the default.
 * @throws Error with a sentence when the environment or the operator alone decides it, or the value is none
 */
export async function storeSetting(key: SettingKey, text: string | null, now: Date): Promise<void> {
  const { name, operatorOnly } = settingTable[key];
  if (operatorOnly) throw new Error(`${name} is the operator's: set it in the environment and restart.`);
  if (config().fixedSettings[key] !== undefined) throw new Error(`${name} is fixed by the environment.`);
  const db = await prisma();
  if (text === null) {
    await db.setting.deleteMany({ where: { name } });
  } else {
    const value = String(parseSetting(key, text));
    await db.setting.upsert({ where: { name }, create: { name, value, updatedAt: now }, update: { value, updatedAt: now } });
  }
  await raiseRevision();
}
