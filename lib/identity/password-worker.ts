import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcryptjs';

export type PasswordJob = { id: number; input: string } & ({ cost: number } | { stored: string });
export type PasswordDone = { id: number; result: string | boolean };

parentPort?.on('message', (job: PasswordJob) => {
  const result =
    'cost' in job
      ? bcrypt.hashSync(job.input, job.cost)
      : bcrypt.compareSync(job.input, job.stored);
  parentPort?.postMessage({ id: job.id, result } satisfies PasswordDone);
});
