import { expect, test } from 'vitest';
import { filesOf, readPassed, type SlowSuite, slowSuites, waiting } from '#lib/tooling/waiting.ts';

const suites: SlowSuite[] = ['a', 'b', 'c', 'd'].map((name) => ({ name, files: [] }));
const at = (day: number, seconds: number) => ({ at: `2026-11-0${day}T00:00:00.000Z`, seconds });

test('slow suites that never passed run first, then those that have waited longest, while there is time', () => {
  const passed = { a: at(3, 60), b: at(1, 600), c: at(2, 60) };
  const chosen = (seconds: number) =>
    waiting(suites, passed, seconds, true).map(({ name }) => name);
  expect(chosen(2000)).toEqual(['d', 'b', 'c', 'a']);
  // The longest does not fit, and does not keep the others waiting.
  expect(chosen(400)).toEqual(['d', 'c', 'a']);
  expect(chosen(100)).toEqual(['c']);
  expect(chosen(-5)).toEqual([]);
  // Where time is short, what never passed is not begun.
  const known = waiting(suites, passed, 2000, false).map(({ name }) => name);
  expect(known).toEqual(['b', 'c', 'a']);
});

test('each slow suite has a name of its own and files, and no other suite has passed', async () => {
  const known = await slowSuites();
  const names = known.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const suite of known) expect(filesOf(suite), suite.name).not.toEqual([]);
  expect(names).toEqual(expect.arrayContaining(Object.keys(readPassed())));
});
