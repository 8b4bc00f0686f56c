import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingTable } from '#lib/settings/table.ts';

const catalogue = JSON.parse(
  readFileSync('lib/messages/catalogues/en/refusals.json', 'utf8'),
) as Record<string, string>;

const text = String.raw`'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"`;
const call = new RegExp(String.raw`\bwording\(\s*'([\w.]+)',\s*(?:${text})`, 'g');

/** The wordings in the rooms of the rules: the key, and the English beside it. */
const wordings = globSync(['lib/oauth/**/*.ts', 'lib/settings/**/*.ts', 'lib/store/**/*.ts'])
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(call)])
  .map(([, key = '', single, double]) => [key, single ?? double ?? ''] as const);

test('the English wordings in the rules are the same as in the catalogue', () => {
  expect(wordings.length).toBeGreaterThan(30);
  for (const [key, english] of wordings) expect.soft(catalogue[key], key).toBe(english);
});

test('each call of wording() is found', () => {
  const calls = globSync(['lib/**/*.ts', 'app/**/*.{ts,tsx}'])
    .filter((file) => file !== 'lib/oauth/wording.ts')
    .flatMap((file) => readFileSync(file, 'utf8').match(/\bwording\(/g) ?? []);
  expect(calls).toHaveLength(wordings.length);
});

test('the wording of what a setting takes is in the catalogue, without placeholders', () => {
  for (const { takes, name } of Object.values(settingTable)) {
    expect.soft(catalogue, name).toHaveProperty([takes.key]);
    expect.soft(takes.english, name).not.toMatch(/[{}]/);
  }
});
