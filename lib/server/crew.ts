import type { Worker } from 'node:cluster';
import { note } from './notes.ts';
import type { Message, ProcessRole } from './process-role.ts';

/** Milliseconds that a worker has to live before its end no longer counts as a failed start. */
const settled = 60_000;
const shortestPause = 500;
const longestPause = 30_000;
/**
 * A worker that is not ready after this many milliseconds never will be. The first worker of a
 * renewal may have to migrate the database. So may the very first worker, which has no limit.
 */
const longestStart = { renewing: 900_000, further: 120_000 };
type LimitedRole = keyof typeof longestStart;
/** Milliseconds beyond STOP_DELAY and STOP_TIMEOUT after which a leaving worker is killed. */
const patience = 10_000;

type Member = { worker: Worker; startedAt: number; ready: boolean; leaving: boolean };

type CrewOptions = {
  fork: (place: number, role: ProcessRole) => Worker;
  /** The maximum number of milliseconds that a worker needs to leave. */
  leavesWithin: () => number;
  /** Milliseconds after which a worker that is not ready is killed, by its role. */
  startsWithin?: typeof longestStart;
};

/** How a renewal ended, which places have new workers, and which still have old ones. */
export type Renewal = { is: 'over' | 'failed' | 'stopped'; renewed: number[]; kept: number[] };

/** The workers of one server. Each has a place, numbered from 1. */
export class Crew {
  readonly #options: CrewOptions;
  readonly #places = new Map<number, Member>();
  /** Old workers that still serve, or are leaving, while a new one has their place. */
  readonly #aside = new Set<Member>();
  /** How many workers in a row have ended soon after their start. */
  #failures = 0;
  #stopping = false;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  /** The first worker, and then the others once it serves. False: the first did not. */
  async start(size: number): Promise<boolean> {
    const { ready } = await this.#fill(1, 'first');
    for (let place = 2; ready && place <= size; place += 1) void this.#fillSometime(place);
    return ready;
  }

  /**
   * Replaces the workers one by one: each new one comes up before the old one leaves. If a new
   * worker does not come up, the remaining old ones stay.
   * @param size how many workers there are to be afterwards
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
    const places = [...this.#places.keys()].toSorted((one, other) => one - other);
    const kept = places.filter((place) => !renewed.includes(place));
    return { is: this.#stopping ? 'stopped' : is, renewed, kept };
  }

  async #renewPlace(place: number): Promise<boolean> {
    const old = this.#places.get(place);
    if (old) this.#aside.add(old);
    const member = await this.#fill(place, place === 1 ? 'renewing' : 'further');
    if (this.#stopping) return false;
    if (member.ready) {
      if (old) await this.#dismiss(old);
      return true;
    }
    if (old) this.#giveBack(place, old, member);
    else this.#places.delete(place);
    return false;
  }

  /** Gives the place back to the old worker. If that has ended meanwhile, starts another one. */
  #giveBack(place: number, old: Member, failed: Member): void {
    this.#aside.delete(old);
    if (old.worker.isDead()) void this.#replace(place, failed, 1);
    else this.#places.set(place, old);
  }

  /**
   * Sends a signal to all workers and waits until they have ended. Returns the highest exit code.
   */
  async stop(signal: NodeJS.Signals): Promise<number> {
    this.#stopping = true;
    const members = new Set([...this.#places.values(), ...this.#aside]);
    const codes = [...members].map(async ({ worker, ready }) => {
      if (worker.isDead()) return 0;
      worker.process.kill(signal);
      const code = await ended(worker);
      // The signal itself ends a worker that is still starting, so its exit code does not count.
      return ready ? code : 0;
    });
    return Math.max(0, ...(await Promise.all(codes)));
  }

  get ready(): Worker[] {
    const members = [...this.#places.values()];
    return members.filter(({ ready, leaving }) => ready && !leaving).map(({ worker }) => worker);
  }

  /** Starts a process for a place, and waits until it is ready or has ended. */
  async #fill(place: number, role: 'first' | LimitedRole): Promise<Member> {
    const worker = this.#options.fork(place, role);
    const member: Member = { worker, startedAt: Date.now(), ready: false, leaving: false };
    this.#places.set(place, member);
    const over = ended(worker);
    const limit = role === 'first' ? null : this.#endIfLate(member, place, role);
    member.ready = await Promise.race([readiness(worker), over.then(() => false)]);
    if (limit) clearTimeout(limit);
    if (!member.ready) return member;
    note('info', 'worker ready', { worker: place, process: worker.process.pid });
    void over.then((code) => this.#replace(place, member, code));
    return member;
  }

  #endIfLate({ worker }: Member, place: number, role: LimitedRole): NodeJS.Timeout {
    const limit = (this.#options.startsWithin ?? longestStart)[role];
    return setTimeout(() => {
      const seconds = limit / 1000;
      note('error', 'a worker was not ready in time and is ended', { worker: place, seconds });
      worker.process.kill('SIGKILL');
    }, limit);
  }

  async #fillSometime(place: number): Promise<void> {
    while (!this.#stopping) {
      const member = await this.#fill(place, 'further');
      if (member.ready || !(await this.#pause(place, member, 1))) return;
    }
  }

  async #replace(place: number, member: Member, code: number): Promise<void> {
    if (await this.#pause(place, member, code)) await this.#fillSometime(place);
  }

  /**
   * Whether a place is still this member's. It is not if the place went to another worker or was
   * given up, or while the whole crew stops.
   */
  #isPlaceOf(member: Member, place: number): boolean {
    return !this.#stopping && this.#places.get(place) === member;
  }

  /**
   * Waits before a worker is started again: longer each time, so that a worker that cannot run is
   * not restarted in a tight loop.
   * @returns whether the place still has to be filled for this member, which has ended
   */
  async #pause(place: number, member: Member, code: number): Promise<boolean> {
    if (!this.#isPlaceOf(member, place)) return false;
    if (member.ready && Date.now() - member.startedAt > settled) this.#failures = 0;
    const pause = Math.min(longestPause, shortestPause * 2 ** Math.min(this.#failures, 10));
    this.#failures += 1;
    note('error', 'a worker ended by itself and is started again', {
      worker: place,
      code,
      seconds: pause / 1000,
    });
    await new Promise((resume) => setTimeout(resume, pause));
    return this.#isPlaceOf(member, place);
  }

  async #dismiss(member: Member): Promise<void> {
    member.leaving = true;
    this.#aside.add(member);
    const { worker } = member;
    const over = ended(worker);
    const leave: Message = { is: 'leave' };
    // A worker that is still starting serves no one, and does not listen for messages yet.
    if (!member.ready) worker.process.kill();
    else if (!worker.isDead()) worker.send(leave, () => {});
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

/** The exit code of a worker once it has ended; 1 if a signal ended it. */
function ended(worker: Worker): Promise<number> {
  return new Promise((resolve) => {
    if (worker.isDead()) resolve(worker.process.exitCode ?? 1);
    else worker.once('exit', (code: number | null) => resolve(code ?? 1));
  });
}
