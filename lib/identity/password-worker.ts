import { parentPort } from 'node:worker_threads';
import { makeArgon2 } from './hashes/argon2.ts';
import { makeBcrypt } from './hashes/bcrypt.ts';
import type { Work } from './hashes/hash.ts';
import { compare, readHash, timeWork } from './hashes/table.ts';

/**
 * `hash`: makes a bcrypt hash of this cost, or an argon2id hash if null. `compare`: compares with a
 * stored hash (null: none) and does all of `works`, however much of it the hash itself takes.
 * `time`: tries work once, and returns its milliseconds, or null if its primitive refuses it.
 */
export type PasswordWork =
  | { input: string; kind: 'hash'; bcryptCost: number | null }
  | { input: string; kind: 'compare'; hash: string | null; works: Work[] }
  | { kind: 'time'; work: Work };
type Result = string | boolean | number | null;
/** `refused`: kinds of work that their primitives refused, with the reasons. */
export type PasswordDone = { result: Result; refused: Record<string, string> };

parentPort?.on('message', (job: PasswordWork) => {
  const refused: PasswordDone['refused'] = {};
  const result = done(job, refused);
  parentPort?.postMessage({ result, refused } satisfies PasswordDone);
});

function done(job: PasswordWork, refused: PasswordDone['refused']): Result {
  if (job.kind === 'time') return timeWork(job.work);
  const { input } = job;
  if (job.kind === 'hash')
    return job.bcryptCost === null ? makeArgon2(input) : makeBcrypt(input, job.bcryptCost);
  const hash = job.hash === null ? null : readHash(job.hash);
  return compare(input, hash, job.works, (kind, error) => {
    refused[kind] = String(error);
  });
}
