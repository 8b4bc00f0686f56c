import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { config } from '../config.ts';
import { once } from '../once.ts';
import type { PasswordDone, PasswordJob } from './password-worker.ts';

/** The hashing queue is full: the caller answers 503. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy';
}

export const passwordLimits = { min: 8, max: 1024 } as const;

/** The same as values of a message. */
export const passwordLengths = { min: String(passwordLimits.min), max: String(passwordLimits.max) };

/** Names the scheme of a stored password, so that a later one can be told apart. */
const version = 'v1:';
const maxWaiting = 64;

/** bcrypt reads 72 bytes at most; hashing first lets every character of a long passphrase count. */
function prepare(password: string): string {
  return createHash('sha256').update(password.normalize('NFC')).digest('base64');
}

/** The form in which a password is stored. @throws PasswordsBusy */
export async function hashPassword(password: string): Promise<string> {
  return version + (await pool().run({ input: prepare(password), cost: config().bcryptCost }));
}

/**
 * Whether a password is the stored one. Null (nobody, or somebody without a password) costs as
 * much as a comparison and is false.
 * @throws PasswordsBusy
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const known = stored?.startsWith(version) ?? false;
  const compareWith = known ? (stored ?? '').slice(version.length) : await dummyHash();
  const tooLong = password.length > passwordLimits.max;
  const same = await pool().run({ input: tooLong ? '' : prepare(password), stored: compareWith });
  return same === true && known && !tooLong;
}

/** Whether the stored password was made with another cost than the one in force. */
export function needsRehash(stored: string): boolean {
  const cost = /^v1:\$2[aby]\$(\d\d)\$/.exec(stored)?.[1];
  return cost !== undefined && Number(cost) !== config().bcryptCost;
}

function dummyHash(): Promise<string> {
  return once(
    'dummy-hash',
    () => pool().run({ input: prepare(''), cost: config().bcryptCost }) as Promise<string>,
  );
}

type Job = { input: string } & ({ cost: number } | { stored: string });
type Waiting = { resolve: (result: string | boolean) => void; reject: (error: Error) => void };

/** Threads that hash, so that the event loop never does. */
class PasswordPool {
  readonly #workers: (Worker | undefined)[] = [];
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  run(job: Job): Promise<string | boolean> {
    if (this.#waiting.size >= maxWaiting)
      return Promise.reject(new PasswordsBusy('Too many passwords are being checked.'));
    this.#next += 1;
    const id = this.#next;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const worker = this.#worker(id);
      // A process (the command line) must not end while a result is on its way.
      worker.ref();
      worker.postMessage({ id, ...job } satisfies PasswordJob);
    });
  }

  /** One thread per core but one, at least one, each started when first needed. */
  #worker(id: number): Worker {
    const size = Math.max(1, availableParallelism() - 1);
    const index = id % size;
    const worker = this.#workers[index] ?? this.#start(index);
    this.#workers[index] = worker;
    return worker;
  }

  #start(index: number): Worker {
    const worker = new Worker(new URL('./password-worker.ts', import.meta.url));
    worker.unref();
    worker.on('message', ({ id, result }: PasswordDone) => {
      this.#waiting.get(id)?.resolve(result);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) for (const idle of this.#workers) idle?.unref();
    });
    worker.on('error', (error) => {
      this.#workers[index] = undefined;
      for (const waiting of this.#waiting.values()) waiting.reject(error as Error);
      this.#waiting.clear();
    });
    return worker;
  }
}

function pool(): PasswordPool {
  return once('passwords', () => new PasswordPool());
}
