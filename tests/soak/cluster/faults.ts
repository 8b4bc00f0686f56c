import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from './machines.ts';
import { signalAll, turnCable } from './network.ts';

/** What a fault befalls: the primary, and the file that a server's clock follows. */
type Victim = { primary: Machine; clockFile: string };

/** What happens, and what takes it back. */
export type Fault = {
  name: string;
  /** Which count of the closing line it is one of. */
  counts: 'kills' | 'partitions' | 'pauses' | 'steps';
  /** Milliseconds within which writes have to be acknowledged again: of what lasts a while, from its end on. */
  within: number;
  /** It is taken back after so many milliseconds, whether or not somebody took over; else when writes are back. */
  lasts?: number;
  begin: (victim: Victim) => Promise<() => void>;
};

/** Where Patroni sees what happened. */
const seen = 10_000;
/**
 * Where nobody can tell it, Patroni waits until the primary has lost its rank: `ttl`, which is 20 seconds at
 * least. Where etcd loses its leader as well, the next one grants that time anew.
 */
const ttl = 2 * 20_000;

/** Everything of PostgreSQL on the primary, as it may end when memory runs out. */
const kill: Fault = {
  name: 'kill -9 of the primary',
  counts: 'kills',
  within: seen,
  begin: async ({ primary }) => {
    signalAll(primary.postgres(), 'SIGKILL');
    return () => {};
  },
};

/** The whole machine, with Patroni and etcd. */
const loss: Fault = {
  name: 'loss of the machine',
  counts: 'kills',
  within: ttl + seen,
  begin: async ({ primary }) => {
    await primary.lose();
    return () => primary.start();
  },
};

/** Nobody reaches the primary, and it reaches nobody. */
const partition: Fault = {
  name: 'partition from all',
  counts: 'partitions',
  within: ttl + seen,
  begin: async ({ primary: { number } }) => {
    for (const cable of ['front', 'back'] as const) turnCable(number, cable, 'down');
    return () => {
      for (const cable of ['front', 'back'] as const) turnCable(number, cable, 'up');
    };
  },
};

/** The servers reach a primary that has lost the others. */
const apart: Fault = {
  name: 'partition from the others',
  counts: 'partitions',
  within: ttl + seen,
  begin: async ({ primary: { number } }) => {
    turnCable(number, 'back', 'down');
    return () => turnCable(number, 'back', 'up');
  },
};

async function stopMachine({ primary }: Victim): Promise<() => void> {
  const stopped = primary.processes();
  signalAll(stopped, 'SIGSTOP');
  return () => signalAll(stopped, 'SIGCONT');
}

/** The machine hangs, until after somebody took over. */
const pauseOfMachine: Fault = {
  name: 'pause of the machine',
  counts: 'pauses',
  within: ttl + seen,
  begin: stopMachine,
};

/** It hangs, and goes on before anybody takes over. */
const hiccup: Fault = {
  name: 'pause of 8 seconds',
  counts: 'pauses',
  within: seen,
  lasts: 8000,
  begin: stopMachine,
};

/** The clock of one server is a minute off, then right again. */
const step = (by: number): Fault => ({
  name: `step of a clock by ${by / 1000} s`,
  counts: 'steps',
  within: seen,
  lasts: 5000,
  begin: async ({ clockFile }) => {
    writeFileSync(clockFile, String(-by));
    await pause(1000);
    return () => writeFileSync(clockFile, '0');
  },
});

/** How far a clock steps, in milliseconds. */
export const stepOf = 60_000;

/**
 * Of thirty faults twenty kill, four cut, four pause and two step a clock: five times all of them are 100, 20,
 * 20 and 10. The first six are three kills and one of each other sort.
 */
export const faults: readonly Fault[] = [
  ...[kill, apart, hiccup, kill, step(stepOf)],
  ...[kill, loss, kill, partition, kill],
  ...[kill, pauseOfMachine, kill, kill, kill],
  ...[kill, apart, pauseOfMachine, kill, step(-stepOf)],
  ...[kill, kill, loss, partition, kill],
  ...[kill, hiccup, kill, kill, kill],
];
