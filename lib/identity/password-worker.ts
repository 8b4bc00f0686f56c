import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcryptjs';

/**
 * Creates a hash of this cost, or compares with a stored one (null: with a dummy). A comparison
 * takes as long as one of `cost`, even if the stored hash is cheaper.
 */
export type PasswordWork =
  | { input: string; kind: 'hash'; cost: number }
  | { input: string; kind: 'compare'; stored: string | null; cost: number };
export type PasswordDone = { result: string | boolean };

parentPort?.on('message', (job: PasswordWork) => {
  const result =
    job.kind === 'hash'
      ? bcrypt.hashSync(job.input, job.cost)
      : compare(job.input, job.stored, job.cost);
  parentPort?.postMessage({ result } satisfies PasswordDone);
});

function compare(input: string, stored: string | null, cost: number): boolean {
  if (stored === null) {
    spend(input, cost);
    return false;
  }
  const same = bcrypt.compareSync(input, stored);
  // Each cost step doubles the work, so repeating it once per missing step adds up to the full
  // cost.
  for (let step = bcrypt.getRounds(stored); step < cost; step += 1) spend(input, step);
  return same;
}

function spend(input: string, cost: number): void {
  bcrypt.hashSync(input, `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(22)}`);
}
