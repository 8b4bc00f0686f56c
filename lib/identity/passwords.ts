import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { config } from '../config.ts';
import { networksOf, type Sender } from '../http/network.ts';
import { once } from '../once.ts';
import { waitsFor } from '../store/engine/transaction.ts';
import { findDearestPassword, findKindsOfPasswords } from '../store/password-kinds.ts';
import { log } from '../telemetry/log.ts';
import { metrics } from '../telemetry/metrics.ts';
import { ownArgon2Work } from './hashes/argon2.ts';
import { foldBlanks, type Work } from './hashes/hash.ts';
import { dearest, hashTextOf, isOwn, storedForm, workIn } from './hashes/stored.ts';
import { PasswordQueue, type Source } from './password-queue.ts';
import type { PasswordDone, PasswordWork } from './password-worker.ts';

/** The hashing queue is full; the caller answers 503. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy';
}

export const passwordLimits = { min: 8, max: 1024 } as const;

/** The same limits, as message values. */
export const passwordLengths = { min: String(passwordLimits.min), max: String(passwordLimits.max) };

/** Hashes a password for storage, with its blanks folded. @throws PasswordsBusy */
export async function hashPassword(password: string): Promise<string> {
  const { passwordHash, bcryptCost } = config();
  const chosen = passwordHash === 'bcrypt' ? bcryptCost : null;
  const place = reservePasswordCheck(ownSource);
  const made = await place.run({
    kind: 'hash',
    input: foldBlanks(password),
    bcryptCost: chosen,
  });
  return storedForm(String(made));
}

/** A user already authenticated by other means, or the command line. */
const ownSource: Source = { lane: 'own', counted: [] };

/**
 * Verifies a password. For every user, a check does all the work that any stored password takes:
 * for each kind of work, that of the most expensive hash. So timing reveals neither who has an
 * account nor whose password was imported. A null hash (unknown user, or no password) gives false.
 * @throws PasswordsBusy
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  place: PasswordPlace = reservePasswordCheck(ownSource),
): Promise<boolean> {
  try {
    const tooLong = password.length > passwordLimits.max;
    const same = await place.run({
      kind: 'compare',
      input: tooLong ? '' : password,
      hash: stored === null ? null : hashTextOf(stored),
      works: await everybodysWork(),
    });
    return same === true && !tooLong;
  } finally {
    place.leave();
  }
}

/**
 * The work that every password check does: for each kind, the most expensive among the hashes made
 * now and all stored ones; with `more`, as if hashes of that work were stored too.
 */
export async function everybodysWork(more: readonly Work[] = []): Promise<Work[]> {
  const [own, others] = await Promise.all([findDearestPassword(), findKindsOfPasswords()]);
  return dearest([ownWork(), ...[own ?? '', ...others].map(workIn), ...more]);
}

/**
 * Tries each work once, in the hashing thread. Returns the milliseconds that each takes on this
 * machine; null if its primitive refuses it, so no hash of that kind can ever be checked.
 * @throws PasswordsBusy
 */
export async function timeWorks(works: readonly Work[]): Promise<(number | null)[]> {
  const times = once('password-times', () => new Map<string, number>());
  const timed: (number | null)[] = [];
  for (const work of works) {
    const key = `${work.kind} ${work.amount}`;
    const known = times.get(key);
    const time = known ?? (await reservePasswordCheck(ownSource).run({ kind: 'time', work }));
    timed.push(typeof time === 'number' ? time : null);
    if (times.size >= mostTimes) times.clear();
    if (typeof time === 'number') times.set(key, time);
  }
  return timed;
}

/** The maximum number of times that are remembered. */
const mostTimes = 200;

function ownWork(): Work {
  const { passwordHash, bcryptCost } = config();
  return passwordHash === 'bcrypt' ? { kind: 'bcrypt', amount: 2 ** bcryptCost } : ownArgon2Work;
}

/**
 * Whether the stored hash of this password may be other than one made now: by its scheme, its cost,
 * or because blanks were not folded.
 */
export function needsRehash(stored: string, password: string): boolean {
  const work = workIn(stored);
  const { kind, amount } = ownWork();
  if (foldBlanks(password) !== password) return true;
  return !isOwn(stored) || work?.kind !== kind || work.amount !== amount;
}

/** A place in the queue for the hashing threads. */
export type PasswordPlace = {
  /**
   * Waits for its turn and does the work. @throws PasswordsBusy when another request took the place
   */
  run(work: PasswordWork): Promise<PasswordDone['result']>;
  /** The password was wrong: from now on its address waits with those that failed. */
  noteFailure(): void;
  /** Releases the place; a no-op after `run`. */
  leave(): void;
};

/**
 * Reserves a place before the attempt is counted, so an attempt that can't be served isn't counted.
 * @throws PasswordsBusy
 */
export function reservePasswordCheck(source: Source): PasswordPlace {
  return pool().reservePasswordCheck(source);
}

/**
 * Whether so many passwords wait in this process, in the lane of an unknown browser at this
 * address, that it has to do work before its password is checked.
 */
export const isQueueLong = (sender: Sender, now: Date): boolean =>
  pool().isLong(unknownAt(sender), now.getTime());

/** The source of an unknown browser that has done no work. */
export function unknownAt(sender: Sender): Source {
  const counted = networksOf(sender).map(({ network, share }) => ({ key: network, share }));
  return { lane: 'open', counted };
}

type Waiting = {
  resolve: (result: PasswordDone['result']) => void;
  reject: (error: Error) => void;
};
type Job = Waiting & { work: PasswordWork };

function busy(): PasswordsBusy {
  return new PasswordsBusy('Too many passwords are being checked at once.');
}

/**
 * Hashing threads, so the event loop never hashes. Each takes one job at a time; the next is chosen
 * when one is free.
 */
class PasswordPool {
  readonly #threads = Array.from(
    { length: Math.max(1, Math.floor((availableParallelism() - 1) / config().workers)) },
    () =>
      new Thread((took) => {
        this.#queue.noteTime(took, Date.now());
        this.#go();
      }),
  );
  readonly #queue = new PasswordQueue<Job>(
    this.#threads.length,
    ({ job }) => job?.reject(busy()),
    (lane) =>
      log().warn({ lane }, 'many passwords wait: unknown browsers need a proof of work now'),
  );

  isLong(source: Source, now: number): boolean {
    return this.#queue.isLong(source, now);
  }

  reservePasswordCheck(source: Source): PasswordPlace {
    const place = this.#queue.admit(source, Date.now());
    this.#measure();
    if (!place) throw busy();
    return {
      run: (work) =>
        new Promise((resolve, reject) => {
          waitsFor('a password hash');
          if (place.pushedOut) return reject(busy());
          place.job = { work, resolve, reject };
          this.#go();
        }),
      noteFailure: () => this.#queue.noteFailure(source, Date.now()),
      leave: () => {
        this.#queue.leave(place);
        this.#measure();
      },
    };
  }

  #go(): void {
    for (const thread of this.#threads) {
      const job = thread.isFree ? this.#queue.next()?.job : undefined;
      if (job) thread.start(job);
    }
    this.#measure();
  }

  #measure(): void {
    metrics()?.setPasswords(this.#queue.waiting());
  }
}

/** One thread, started on first use. */
class Thread {
  readonly #freed: (took: number) => void;
  #began = 0;
  #worker: Worker | undefined;
  #job: Job | undefined;

  /** @param freed called when the thread can take another job, with how many ms the last one took */
  constructor(freed: (took: number) => void) {
    this.#freed = freed;
  }

  get isFree(): boolean {
    return this.#job === undefined;
  }

  start(job: Job): void {
    this.#job = job;
    this.#began = performance.now();
    this.#worker ??= this.#open();
    // A process (the command line) must not exit while a result is pending.
    this.#worker.ref();
    this.#worker.postMessage(job.work);
  }

  #open(): Worker {
    const worker = new Worker(new URL('./password-worker.ts', import.meta.url));
    worker.on('message', ({ result, refused }: PasswordDone) => {
      for (const [kind, why] of Object.entries(refused)) noteRefused(kind, why);
      this.#end((job) => job.resolve(result));
    });
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
    this.#freed(performance.now() - this.#began);
  }
}

/** Logs each kind once: every sign-in meets it again. */
function noteRefused(kind: string, why: string): void {
  const noted = once('password-refused', () => new Set<string>());
  if (noted.has(kind)) return;
  noted.add(kind);
  log().error({ kind, why }, 'hashes of this kind cannot be checked');
}

function pool(): PasswordPool {
  return once('passwords', () => new PasswordPool());
}
