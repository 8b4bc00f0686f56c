import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two checks. */
const every = 2000;
/** The share of the time between two checks that still counts as idle. */
const rest = 0.02;
/** Bytes. A server that answers a thousand requests a second needs more. */
const worthwhile = 8 * 1024 * 1024;
/**
 * Bytes of a heap that is quick to collect. In a larger heap the young generation is a small part.
 */
const soonCollected = 256 * 1024 * 1024;
/** The minimum number of milliseconds between two collections. */
const pause = 60_000;

/**
 * Does work that would slow down requests while this process is idle: first `once`, then giving
 * memory back. During a start or the loading of a page, V8's young generation grows to 32 MiB. V8
 * shrinks it only at its next collection, which never comes while there are no requests.
 */
export function whenAtRest(once: () => Promise<void>): void {
  let before = performance.eventLoopUtilization();
  let isFirst = true;
  let collected = Number.NEGATIVE_INFINITY;
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization < rest) {
      if (isFirst) void once();
      else if (isWorthwhile() && performance.now() - collected > pause) {
        giveBack();
        collected = performance.now();
      }
      isFirst = false;
    }
    before = performance.eventLoopUtilization();
  }, every).unref();
}

const isWorthwhile = () =>
  youngGeneration() > worthwhile && getHeapStatistics().total_heap_size < soonCollected;

/** Bytes of memory that the young generation occupies, used or not. */
export function youngGeneration(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find(({ space_name }) => space_name === 'new_space')?.physical_space_size ?? 0;
}

type Collect = (how: { type: 'major'; flavor: 'last-resort' }) => void;

/** Gives freed memory back to the system. Blocks this process for 50 to 100 ms. */
export function giveBack(): void {
  setFlagsFromString('--expose-gc');
  const collect: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
}
