import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { examineBreached, isBreached } from '#lib/identity/breached.ts';
import { newFolder } from '../support/database.ts';

const folder = newFolder('breached');
afterAll(() => rmSync(folder, { recursive: true }));

const hashOf = (password: string) =>
  createHash('sha1').update(password).digest('hex').toUpperCase();
const known = (count: number) => Array.from({ length: count }, (_, index) => `known ${index}`);
const linesOf = (passwords: readonly string[]) =>
  passwords.map((each, index) => `${hashOf(each)}:${10 ** (index % 9)}`).sort();

/** A file with these lines. */
function fileOf(name: string, lines: readonly string[], end = '\n'): string {
  const file = `${folder}/${name}.txt`;
  writeFileSync(file, lines.map((each) => each + end).join(''));
  return file;
}

describe.each([
  ['lines that end as on Unix', '\n'],
  ['lines that end as on Windows', '\r\n'],
])('a file of breached passwords with %s', (name, end) => {
  test.each([1, 2, 100, 5000])('of %i passwords: each is found, and no other', async (count) => {
    const passwords = known(count);
    const file = fileOf(`${name} ${count}`, linesOf(passwords), end);
    for (const each of passwords.slice(0, 500)) expect(await isBreached(file, each)).toBe(true);
    const sorted = linesOf(passwords).map((each) => each.slice(0, 40));
    const ends = passwords.filter((each) => [sorted[0], sorted.at(-1)].includes(hashOf(each)));
    for (const each of ends) expect(await isBreached(file, each)).toBe(true);
    for (let index = 0; index < 200; index += 1)
      expect(await isBreached(file, `unknown ${index}`)).toBe(false);
    expect((await examineBreached(file)).about).toBeGreaterThan(0);
  });
});

test('a file of breached passwords may lack the last line end', async () => {
  const lines = linesOf(known(3000));
  const file = `${folder}/open.txt`;
  writeFileSync(file, lines.join('\n'));
  const last = known(3000).find((each) => hashOf(each) === lines.at(-1)?.slice(0, 40)) ?? '';
  expect(await isBreached(file, last)).toBe(true);
  await examineBreached(file);
});

test('a breached password is compared as it was typed, in any script', async () => {
  const file = fileOf('scripts', linesOf(['Пароль один', 'passwörter']));
  expect(await isBreached(file, 'passwörter')).toBe(true);
  expect(await isBreached(file, 'Passwörter')).toBe(false);
  expect(await isBreached(file, 'Пароль один')).toBe(true);
});

test('an empty file of breached passwords has none, and doctor reports it', async () => {
  const file = fileOf('empty', []);
  expect(await isBreached(file, 'anything')).toBe(false);
  await expect(examineBreached(file)).rejects.toThrow('empty');
});

describe('an unusable file of breached passwords is refused', () => {
  const lines = linesOf(known(5000));
  test.each<[string, () => string]>([
    ['a file that is gone', () => `${folder}/gone.txt`],
    [
      'a folder',
      () => {
        mkdirSync(`${folder}/folder`, { recursive: true });
        return `${folder}/folder`;
      },
    ],
    ['text that is none of it', () => fileOf('prose', Array(3000).fill('Lorem ipsum dolor'))],
    ['one line without end', () => fileOf('zeros', ['0'.repeat(500_000)])],
    [
      'another hash',
      () =>
        fileOf(
          'ntlm',
          lines.map((each) => each.slice(8)),
        ),
    ],
  ])('%s', async (_, make) => {
    const file = make();
    await expect(isBreached(file, 'anything')).rejects.toThrow();
    await expect(examineBreached(file)).rejects.toThrow();
  });

  test('doctor finds a file that is not sorted', async () => {
    const file = fileOf('shuffled', [...lines].reverse());
    await expect(examineBreached(file)).rejects.toThrow('not in order');
  });
});
