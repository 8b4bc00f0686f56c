import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two looks. */
const every = 2000;
/** The share of a look's time in which this process may have worked and was still at rest. */
const rest = 0.02;
/** Bytes that the young generation may keep. A server that answers a thousand requests a second has more, and needs it. */
const worthwhile = 8 * 1024 * 1024;
/** Bytes of a heap that is collected in a moment. In a larger one the young generation is a small part. */
const soonCollected = 256 * 1024 * 1024;
/** Milliseconds between two collections. */
const pause = 60_000;

/**
 * Does what costs nobody time while this process is at rest: first `once`, then V8 gives memory back. A start, or a page
 * that is loaded, lets its young generation grow to 32 MiB. V8 shrinks it at its next collection, and where nobody asks
 * for anything none comes.
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

/** Bytes of memory that the young generation holds, used or not. */
export function youngGeneration(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find(({ space_name }) => space_name === 'new_space')?.physical_space_size ?? 0;
}

type Collect = (how: { type: 'major'; flavor: 'last-resort' }) => void;

/** Collects everything, and gives back what is free then. Nothing else happens meanwhile, for 50 to 100 ms. */
export function giveBack(): void {
  setFlagsFromString('--expose-gc');
  const collect: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
}
