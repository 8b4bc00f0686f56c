import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { configNames, parseConfig } from '#lib/config.ts';
import { defaultSetting, settingKeys, settingTable } from '#lib/settings/table.ts';
import { root } from '#lib/tooling/stamp.mjs';

const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const example = parseEnv(read('.env.example').replace(/^# (?=[A-Z_]+=)/gm, ''));

test('.env.example names every variable the server reads', () => {
  const settings = settingKeys.map((key) => settingTable[key].name);
  const wanted = [...configNames, ...settings].filter((name) => name !== 'NODE_ENV');
  expect(Object.keys(example).sort()).toEqual(wanted.sort());
});

test('.env.example is short and has no Markdown links', () => {
  const text = read('.env.example');
  expect(text.split('\n').length).toBeLessThan(240);
  expect(text).not.toMatch(/\]\(/);
});

test('.env.example gives systemd and Docker, which read a line to its end, the same values', () => {
  const lines = read('.env.example').match(/(?<=^# )[A-Z_]+=.*$/gm) ?? [];
  const toTheEnd = lines.map((line) => [
    line.slice(0, line.indexOf('=')),
    line.slice(line.indexOf('=') + 1).trim(),
  ]);
  expect(Object.fromEntries(toTheEnd)).toEqual({ ...example });
});

test('.env.example shows the defaults', () => {
  const secret = { SERVER_SECRET: 'x'.repeat(32) };
  const { fixedSettings, ...shown } = parseConfig({ ...example, ...secret });
  const { fixedSettings: none, ...defaults } = parseConfig(secret);
  expect(shown).toEqual(defaults);
  expect(none).toEqual({});
  for (const key of settingKeys) {
    const initial = defaultSetting(key, 'interface');
    expect(fixedSettings[key] ?? initial, key).toEqual(initial);
  }
});
