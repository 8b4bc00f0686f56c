import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const table = readFileSync('tests/conformance.md', 'utf8');
const rows = table
  .split('\n')
  .filter((line) => /^\| (?!clause |-)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, clause = '', scenario = '', named = '']) => ({ clause, scenario, named }));

/** The titles in a test file: the first argument of each `describe` and `test`, in any form. */
function titlesOf(file: string): Set<string> {
  const source = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const calls = source.matchAll(
    /(?:(?:describe|test|alike|allAlike)(?:\.each)?|\))\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g,
  );
  return new Set(
    [...calls].map(([, single, double]) => (single ?? double ?? '').replaceAll('\\', '')),
  );
}

/** The part of a row's test that does not exist; null if all of it does. */
function missingFrom(named: string): string | null {
  const [file = '', ...titles] = named.split(' › ');
  const there = titlesOf(`tests/${file}`);
  if (there.size === 0 || titles.length === 0) return file;
  return titles.find((title) => !there.has(title)) ?? null;
}

test('each test that tests/conformance.md names exists', () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(({ named }) => missingFrom(named) !== null).map(({ named }) => named)).toEqual(
    [],
  );
});

test('a missing test or file in tests/conformance.md is found', () => {
  expect(missingFrom('openid/keys.test.ts › no such test')).toBe('no such test');
  expect(missingFrom('openid/no-such-file.test.ts › a test')).toBe('openid/no-such-file.test.ts');
  expect(missingFrom('openid/keys.test.ts')).toBe('openid/keys.test.ts');
});

test('tests/conformance.md has a table for each standard', () => {
  const standards = [
    '6749',
    '6750',
    '7523',
    '7591',
    '7636',
    '7009',
    '7662',
    '8252',
    '8414',
    '8693',
    '9126',
    '9207',
    '9449',
    '9470',
    '9700',
  ].map((number) => `RFC ${number}`);
  for (const standard of [...standards, 'OpenID Connect Core', 'Discovery', 'RP-Initiated Logout'])
    expect(table).toMatch(new RegExp(`^## .*${standard}`, 'm'));
});
