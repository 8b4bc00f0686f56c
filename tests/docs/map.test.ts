// The map in CONTRIBUTING.md, which helps newcomers find files.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const places = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^ {4}(\S+) {2,}\S/gm)].map(
  ([, place = '']) => place,
);

test('every room of lib has its line, and each line a file or a folder', () => {
  const rooms = globSync('lib/*/').map((room) => `${room.replace(/\/$/, '')}/`);
  expect(rooms.length).toBeGreaterThan(20);
  expect(rooms.filter((room) => !places.includes(room))).toEqual([]);
  expect(places.filter((place) => !existsSync(place))).toEqual([]);
});

test('they stand by name', () => {
  expect(places).toEqual(places.toSorted());
});
