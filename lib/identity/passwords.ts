import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { config } from '../config.ts';
import { once } from '../once.ts';
import { findDearestPassword } from '../store/users.ts';
import { PasswordQueue, type Source } from './password-queue.ts';
import type { PasswordDone, PasswordWork } from './password-worker.ts';

/** The hashing queue is full: the caller answers 503. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy';
}

export const passwordLimits = { min: 8, max: 1024 } as const;

/** The same as values of a message. */
export const passwordLengths = { min: String(passwordLimits.min), max: String(passwordLimits.max) };

/** Names the scheme of a stored password, so that a later one can be told apart. */
const version = 'v1:';

/** bcrypt reads 72 bytes at most; hashing first lets every character of a long passphrase count. */
function prepare(password: string): string {
  return createHash('sha256').update(password.normalize('NFC')).digest('base64');
}

/** The form in which a password is stored. @throws PasswordsBusy */
export async function hashPassword(password: string): Promise<string> {
  const work = { kind: 'hash', input: prepare(password), cost: config().bcryptCost } as const;
  return version + (await takePlace(ownSource).run(work));
}

/** Somebody who has shown who they are in another way than by this password, or the command line. */
const ownSource: Source = { lane: 'own', counted: [] };

/**
 * Whether a password is the stored one. Null (nobody, or somebody without a password) costs as
 * much as a comparison and is false; so does a stored one that was made when passwords cost less.
 * @throws PasswordsBusy
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  place: PasswordPlace = takePlace(ownSource),
): Promise<boolean> {
  try {
    const known = stored?.startsWith(version) ?? false;
    const tooLong = password.length > passwordLimits.max;
    const same = await place.run({
      kind: 'compare',
      input: tooLong ? '' : prepare(password),
      stored: known ? (stored ?? '').slice(version.length) : null,
      cost: Math.max(config().bcryptCost, costOf(await findDearestPassword()) ?? 0),
    });
    return same === true && known && !tooLong;
  } finally {
    place.leave();
  }
}

/** Whether the stored password was made with another cost than the one in force. */
export function needsRehash(stored: string): boolean {
  const cost = costOf(stored);
  return cost !== null && cost !== config().bcryptCost;
}

function costOf(stored: string | null): number | null {
  const cost = /^v1:\$2[aby]\$(\d\d)\$/.exec(stored ?? '')?.[1];
  return cost === undefined ? null : Number(cost);
}

/** A place in the queue of the threads that hash. */
export type PasswordPlace = {
  /** Waits for its turn and does the work. @throws PasswordsBusy when somebody else got the place */
  run(work: PasswordWork): Promise<string | boolean>;
  /** Gives the place up; after `run` it does nothing. */
  leave(): void;
};

/** Takes a place before a try is counted, so that one that nobody has time for leaves no trace. @throws PasswordsBusy */
export function takePlace(source: Source): PasswordPlace {
  return pool().takePlace(source);
}

type Waiting = { resolve: (result: string | boolean) => void; reject: (error: Error) => void };
type Job = Waiting & { work: PasswordWork };

function busy(): PasswordsBusy {
  return new PasswordsBusy('Too many passwords are being checked.');
}

/** Threads that hash, so that the event loop never does. Each has one job at a time: who is next is decided when it is free. */
class PasswordPool {
  readonly #threads = Array.from(
    { length: Math.max(1, availableParallelism() - 1) },
    () => new Thread(() => this.#go()),
  );
  readonly #queue = new PasswordQueue<Job>(({ job }) => job?.reject(busy()));

  takePlace(source: Source): PasswordPlace {
    const place = this.#queue.admit(source, Date.now());
    if (!place) throw busy();
    return {
      run: (work) =>
        new Promise((resolve, reject) => {
          if (place.pushedOut) return reject(busy());
          place.job = { work, resolve, reject };
          this.#go();
        }),
      leave: () => this.#queue.leave(place),
    };
  }

  #go(): void {
    for (const thread of this.#threads) {
      const job = thread.isFree ? this.#queue.next()?.job : undefined;
      if (job) thread.start(job);
    }
  }
}

/** One thread, started when it is first needed. */
class Thread {
  readonly #freed: () => void;
  #worker: Worker | undefined;
  #job: Job | undefined;

  /** @param freed is told when the thread can take another job */
  constructor(freed: () => void) {
    this.#freed = freed;
  }

  get isFree(): boolean {
    return this.#job === undefined;
  }

  start(job: Job): void {
    this.#job = job;
    this.#worker ??= this.#open();
    // A process (the command line) must not end while a result is on its way.
    this.#worker.ref();
    this.#worker.postMessage(job.work);
  }

  #open(): Worker {
    const worker = new Worker(new URL('./password-worker.ts', import.meta.url));
    worker.on('message', ({ result }: PasswordDone) => this.#end((job) => job.resolve(result)));
    worker.on('error', (error) => {
      this.#worker = undefined;
      this.#end((job) => job.reject(error as Error));
    });
    return worker;
  }

  #end(tell: (job: Job) => void): void {
    const job = this.#job;
    this.#job = undefined;
    this.#worker?.unref();
    if (job) tell(job);
    this.#freed();
  }
}

function pool(): PasswordPool {
  return once('passwords', () => new PasswordPool());
}
