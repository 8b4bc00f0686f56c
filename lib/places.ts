type Terms = {
  /** The maximum number of places taken at the same time. */
  most: number;
  /** The maximum number of callers waiting for a place. */
  mostWaiting?: number;
  /** How long a caller waits, in milliseconds. */
  patience?: number;
};

/**
 * A limit on how many do something at the same time in this process. Others wait; a caller that
 * leaves hands its place to the next one.
 */
export class Places {
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  get areFree(): boolean {
    return this.#taken === 0;
  }

  /** Waits for a place; false: too many are waiting already, or no place became free in time. */
  async enter({ most, mostWaiting = Infinity, patience }: Terms): Promise<boolean> {
    if (this.#taken < most) {
      this.#taken += 1;
      return true;
    }
    return this.#waiting.length < mostWaiting && this.#wait(patience);
  }

  #wait(patience: number | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        resolve(false);
      };
      const timer = patience === undefined ? undefined : setTimeout(giveUp, patience);
      const take = () => {
        clearTimeout(timer);
        resolve(true);
      };
      this.#waiting.push(take);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken -= 1;
  }
}

/** As `Places`, for each of many keys. A key is remembered while one of its places is taken. */
export class PlacesOfEach {
  readonly #of = new Map<string, Places>();

  enter(key: string, terms: Terms): Promise<boolean> {
    const places = this.#of.get(key) ?? new Places();
    this.#of.set(key, places);
    return places.enter(terms);
  }

  leave(key: string): void {
    const places = this.#of.get(key);
    places?.leave();
    if (places?.areFree) this.#of.delete(key);
  }
}
