import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { declarations, namesIn } from './support/declared.ts';

test.each(Object.entries(declarations))('no two files use a %s of the same name', (_, form) => {
  const names = namesIn(form);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('no key that is derived seals, too', () => {
  const sealing = new Set(namesIn(declarations.seal));
  expect(namesIn(declarations['derived key']).filter((name) => sealing.has(name))).toEqual([]);
});

test('tests ask only for process-wide values that the code makes', () => {
  const made = new Set(namesIn(declarations['process-wide value']));
  const asked = globSync('tests/**/*.ts', { cwd: resolve(import.meta.dirname, '..') }).flatMap(
    (file) => [
      ...readFileSync(file, 'utf8').matchAll(
        /\b(?:isMade|madeAs|putMade|forgetMade)\('([\w.-]+)'/g,
      ),
    ],
  );
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(([, name = '']) => !made.has(name))).toEqual([]);
});
