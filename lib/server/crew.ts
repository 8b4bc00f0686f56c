import type { Worker } from 'node:cluster';
import { note } from './notes.ts';
import type { Message, Turn } from './turn.ts';

/** Milliseconds. So long a worker has to live for its end not to count as one at its start. */
const settled = 60_000;
const shortestPause = 500;
const longestPause = 30_000;
/** A worker that is not ready after so long never will be. The first one may have a database to bring up to date. */
const longestStart = 120_000;
/** Beyond its STOP_DELAY and STOP_TIMEOUT, until a worker that leaves is ended. */
const patience = 10_000;

type Member = { worker: Worker; startedAt: number; ready: boolean; leaving: boolean };

type CrewOptions = {
  /** Starts a process for a place. */
  fork: (place: number, turn: Turn) => Worker;
  /** Milliseconds that a worker needs for leaving, at most. */
  leavesWithin: () => number;
  /** Milliseconds until one that does not get ready is ended; the first one has all the time. */
  startsWithin?: number;
};

/** How a renewal ended, and in which places new workers and old ones serve. */
export type Renewal = { is: 'over' | 'failed' | 'stopped'; renewed: number[]; kept: number[] };

/** The workers of one server: a place for each, from 1. */
export class Crew {
  readonly #options: CrewOptions;
  readonly #places = new Map<number, Member>();
  /** Those that serve, or leave, while a new one is in their place. */
  readonly #aside = new Set<Member>();
  /** Ended soon after they had been started, one after the other. */
  #failures = 0;
  #stopping = false;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  /** Starts them; false if the first one does not come up. */
  async start(size: number): Promise<boolean> {
    if (!(await this.#fill(1, 'first'))) return false;
    const places = Array.from({ length: size - 1 }, (_, index) => index + 2);
    await Promise.all(places.map((place) => this.#fillSometime(place)));
    return true;
  }

  /**
   * Replaces one after the other: a new one first comes up, then the old one leaves. If a new one
   * does not come up, the old ones stay.
   * @param size how many there are to be afterwards
   */
  async renew(size: number): Promise<Renewal> {
    const renewed: number[] = [];
    for (let place = 1; place <= size && !this.#stopping; place += 1) {
      if (!(await this.#renewPlace(place))) return this.#endOf('failed', renewed);
      renewed.push(place);
    }
    if (this.#stopping) return this.#endOf('stopped', renewed);
    const beyond = [...this.#places].filter(([place]) => place > size);
    for (const [place] of beyond) this.#places.delete(place);
    await Promise.all(beyond.map(([, member]) => this.#dismiss(member)));
    return this.#endOf('over', renewed);
  }

  #endOf(is: Renewal['is'], renewed: number[]): Renewal {
    const kept = [...this.#places.keys()].filter((place) => !renewed.includes(place)).sort();
    return { is: this.#stopping ? 'stopped' : is, renewed, kept };
  }

  async #renewPlace(place: number): Promise<boolean> {
    const old = this.#places.get(place);
    if (old) this.#aside.add(old);
    const came = await this.#fill(place, place === 1 ? 'renewing' : 'further');
    if (this.#stopping) return false;
    if (came) {
      if (old) await this.#dismiss(old);
      return true;
    }
    if (old) this.#aside.delete(old);
    if (old && !old.worker.isDead()) this.#places.set(place, old);
    else void this.#fillSometime(place);
    return false;
  }

  /** Sends a signal to all, and waits until they have ended. Returns the highest exit code. */
  async stop(signal: NodeJS.Signals): Promise<number> {
    this.#stopping = true;
    const members = new Set([...this.#places.values(), ...this.#aside]);
    const codes = [...members].map(async ({ worker, ready }) => {
      if (worker.isDead()) return 0;
      worker.process.kill(signal);
      const code = await ended(worker);
      // One that is still starting ends by the signal itself.
      return ready ? code : 0;
    });
    return Math.max(0, ...(await Promise.all(codes)));
  }

  /** Those that serve now. */
  get ready(): Worker[] {
    const members = [...this.#places.values()];
    return members.filter(({ ready, leaving }) => ready && !leaving).map(({ worker }) => worker);
  }

  /** Starts a process for a place; whether it came up. */
  async #fill(place: number, turn: Turn): Promise<boolean> {
    const worker = this.#options.fork(place, turn);
    const member = { worker, startedAt: Date.now(), ready: false, leaving: false };
    this.#places.set(place, member);
    const over = ended(worker);
    const limit = turn === 'first' ? null : this.#endIfLate(member, place);
    member.ready = await Promise.race([readiness(worker), over.then(() => false)]);
    if (limit) clearTimeout(limit);
    if (!member.ready) return false;
    note('info', 'worker ready', { worker: place, process: worker.process.pid });
    void over.then((code) => this.#replace(place, member, code));
    return true;
  }

  #endIfLate({ worker }: Member, place: number): NodeJS.Timeout {
    const { startsWithin = longestStart } = this.#options;
    return setTimeout(() => {
      const seconds = startsWithin / 1000;
      note('error', 'a worker is not ready after so long and is ended', { worker: place, seconds });
      worker.process.kill('SIGKILL');
    }, startsWithin);
  }

  async #fillSometime(place: number): Promise<void> {
    while (!this.#stopping && !(await this.#fill(place, 'further'))) await this.#pause(place, 1);
  }

  async #replace(place: number, member: Member, code: number): Promise<void> {
    if (this.#stopping || member.leaving || this.#places.get(place) !== member) return;
    if (Date.now() - member.startedAt > settled) this.#failures = 0;
    await this.#pause(place, code);
    if (this.#places.get(place) === member) await this.#fillSometime(place);
  }

  /** Longer each time, so that what cannot run is not started over and over. */
  async #pause(place: number, code: number): Promise<void> {
    if (this.#stopping) return;
    const pause = Math.min(longestPause, shortestPause * 2 ** Math.min(this.#failures, 10));
    this.#failures += 1;
    note('error', 'a worker ended by itself and is started again', {
      worker: place,
      code,
      seconds: pause / 1000,
    });
    await new Promise((resume) => setTimeout(resume, pause));
  }

  async #dismiss(member: Member): Promise<void> {
    member.leaving = true;
    this.#aside.add(member);
    const { worker } = member;
    const over = ended(worker);
    const leave: Message = { is: 'leave' };
    if (!worker.isDead()) worker.send(leave, () => {});
    const insist = setTimeout(
      () => worker.process.kill('SIGKILL'),
      this.#options.leavesWithin() + patience,
    );
    await over;
    clearTimeout(insist);
    this.#aside.delete(member);
  }
}

function readiness(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.on('message', (message: Message) => {
      if (message?.is === 'ready') resolve(true);
    });
  });
}

/** The exit code of a worker once it has ended; 1 for one that a signal ended. */
function ended(worker: Worker): Promise<number> {
  return new Promise((resolve) => {
    if (worker.isDead()) resolve(worker.process.exitCode ?? 1);
    else worker.once('exit', (code: number | null) => resolve(code ?? 1));
  });
}
