import { expect, test } from 'vitest';
import { takeLease } from '#lib/store/engine/leases.ts';
import { takeThrottledTry } from '#lib/store/throttles.ts';
import { onEachDatabase } from '../support/on-each-database.ts';

const life = 60_000;
const now = new Date();
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

onEachDatabase(() => {
  test('a lease is one process’s until it ends, and the holder keeps it', async () => {
    expect(await takeLease('job', 'one', life, now)).toBe(true);
    expect(await takeLease('job', 'two', life, later(life - 1))).toBe(false);
    expect(await takeLease('job', 'one', life, later(life - 1))).toBe(true);
    expect(await takeLease('job', 'two', life, later(2 * life))).toBe(true);
  });

  test('a lease taken by a clock that was ahead is nobody’s when the clock is right again', async () => {
    const ahead = later(40 * 24 * 3600_000);
    expect(await takeLease('ahead', 'one', life, ahead)).toBe(true);
    expect(await takeLease('ahead', 'two', life, now)).toBe(true);
    expect(await takeLease('ahead', 'one', life, now)).toBe(false);
  });

  test('a pause in guessing that was begun by a clock that was ahead is over', async () => {
    const ahead = later(40 * 24 * 3600_000);
    for (let tries = 0; tries < 3; tries += 1) await takeThrottledTry('somebody', 2, ahead);
    expect(await takeThrottledTry('somebody', 2, ahead)).toBe('refused');
    expect(await takeThrottledTry('somebody', 2, now)).toBe('allowed');
  });
});
