import { parentPort } from 'node:worker_threads';
import { makeArgon2 } from './hashes/argon2.ts';
import { makeBcrypt } from './hashes/bcrypt.ts';
import type { Work } from './hashes/hash.ts';
import { compare, readHash } from './hashes/table.ts';

/**
 * `hash`: makes a bcrypt hash of this cost, or an argon2id hash if null. `compare`: compares with a
 * stored hash (null: none) and does all of `works`, however much of it the hash itself takes.
 */
export type PasswordWork =
  | { input: string; kind: 'hash'; bcryptCost: number | null }
  | { input: string; kind: 'compare'; hash: string | null; works: Work[] };
export type PasswordDone = { result: string | boolean };

parentPort?.on('message', (job: PasswordWork) => {
  parentPort?.postMessage({ result: done(job) } satisfies PasswordDone);
});

function done(job: PasswordWork): string | boolean {
  const { input } = job;
  if (job.kind === 'compare')
    return compare(input, job.hash === null ? null : readHash(job.hash), job.works);
  return job.bcryptCost === null ? makeArgon2(input) : makeBcrypt(input, job.bcryptCost);
}
