import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Crew } from '#lib/server/crew.ts';

type Behaviour = 'serves' | 'hangs' | 'fails' | 'lingers';

const forked: Worker[] = [];
/** Settles when each worker has become ready or has ended. */
const settled: Promise<unknown>[] = [];
let behaviour: (place: number) => Behaviour = () => 'serves';
afterEach(() => {
  for (const worker of forked.splice(0)) worker.process.kill('SIGKILL');
  settled.length = 0;
  behaviour = () => 'serves';
});

/** A crew whose workers do nothing but start and end. */
function crewOf(startsWithin = { renewing: 30_000, further: 30_000 }): Crew {
  const fork = (place: number) => {
    cluster.setupPrimary({ exec: 'tests/support/crew-worker.mjs', args: [], execArgv: [] });
    const worker = cluster.fork({ BEHAVES: behaviour(place) });
    forked.push(worker);
    settled.push(Promise.race([once(worker, 'message'), once(worker, 'exit')]));
    return worker;
  };
  return new Crew({ fork, leavesWithin: () => 5000, startsWithin });
}

test('a new worker that hangs at its start is ended, and the next renewal can begin', async () => {
  const crew = crewOf({ renewing: 2000, further: 30_000 });
  expect(await crew.start(1)).toBe(true);
  behaviour = () => 'hangs';
  expect(await crew.renew(1)).toEqual({ is: 'failed', renewed: [], kept: [1] });
  expect(forked.map((worker) => worker.isDead())).toEqual([false, true]);
  behaviour = () => 'serves';
  expect(await crew.renew(1)).toEqual({ is: 'over', renewed: [1], kept: [] });
  expect(await crew.stop('SIGTERM')).toBe(0);
});

test('the first renewed worker may take longer to start than the next ones, since it may migrate the database', async () => {
  const crew = crewOf({ renewing: 30_000, further: 1000 });
  await crew.start(2);
  behaviour = () => 'lingers';
  expect(await crew.renew(2)).toEqual({ is: 'failed', renewed: [1], kept: [2] });
  expect(await crew.stop('SIGTERM')).toBe(0);
});

describe('a worker that cannot start', () => {
  /** Passes the longest pause. A worker that had to be forked after it has been forked by then. */
  const passPauses = () => vi.advanceTimersByTimeAsync(30_000);
  const failsIn = (failing: number) => {
    behaviour = (place) => (place === failing ? 'fails' : 'serves');
  };

  /** A crew of this size, one worker of which fails and pauses before its next try. */
  async function startedBut(failing: number, size: number): Promise<Crew> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const crew = crewOf();
    failsIn(failing);
    expect(await crew.start(size)).toBe(true);
    await allSettled();
    behaviour = () => 'serves';
    return crew;
  }

  test('does not prevent the others from starting, and is tried again', async () => {
    const crew = await startedBut(2, 3);
    await passPauses();
    await allSettled();
    expect(crew.ready).toHaveLength(3);
    expect(forked).toHaveLength(4);
    expect(await crew.stop('SIGTERM')).toBe(0);
  });

  test('is not tried again once a renewal has replaced it', async () => {
    const crew = await startedBut(2, 2);
    expect(await crew.renew(2)).toEqual({ is: 'over', renewed: [1, 2], kept: [] });
    await passPauses();
    expect(forked).toHaveLength(4);
    expect(crew.ready).toEqual(forked.slice(2));
    expect(await crew.stop('SIGTERM')).toBe(0);
    expect(forked.every((worker) => worker.isDead())).toBe(true);
  });

  test('is not tried again once a renewal has fewer places', async () => {
    const crew = await startedBut(3, 3);
    expect(await crew.renew(2)).toEqual({ is: 'over', renewed: [1, 2], kept: [] });
    await passPauses();
    expect(crew.ready).toEqual(forked.slice(3));
    expect(await crew.stop('SIGTERM')).toBe(0);
  });

  test('is given up in a place that a renewal adds', async () => {
    const crew = await startedBut(0, 2);
    failsIn(3);
    expect(await crew.renew(4)).toEqual({ is: 'failed', renewed: [1, 2], kept: [] });
    behaviour = () => 'serves';
    await passPauses();
    expect(crew.ready).toEqual(forked.slice(2, 4));
    expect(forked).toHaveLength(5);
    expect(await crew.stop('SIGTERM')).toBe(0);
  });
});

test('a renewal of the workers ends one that is still starting', async () => {
  const crew = crewOf();
  behaviour = (place) => (place === 2 ? 'hangs' : 'serves');
  await crew.start(2);
  behaviour = () => 'serves';
  expect(await crew.renew(2)).toEqual({ is: 'over', renewed: [1, 2], kept: [] });
  expect(forked.map((worker) => worker.isDead())).toEqual([true, true, false, false]);
  expect(await crew.stop('SIGTERM')).toBe(0);
});

test('a failed renewal of the workers says which places are new', async () => {
  const crew = crewOf();
  await crew.start(3);
  behaviour = (place) => (place === 2 ? 'fails' : 'serves');
  expect(await crew.renew(3)).toEqual({ is: 'failed', renewed: [1], kept: [2, 3] });
  expect(await crew.stop('SIGTERM')).toBe(0);
});

test('a stop during a renewal of the workers waits for the worker that is leaving', async () => {
  const crew = crewOf();
  await crew.start(2);
  await allSettled();
  const old = forked[0] as Worker;
  const leaves = once(old, 'message');
  const renewal = crew.renew(2);
  expect((await leaves)[0]).toEqual({ is: 'leaves' });
  expect(await crew.stop('SIGTERM')).toBe(0);
  expect([old.isDead(), old.process.exitCode]).toEqual([true, 0]);
  expect(await renewal).toMatchObject({ is: 'stopped' });
  // No worker was started after the stop.
  expect(forked.every((worker) => worker.isDead())).toBe(true);
});

/** Waits until each forked worker has become ready or has ended, and the crew knows. */
async function allSettled(): Promise<void> {
  await Promise.all(settled);
  await new Promise(setImmediate);
}
