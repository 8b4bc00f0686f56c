import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { config } from '../../config.ts';

/** A write-ahead log of this size, in bytes, had a reader beside it; else it is checkpointed long before. */
const tooLong = 16 * 1024 * 1024;

/**
 * Cuts SQLite's write-ahead log where it has grown beside a long reader. Copying it back may take
 * seconds, so a thread of its own does it. While somebody still reads, nothing happens until the
 * next time.
 */
export async function cutWriteAheadLog(): Promise<void> {
  const { database, databaseUrl } = config();
  if (database !== 'sqlite') return;
  const path = databaseUrl.slice('file:'.length);
  const { size } = await stat(`${path}-wal`).catch(() => ({ size: 0 }));
  if (size <= tooLong) return;
  const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
    workerData: { path },
  });
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}
