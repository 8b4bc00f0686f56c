type Work = (length: number) => unknown;

/** Milliseconds of this thread's processor: what else the machine does is not in them. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** What it costs, in milliseconds of the processor; the best of so many runs, since garbage is collected now and then. */
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
/** Linear work on 64 KB stays below it on any machine. */
const noticeable = 100;
/** No single piece of work on 64 KB may take so long. */
const unbearable = 2000;

/**
 * Whether work costs more than time linear in the length it is given: where it takes noticeably
 * long, four times the length may take eight times as long. It goes from 16 to 64 KB and stops at
 * the first length that says so.
 */
export async function growsFaster(work: Work): Promise<boolean> {
  for (const size of sizes) {
    const time = await cost(work, size, 1);
    if (time > unbearable) return true;
    if (time < noticeable) continue;
    const [small, large] = [await cost(work, size / 4, 3), await cost(work, size, 3)];
    if (large > noticeable && large > 8 * small) return true;
  }
  return false;
}
