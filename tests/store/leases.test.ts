import { afterEach, describe, expect, test, vi } from 'vitest';
import { write } from '#lib/store/engine/database.ts';
import { leaseTakenAt, takeLease, whileLeased } from '#lib/store/engine/leases.ts';
import { takeThrottledTry } from '#lib/store/throttles.ts';
import { onEachDatabase } from '../support/on-each-database.ts';

const life = 60_000;
const now = new Date();
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

onEachDatabase(() => {
  test('a lease belongs to one process until it ends, and its holder can renew it', async () => {
    expect(await takeLease('job', 'one', life, now)).toBe(true);
    expect(await takeLease('job', 'two', life, later(life - 1))).toBe(false);
    expect(await takeLease('job', 'one', life, later(life - 1))).toBe(true);
    expect(await takeLease('job', 'two', life, later(2 * life))).toBe(true);
  });

  test('a lease taken by a process whose clock was ahead is free once the clock is right', async () => {
    const ahead = later(40 * 24 * 3600_000);
    expect(await takeLease('ahead', 'one', life, ahead)).toBe(true);
    expect(await takeLease('ahead', 'two', life, now)).toBe(true);
    expect(await takeLease('ahead', 'one', life, now)).toBe(false);
  });

  test('a lease cannot be taken by a process whose clock is a little behind', async () => {
    expect(await takeLease('ahead a little', 'one', life, later(5000))).toBe(true);
    expect(await takeLease('ahead a little', 'two', life, now)).toBe(false);
  });

  describe('work under a lease', () => {
    afterEach(() => vi.useRealTimers());
    const takenBy = (holder: string, at: Date) => takeLease('work', holder, life, at);

    test('keeps the lease as long as the work takes, and for one lease time after it', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now });
      const { promise, resolve } = Promise.withResolvers<string>();
      const working = whileLeased('work', life, now, () => promise);
      await expect.poll(() => vi.getTimerCount()).toBe(1);
      for (let at = life / 3; at <= 3 * life; at += life / 3) {
        vi.advanceTimersByTime(life / 3);
        await expect.poll(() => leaseTakenAt('work', life)).toEqual(later(at));
      }
      expect(await takenBy('another', later(3 * life))).toBe(false);
      vi.setSystemTime(later(3 * life + life / 6));
      resolve('done');
      expect(await working).toBe('done');
      expect(await takenBy('another', later(4 * life))).toBe(false);
      expect(await whileLeased('work', life, later(4 * life), () => promise)).toBeNull();
      expect(await takenBy('another', later(5 * life))).toBe(true);
    });

    test('keeps the lease for one lease time after the work failed', async () => {
      const at = later(10 * life);
      const failing = whileLeased('work', life, at, () => Promise.reject(new Error('no disk')));
      await expect(failing).rejects.toThrow('no disk');
      expect(await whileLeased('work', life, later(11 * life - 1), async () => 'done')).toBeNull();
    });

    test('is aborted when another process holds the lease', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
      const untilLost = (lost: AbortSignal) =>
        new Promise((_, fail) => lost.addEventListener('abort', () => fail(lost.reason)));
      const working = whileLeased('work', life, later(20 * life), untilLost);
      working.catch(() => {});
      await expect.poll(() => vi.getTimerCount()).toBe(1);
      await write("UPDATE leases SET holder = 'another' WHERE name = 'work'", {});
      vi.advanceTimersByTime(life / 3);
      await expect(working).rejects.toThrow('Another process holds the lease of work by now.');
      expect(await takenBy('another', later(20 * life))).toBe(true);
    });
  });

  test('throttling that began by a clock that was ahead is over once the clock is right', async () => {
    const ahead = later(40 * 24 * 3600_000);
    for (let tries = 0; tries < 3; tries += 1) await takeThrottledTry('somebody', 2, ahead);
    expect(await takeThrottledTry('somebody', 2, ahead)).toBe('refused');
    expect(await takeThrottledTry('somebody', 2, now)).toBe('allowed');
  });
});
