import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { askedOfDatabase, decidedByDatabase, decidedByMount, filesOf } from './lanes.ts';
import { isAmong, ofRestored, ofStatements, slowSuites } from './slow-suites.ts';

describe('every path in a list of tests matches a file', () => {
  const places = [
    ...filesOf([...decidedByMount, ...decidedByDatabase, ...askedOfDatabase]),
    ...slowSuites.flatMap(({ files }) => files),
  ];
  test.each(places)('%s', (place) => {
    expect(globSync(place)).not.toEqual([]);
  });
});

test('what slow suites concern exists', () => {
  const all = [...slowSuites.flatMap(({ concerns }) => concerns), ...ofRestored, ...ofStatements];
  const gone = [...new Set(all)].filter(
    (place) => globSync(`${place.replace('!', '')}*`).length === 0,
  );
  expect(gone).toEqual([]);
});

test('a slow suite runs when one of its own files changes', () => {
  for (const { files, concerns } of slowSuites)
    for (const file of files.flatMap((place) => globSync(place)))
      expect(isAmong(file, concerns), `${file} and ${concerns}`).toBe(true);
});

test('a suite is not concerned by what is excepted, nor by what it does not name', () => {
  const places = ['app/', '!app/admin/', 'lib/jobs.ts'];
  const files = [
    'app/page.tsx',
    'app/admin/page.tsx',
    'lib/jobs.ts',
    'lib/once.ts',
    'package-lock.json',
  ];
  expect(files.filter((file) => isAmong(file, places))).toEqual([
    'app/page.tsx',
    'lib/jobs.ts',
    'package-lock.json',
  ]);
});
