import { Worker } from 'node:worker_threads';
import { once } from '../once.ts';
import { waitsFor } from '../store/engine/transaction.ts';
import { PasswordsBusy } from './passwords.ts';
import type { StrengthDone, StrengthWork } from './strength-worker.ts';

/** Idle milliseconds after which the thread ends, which frees its dictionaries (some 80 MB). */
const idleFor = 30_000;
/** Each check takes a few milliseconds, or a tenth of a second for the worst input. */
const mostWaiting = 100;

type Waiting = { resolve: (guesses: number) => void; reject: (error: Error) => void };

/** It starts when a password is chosen, and ends when it has been idle. */
class StrengthThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #rest: NodeJS.Timeout | undefined;
  #id = 0;

  guessesOf(password: string, words: readonly string[]): Promise<number> {
    if (this.#waiting.size >= mostWaiting)
      throw new PasswordsBusy('Too many passwords are being chosen at once.');
    clearTimeout(this.#rest);
    this.#worker ??= this.#open();
    // A process (the command line) must not exit while a result is pending.
    this.#worker.ref();
    this.#id += 1;
    const work: StrengthWork = { id: this.#id, password, words };
    return new Promise((resolve, reject) => {
      this.#waiting.set(work.id, { resolve, reject });
      this.#worker?.postMessage(work);
    });
  }

  #open(): Worker {
    const worker = new Worker(new URL('./strength-worker.ts', import.meta.url));
    worker.on('message', ({ id, guesses }: StrengthDone) => {
      this.#waiting.get(id)?.resolve(guesses);
      this.#waiting.delete(id);
      if (this.#waiting.size > 0) return;
      worker.unref();
      this.#rest = setTimeout(() => this.#close(), idleFor).unref();
    });
    worker.on('error', (error) => {
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(error as Error);
      this.#waiting.clear();
    });
    return worker;
  }

  #close(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}

/**
 * How many guesses a password withstands from someone who knows common words and the given ones.
 * @throws PasswordsBusy
 */
export function guessesOf(password: string, words: readonly string[]): Promise<number> {
  waitsFor('the strength of a password');
  return once('password-strength', () => new StrengthThread()).guessesOf(password, words);
}
