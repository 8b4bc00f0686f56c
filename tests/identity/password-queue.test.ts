import { expect, test } from 'vitest';
import {
  type Lane,
  laneLength,
  longFewest,
  longFor,
  longFrom,
  PasswordQueue,
  type Place,
} from '#lib/identity/password-queue.ts';

const now = 1_000_000_000;

function newQueue() {
  const out: string[] = [];
  const long: string[] = [];
  const queue = new PasswordQueue<string>(
    1,
    ({ job }) => out.push(job ?? 'not ready'),
    (lane) => long.push(lane),
  );
  const join = (job: string, key: string, lane: Lane = 'open', share = 1): Place<string> | null => {
    const place = queue.admit({ lane, counted: [{ key, share }] }, now);
    if (place) place.job = job;
    return place;
  };
  return { queue, join, out, long };
}
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

test('the password queue: an address that fills it gives way to others, last come first', () => {
  const { queue, join, out } = newQueue();
  times(laneLength, (index) => join(`flood ${index}`, 'one'));
  expect(join('flood again', 'one')).toBeNull();
  expect(join('honest', 'other')).not.toBeNull();
  expect(out).toEqual([`flood ${laneLength - 1}`]);
  expect([queue.next()?.job, queue.next()?.job]).toEqual(['flood 0', 'honest']);
});

test('the password queue: many addresses that fill it give way to a new one', () => {
  const { queue, join } = newQueue();
  for (const round of times(5, Number))
    for (const index of times(120, Number)) join(`flood ${round} ${index}`, `address ${index}`);
  queue.next();
  join('hammering', 'address 0');
  expect(join('honest', 'other')).not.toBeNull();
  expect(queue.next()?.job).not.toBe('hammering');
  const next = times(laneLength, () => queue.next()?.job);
  expect(next).toContain('honest');
});

test('the password queue: an address with many recent tries waits behind a new one', () => {
  const { queue, join } = newQueue();
  for (const index of times(20, Number)) {
    join(`flood ${index}`, 'one');
    queue.next();
  }
  join('flood', 'one');
  join('honest', 'other');
  expect(queue.next()?.job).toBe('honest');
});

test('the password queue: a known browser is served first or second, however many strangers wait', () => {
  const { queue, join } = newQueue();
  times(laneLength, (index) => join(`outsider ${index}`, `address ${index}`));
  expect(join('one more', 'another address')).toBeNull();
  expect(join('owner', 'device', 'known')).not.toBeNull();
  expect([queue.next()?.job, queue.next()?.job]).toContain('owner');
});

test('the password queue: a wide IPv6 network has more than one address, but a limit', () => {
  const { queue, join } = newQueue();
  const admit = (index: number) =>
    queue.admit(
      {
        lane: 'open',
        counted: [
          { key: '48', share: 9 },
          { key: `64 ${index}`, share: 1 },
        ],
      },
      now,
    );
  const places = times(laneLength, (index) => admit(index));
  expect(places.filter(Boolean)).toHaveLength(laneLength);
  expect(admit(laneLength)).toBeNull();
  expect(join('honest', 'other')).not.toBeNull();
});

test('the password queue: a held place is not served before it has work, and is free when given up', () => {
  const { queue } = newQueue();
  const source = { lane: 'open', counted: [] } as const;
  const held = times(laneLength, () => queue.admit(source, now));
  expect(queue.admit(source, now)).toBeNull();
  expect(queue.next()).toBeUndefined();
  if (held[0]) queue.leave(held[0]);
  expect(queue.admit(source, now)).not.toBeNull();
});

test('the password queue: failures from many addresses leave a share to new addresses', () => {
  const { queue, join } = newQueue();
  for (const index of times(2 * laneLength, Number))
    queue.noteFailure({ lane: 'open', counted: [{ key: `flood ${index}`, share: 1 }] }, now);
  for (const index of times(2 * laneLength, Number)) join(`flood ${index}`, `flood ${index}`);
  const honest = times(5, (index) => join(`honest ${index}`, `somebody ${index}`));
  expect(honest).not.toContain(null);
  const served = times(10, () => queue.next()?.job?.split(' ')[0]);
  expect(served.filter((who) => who === 'honest')).toHaveLength(5);
});

test('the password queue: a failure is forgotten after half an hour', () => {
  const { queue } = newQueue();
  const source = { lane: 'open' as const, counted: [{ key: 'one', share: 1 }] };
  const waitAt = (at: number) => queue.admit(source, at)?.wait;
  queue.noteFailure(source, now);
  expect(waitAt(now + 14 * 60_000)).toBe('open');
  expect(waitAt(now + 31 * 60_000)).toBe('fresh');
});

test('the password queue: an unknown browser that has done work is served third at the latest, however many have not', () => {
  const { queue, join } = newQueue();
  times(laneLength, (index) => join(`outsider ${index}`, `address ${index}`));
  queue.noteFailure({ lane: 'open', counted: [{ key: 'one', share: 1 }] }, now);
  times(laneLength, (index) => join(`late ${index}`, 'one'));
  times(5, () => queue.next());
  join('worker', 'another', 'worked');
  expect([queue.next()?.job, queue.next()?.job, queue.next()?.job]).toContain('worker');
});

test('the password queue is not long for a few browsers, however slow a hash was', () => {
  const { queue, join } = newQueue();
  const source = { lane: 'open', counted: [{ key: 'new', share: 1 }] } as const;
  queue.noteTime(30_000, now);
  times(longFewest - 1, (index) => join(`outsider ${index}`, `address ${index}`));
  expect(queue.isLong(source, now)).toBe(false);
  join('one more', 'another address');
  expect(queue.isLong(source, now)).toBe(true);
});

test('the password queue is long for a lane of unknown browsers that holds two seconds of hashes, and for a minute after', () => {
  const { queue, join, long } = newQueue();
  const at = (key: string, lane: Lane = 'open') => ({ lane, counted: [{ key, share: 1 }] });
  const most = longFrom / 100;
  queue.noteFailure(at('one'), now);
  times(2 * most, (index) => join(`owner ${index}`, `device ${index}`, 'known'));
  times(2 * most, (index) => join(`late ${index}`, 'one'));
  times(most - 1, (index) => join(`outsider ${index}`, `address ${index}`));
  expect(queue.isLong(at('one'), now), 'nothing was hashed yet').toBe(false);
  queue.noteTime(100, now);
  expect([queue.isLong(at('one'), now), queue.isLong(at('new'), now)]).toEqual([true, false]);
  join('one more', 'another address');
  expect(queue.isLong(at('new'), now)).toBe(true);
  times(6 * most, () => queue.next());
  expect(queue.isLong(at('new'), now + longFor - 1)).toBe(true);
  expect(queue.isLong(at('new'), now + longFor)).toBe(false);
  expect(queue.isLong(at('device 1', 'known'), now)).toBe(false);
  expect(long).toEqual(['open', 'fresh']);
});
