import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from './machines.ts';
import { signalAll, turnCable } from './network.ts';

/** What a fault acts on: the primary, and the file that one server's clock follows. */
type Victim = { primary: Machine; clockFile: string };

/** A fault, and how it is undone. */
export type Fault = {
  name: string;
  /** The count in the closing line that it belongs to. */
  counts: 'kills' | 'partitions' | 'pauses' | 'steps';
  /**
   * Writes have to be acknowledged again within this many milliseconds; for a fault that `lasts`,
   * counted from its end.
   */
  within: number;
  /**
   * The fault is undone after this many milliseconds, whether or not another machine has taken
   * over. Without it, the fault is undone once writes work again.
   */
  lasts?: number;
  begin: (victim: Victim) => Promise<() => void>;
};

/** For faults that Patroni sees. */
const seen = 10_000;
/**
 * For faults that Patroni cannot see: it waits until the primary's lease has expired, which takes
 * `ttl`, at least 20 seconds. If etcd loses its leader too, the next one grants the same time
 * again.
 */
const ttl = 2 * 20_000;

/** Kills all processes of PostgreSQL on the primary, as can happen when memory runs out. */
const kill: Fault = {
  name: 'kill -9 of the primary',
  counts: 'kills',
  within: seen,
  begin: async ({ primary }) => {
    signalAll(primary.postgres(), 'SIGKILL');
    return () => {};
  },
};

/** Kills the whole machine, with Patroni and etcd. */
const loss: Fault = {
  name: 'loss of the machine',
  counts: 'kills',
  within: ttl + seen,
  begin: async ({ primary }) => {
    await primary.lose();
    return () => primary.start();
  },
};

/** No one reaches the primary, and it reaches no one. */
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

/** The servers still reach a primary that has lost the other machines. */
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

/** The machine hangs until another has taken over. */
const pauseOfMachine: Fault = {
  name: 'pause of the machine',
  counts: 'pauses',
  within: ttl + seen,
  begin: stopMachine,
};

/** The machine hangs, and continues before another takes over. */
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
 * Of thirty faults, twenty kill, four cut, four pause and two step a clock. Five rounds of all of
 * them make 100, 20, 20 and 10. The first six are three kills and one of each other kind.
 */
export const faults: readonly Fault[] = [
  kill,
  apart,
  hiccup,
  kill,
  step(stepOf),
  kill,
  loss,
  kill,
  partition,
  kill,
  kill,
  pauseOfMachine,
  kill,
  kill,
  kill,
  kill,
  apart,
  pauseOfMachine,
  kill,
  step(-stepOf),
  kill,
  kill,
  loss,
  partition,
  kill,
  kill,
  hiccup,
  kill,
  kill,
  kill,
];
