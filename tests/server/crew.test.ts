import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { Crew } from '#lib/server/crew.ts';

type Behaviour = 'serves' | 'hangs' | 'fails';

const forked: Worker[] = [];
let behaviour: (place: number) => Behaviour = () => 'serves';
afterEach(() => {
  for (const worker of forked.splice(0)) worker.process.kill('SIGKILL');
  behaviour = () => 'serves';
});

/** A crew whose processes do nothing but come and go. */
function crewOf(startsWithin = 30_000): Crew {
  const fork = (place: number) => {
    cluster.setupPrimary({ exec: 'tests/support/crew-worker.mjs', args: [], execArgv: [] });
    const worker = cluster.fork({ BEHAVES: behaviour(place) });
    forked.push(worker);
    return worker;
  };
  return new Crew({ fork, leavesWithin: () => 5000, startsWithin });
}

test('a new worker that hangs at its start is ended, and the next renewal can begin', async () => {
  const crew = crewOf(2000);
  expect(await crew.start(1)).toBe(true);
  behaviour = () => 'hangs';
  expect(await crew.renew(1)).toEqual({ is: 'failed', renewed: [], kept: [1] });
  expect(forked.map((worker) => worker.isDead())).toEqual([false, true]);
  behaviour = () => 'serves';
  expect(await crew.renew(1)).toEqual({ is: 'over', renewed: [1], kept: [] });
  expect(await crew.stop('SIGTERM')).toBe(0);
});

test('a renewal that ends halfway says which places are new', async () => {
  const crew = crewOf();
  await crew.start(3);
  behaviour = (place) => (place === 2 ? 'fails' : 'serves');
  expect(await crew.renew(3)).toEqual({ is: 'failed', renewed: [1], kept: [2, 3] });
  expect(await crew.stop('SIGTERM')).toBe(0);
});

test('a stop during a renewal waits for the worker that leaves', async () => {
  const crew = crewOf();
  await crew.start(2);
  const old = forked[0] as Worker;
  const leaves = once(old, 'message');
  const renewal = crew.renew(2);
  expect((await leaves)[0]).toEqual({ is: 'leaves' });
  expect(await crew.stop('SIGTERM')).toBe(0);
  expect([old.isDead(), old.process.exitCode]).toEqual([true, 0]);
  expect(await renewal).toMatchObject({ is: 'stopped' });
  // Nobody was started after the stop.
  expect(forked.every((worker) => worker.isDead())).toBe(true);
});
