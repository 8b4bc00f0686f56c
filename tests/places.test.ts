import { expect, test, vi } from 'vitest';
import { Places } from '#lib/places.ts';

test('Places allows as many at a time as it has, and hands a freed place to the next in order', async () => {
  const places = new Places();
  const went: string[] = [];
  const enter = async (name: string) => {
    expect(await places.enter({ most: 2 })).toBe(true);
    went.push(name);
  };
  await Promise.all([enter('a'), enter('b')]);
  const later = [enter('c'), enter('d')];
  places.leave();
  await later[0];
  expect(went).toEqual(['a', 'b', 'c']);
  places.leave();
  await later[1];
  for (const _ of [1, 2]) {
    expect(places.areFree).toBe(false);
    places.leave();
  }
  expect(places.areFree).toBe(true);
});

test('Places refuses when too many are waiting or the wait was too long', async () => {
  vi.useFakeTimers();
  try {
    const places = new Places();
    const terms = { most: 1, mostWaiting: 1, patience: 1000 };
    expect(await places.enter(terms)).toBe(true);
    const patient = places.enter(terms);
    expect(await places.enter(terms)).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(await patient).toBe(false);
    // The one who waited has given up, so the place becomes free instead of going to them.
    places.leave();
    expect(places.areFree).toBe(true);
    expect(await places.enter(terms)).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
