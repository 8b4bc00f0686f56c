import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { config } from '../../config.ts';

/**
 * Only a long reader lets the write-ahead log grow to this size, in bytes: without one it is
 * checkpointed long before.
 */
const tooLong = 16 * 1024 * 1024;

/**
 * Truncates SQLite's write-ahead log after it has grown beside a long reader. Copying it back can
 * take seconds, so a separate thread does it. While a reader is still active, nothing happens until
 * the next time.
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
