// The map in CONTRIBUTING.md, which helps newcomers find files.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const places = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^ {4}(\S+) {2,}\S/gm)].map(
  ([, place = '']) => place,
);

test('the map in CONTRIBUTING.md has a line for every folder of lib, and no line without a file or folder', () => {
  const rooms = globSync('lib/*/').map((room) => `${room.replace(/\/$/, '')}/`);
  expect(rooms.length).toBeGreaterThan(20);
  expect(rooms.filter((room) => !places.includes(room))).toEqual([]);
  expect(places.filter((place) => !existsSync(place))).toEqual([]);
});

test('the map in CONTRIBUTING.md is sorted', () => {
  expect(places).toEqual(places.toSorted());
});
