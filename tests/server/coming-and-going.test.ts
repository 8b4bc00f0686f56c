import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ComingAndGoing } from '#lib/server/coming-and-going.ts';

test('ComingAndGoing lists what is present in the order in which it came', () => {
  const list = new ComingAndGoing<string>();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((each) => list.comes(each));
  if (!a || !b || !c || !d) throw new Error('Four have come.');
  list.goes(b);
  expect([...list]).toEqual(['a', 'c', 'd']);
  list.goes(a);
  list.goes(d);
  for (const gone of [a, b, d]) list.goes(gone);
  list.comes('e');
  expect([...list]).toEqual(['c', 'e']);
  list.goes(c);
  expect([...list]).toEqual(['e']);
});

test('ComingAndGoing: an entry may be removed while the list is iterated', () => {
  const list = new ComingAndGoing<number>();
  const places = [1, 2, 3].map((each) => list.comes(each));
  const seen: number[] = [];
  for (const each of list) {
    seen.push(each);
    const place = places[each - 1];
    if (place) list.goes(place);
  }
  expect([seen, [...list]]).toEqual([[1, 2, 3], []]);
});

test('ComingAndGoing: removed entries are collected with the young generation, however many were present', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: { type: 'major' | 'minor' }) => void;
  setFlagsFromString('--no-expose-gc');
  const list = new ComingAndGoing<object>();
  const there: ReturnType<typeof list.comes>[] = [];
  collect({ type: 'major' });
  const before = oldBytes();
  for (let turn = 0; turn < 40; turn += 1) {
    for (let each = 0; each < 1000; each += 1) {
      there.push(list.comes(new Array(200).fill(each)));
      const oldest = there.length > 32 ? there.shift() : undefined;
      if (oldest) list.goes(oldest);
    }
    collect({ type: 'minor' });
  }
  // With a Set it would be 60 MB, for everything that ever was in it.
  expect(oldBytes() - before).toBeLessThan(5_000_000);
});

/** The memory used outside the young generation. */
function oldBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => !space_name.startsWith('new'));
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}
