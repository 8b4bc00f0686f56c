type Terms = {
  /** So many have a place at once. */
  most: number;
  /** So many wait for one. */
  mostWaiting?: number;
  /** How long one waits, in milliseconds. */
  patience?: number;
};

/** Places for so many at once in this process. Others wait, and whoever leaves hands the place over. */
export class Places {
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  get areFree(): boolean {
    return this.#taken === 0;
  }

  /** Waits for a place; false: too many wait for one, or none became free in time. */
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
