/** Who wants a password looked at: the browser of somebody known, a stranger, or somebody who has proved themselves. */
export type Source = {
  lane: Lane;
  /** What the work is counted by, each with how many times the share of a single address it may have. */
  counted: readonly { key: string; share: number }[];
};

const lanes = ['known', 'open', 'own'] as const;
export type Lane = (typeof lanes)[number];

/** So many wait in a lane at most. */
export const laneLength = 64;

/** A place in the queue: held from before the try is counted, ready when there is work to do. */
export type Place<T> = { source: Source; load: number; job: T | undefined; pushedOut: boolean };

/**
 * Who waits for the threads that hash. Each lane has its turn, so that strangers in any number leave
 * the browsers of known people half of the time at least. In a lane those come first whose addresses asked least
 * lately; when it is full, they take the place of those that asked most. No step costs more than a
 * look at each of the places of a lane.
 */
export class PasswordQueue<T> {
  readonly #waiting: Record<Lane, Place<T>[]> = { known: [], open: [], own: [] };
  readonly #recent = new RecentUse();
  readonly #pushedOut: (place: Place<T>) => void;
  #turn = 0;

  /** @param pushedOut is told of a place that holds a job and is given to somebody else */
  constructor(pushedOut: (place: Place<T>) => void) {
    this.#pushedOut = pushedOut;
  }

  /** Takes a place, or gives null when there is none for this source. `now` in milliseconds. */
  admit(source: Source, now: number): Place<T> | null {
    const lane = this.#waiting[source.lane];
    // Asking counts, not being served: whoever is turned away and hammers on falls behind those who wait.
    const load = this.#recent.ask(source, now);
    if (lane.length >= laneLength) {
      const worst = lane.reduce((one, other) => (other.load >= one.load ? other : one));
      if (worst.load <= load) return null;
      this.leave(worst);
      worst.pushedOut = true;
      this.#pushedOut(worst);
    }
    const place = { source, load, job: undefined, pushedOut: false };
    lane.push(place);
    return place;
  }

  /** Gives a place up. */
  leave(place: Place<T>): void {
    const lane = this.#waiting[place.source.lane];
    const at = lane.indexOf(place);
    if (at >= 0) lane.splice(at, 1);
  }

  /** The work to be done next, its place given up with it. */
  next(): Place<T> | undefined {
    for (let step = 1; step <= lanes.length; step += 1) {
      const turn = (this.#turn + step) % lanes.length;
      const ready = this.#waiting[lanes[turn] ?? 'own'].filter(({ job }) => job !== undefined);
      if (ready.length === 0) continue;
      this.#turn = turn;
      const best = ready.reduce((one, other) => (other.load < one.load ? other : one));
      this.leave(best);
      return best;
    }
    return undefined;
  }
}

const period = 60_000;
const mostKeys = 20_000;

/** How often each source asked in this minute and the last. */
class RecentUse {
  #began = 0;
  #current = new Map<string, number>();
  #last = new Map<string, number>();

  /** Counts once more, and gives how often that is, measured by the share the source may have. */
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
