import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { askedOfDatabase, decidedByDatabase, decidedByMount, filesOf } from './lanes.ts';
import { slowSuites } from './slow-suites.ts';

describe('every path in a list of tests matches a file', () => {
  const places = [
    ...filesOf([...decidedByMount, ...decidedByDatabase, ...askedOfDatabase]),
    ...slowSuites.flatMap(({ files }) => files),
  ];
  test.each(places)('%s', (place) => {
    expect(globSync(place)).not.toEqual([]);
  });
});

test('a slow suite runs when one of its own files changes', () => {
  for (const { files, concern } of slowSuites)
    for (const file of files.flatMap((place) => globSync(place)))
      expect(concern.test(file), `${file} and ${concern}`).toBe(true);
});
