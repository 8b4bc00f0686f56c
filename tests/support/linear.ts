type Work = (length: number) => unknown;

/**
 * The processor time of this thread in milliseconds, so that other load on the machine does not
 * count.
 */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * The cost in milliseconds of processor time. It is the best of several runs, because garbage
 * collection slows some of them.
 */
async function cost(work: Work, length: number, runs: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const start = processorTime();
    await work(length);
    best = Math.min(best, processorTime() - start);
  }
  return best;
}

const sizes = [16, 32, 64].map((kilobytes) => kilobytes * 1024);
/** Linear work on 64 KB takes less than this on any machine. */
const noticeable = 100;
/** No single piece of work on 64 KB may take this long. */
const unbearable = 2000;

/**
 * Whether the cost of the work grows faster than linearly with the length. Where it takes
 * noticeably long, four times the length may take eight times as long. Tries lengths from 16 to 64
 * KB and stops at the first one that shows it.
 */
export async function growsFaster(work: Work): Promise<boolean> {
  for (const size of sizes) {
    const time = await cost(work, size, 1);
    if (time > unbearable) return true;
    if (time < noticeable) continue;
    const small = await cost(work, size / 4, 3);
    const large = await cost(work, size, 3);
    if (large > noticeable && large > 8 * small) return true;
  }
  return false;
}
