/**
 * Where a password check comes from: a known browser, an unknown one that has done work (`worked`)
 * or not (`open`), or an authenticated user.
 */
export type Source = {
  lane: Lane;
  /**
   * The keys the work counts against, each with its allowance as a multiple of a single address's.
   */
  counted: readonly { key: string; share: number }[];
};

export type Lane = 'known' | 'worked' | 'open' | 'own';

/**
 * Unknown browsers without work whose address had no recent failure wait in their own lane
 * (`fresh`), apart from the others, which may be a flood.
 */
const waits = ['known', 'worked', 'fresh', 'open', 'own'] as const;
type Wait = (typeof waits)[number];

const turns: readonly Wait[] = [
  ...(['known', 'worked', 'known', 'fresh'] as const),
  ...(['known', 'worked', 'known', 'open', 'own'] as const),
];

/** The most places in one lane. */
export const laneLength = 64;

/** Milliseconds of waiting hashes from which browsers that are unknown must do work. */
export const longFrom = 2000;
/** Fewer places are no flood, however slow the machine is just now. */
export const longFewest = 8;
/** Milliseconds for which they still have to, after it was that much. */
export const longFor = 60_000;

/** A place in the queue: reserved before the attempt is counted, ready once there is work. */
export type Place<T> = {
  source: Source;
  wait: Wait;
  load: number;
  job: T | undefined;
  pushedOut: boolean;
};

/**
 * The queue for the hashing threads. Lanes take turns: however many unknown browsers come, known
 * browsers get at least four ninths of the time, unknown ones that have done work two, and the
 * other unknown ones whose address had no recent failure one. Within a lane, the sources with the fewest recent requests go first; when
 * the lane is full, they displace the one with the most. Every step is linear in the places of a
 * lane.
 */
export class PasswordQueue<T> {
  readonly #waiting: Record<Wait, Place<T>[]> = {
    known: [],
    worked: [],
    fresh: [],
    open: [],
    own: [],
  };
  readonly #failed = new LateFailures();
  readonly #recent = new RecentUse();
  readonly #pushedOut: (place: Place<T>) => void;
  readonly #becameLong: (wait: Wait) => void;
  #turn = 0;
  readonly #threads: number;
  /** Milliseconds that a job took lately. */
  #each = 0;
  readonly #longUntil: Partial<Record<Wait, number>> = {};

  /**
   * @param pushedOut called with a place whose job was displaced
   * @param becameLong called with a lane of unknown browsers that have to do work from now on
   */
  constructor(
    threads: number,
    pushedOut: (place: Place<T>) => void,
    becameLong: (wait: Wait) => void,
  ) {
    this.#threads = threads;
    this.#pushedOut = pushedOut;
    this.#becameLong = becameLong;
  }

  /** Reserves a place; null if there is none for this source. `now` in milliseconds. */
  admit(source: Source, now: number): Place<T> | null {
    const wait = this.#waitOf(source, now);
    const lane = this.#waiting[wait];
    // Requests count even if they aren't served: a source that keeps hammering falls behind the
    // others.
    const load = this.#recent.ask(source, now);
    if (lane.length >= laneLength) {
      const worst = lane.reduce((one, other) => (other.load >= one.load ? other : one));
      if (worst.load <= load) return null;
      this.leave(worst);
      worst.pushedOut = true;
      this.#pushedOut(worst);
    }
    const place: Place<T> = { source, wait, load, job: undefined, pushedOut: false };
    lane.push(place);
    this.#noteLength(now);
    return place;
  }

  /** Notes how many milliseconds a job took. */
  noteTime(milliseconds: number, now: number): void {
    this.#each += (milliseconds - this.#each) / (this.#each === 0 ? 1 : 8);
    this.#noteLength(now);
  }

  /** Whether so much waits in the lane of an unknown browser, or did lately, that it has to do work. */
  isLong(source: Source, now: number): boolean {
    return now < (this.#longUntil[this.#waitOf(source, now)] ?? 0);
  }

  #waitOf(source: Source, now: number): Wait {
    return source.lane === 'open' && !this.#failed.has(source, now) ? 'fresh' : source.lane;
  }

  #noteLength(now: number): void {
    for (const wait of ['fresh', 'open'] as const) {
      const { length } = this.#waiting[wait];
      if (length < longFewest || (length * this.#each) / this.#threads < longFrom) continue;
      if (now >= (this.#longUntil[wait] ?? 0)) this.#becameLong(wait);
      this.#longUntil[wait] = now + longFor;
    }
  }

  /** How many places are taken in each lane. */
  waiting(): Record<string, number> {
    return Object.fromEntries(waits.map((wait) => [wait, this.#waiting[wait].length]));
  }

  /** Remembers for a while that a password from this source was wrong. */
  noteFailure(source: Source, now: number): void {
    this.#failed.note(source, now);
  }

  leave(place: Place<T>): void {
    const lane = this.#waiting[place.wait];
    const at = lane.indexOf(place);
    if (at >= 0) lane.splice(at, 1);
  }

  next(): Place<T> | undefined {
    for (let step = 1; step <= turns.length; step += 1) {
      const turn = (this.#turn + step) % turns.length;
      const ready = this.#waiting[turns[turn] ?? 'own'].filter(({ job }) => job !== undefined);
      if (ready.length === 0) continue;
      this.#turn = turn;
      const best = ready.reduce((one, other) => (other.load < one.load ? other : one));
      this.leave(best);
      return best;
    }
    return undefined;
  }
}

/** Milliseconds. A failure is remembered for one to two such periods. */
const failurePeriod = 15 * 60_000;
const mostFailures = 50_000;

/** The addresses (by their narrowest network) that a wrong password recently came from. */
class LateFailures {
  #began = 0;
  #current = new Set<string>();
  #last = new Set<string>();

  has({ counted }: Source, now: number): boolean {
    this.#turnOver(now);
    const key = counted.at(-1)?.key;
    return key !== undefined && (this.#current.has(key) || this.#last.has(key));
  }

  note({ counted }: Source, now: number): void {
    this.#turnOver(now);
    const key = counted.at(-1)?.key;
    if (key !== undefined) this.#current.add(key);
  }

  #turnOver(now: number): void {
    if (now - this.#began < failurePeriod && this.#current.size < mostFailures) return;
    this.#last = now - this.#began < 2 * failurePeriod ? this.#current : new Set();
    this.#current = new Set();
    this.#began = now;
  }
}

const period = 60_000;
const mostKeys = 20_000;

/** How often each source asked in this minute and the one before. */
class RecentUse {
  #began = 0;
  #current = new Map<string, number>();
  #last = new Map<string, number>();

  /** Counts one more request and returns the total relative to the source's allowance. */
  ask({ counted }: Source, now: number): number {
    this.#turnOver(now);
    const asked = counted.map(({ key, share }) => {
      const current = (this.#current.get(key) ?? 0) + 1;
      this.#current.set(key, current);
      return (current + (this.#last.get(key) ?? 0)) / share;
    });
    return Math.max(0, ...asked);
  }

  #turnOver(now: number): void {
    if (now - this.#began < period && this.#current.size < mostKeys) return;
    this.#last = now - this.#began < 2 * period ? this.#current : new Map();
    this.#current = new Map();
    this.#began = now;
  }
}
