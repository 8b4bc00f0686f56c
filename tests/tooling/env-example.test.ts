import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { parseConfig } from '#lib/config.ts';
import { accountSettingKeys, accountSettingTable } from '#lib/identity/account-settings.ts';
import { settingKeys, settingTable } from '#lib/oauth/settings.ts';
import { root } from '#lib/tooling/stamp.mjs';

const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const example = parseEnv(read('.env.example').replace(/^# (?=[A-Z_]+=)/gm, ''));

test('.env.example names every variable the server reads', () => {
  const inConfig = [...read('lib/config.ts').matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name);
  const settings = [
    ...settingKeys.map((key) => settingTable[key].name),
    ...accountSettingKeys.map((key) => accountSettingTable[key].name),
  ];
  const wanted = [...inConfig, ...settings].filter((name) => name !== 'NODE_ENV');
  expect(Object.keys(example).sort()).toEqual(wanted.sort());
});

test('what it shows are the defaults', () => {
  const secret = { SERVER_SECRET: 'x'.repeat(32) };
  const { fixedSettings, fixedAccountSettings, ...shown } = parseConfig({ ...example, ...secret });
  const {
    fixedSettings: none,
    fixedAccountSettings: noneEither,
    ...defaults
  } = parseConfig(secret);
  expect(shown).toEqual(defaults);
  expect([none, noneEither]).toEqual([{}, {}]);
  for (const key of settingKeys) expect(fixedSettings[key], key).toBe(settingTable[key].interface);
  for (const key of accountSettingKeys) {
    const initial = accountSettingTable[key].default;
    expect(fixedAccountSettings[key] ?? initial, key).toEqual(initial);
  }
});
