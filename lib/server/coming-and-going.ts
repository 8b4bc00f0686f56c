/** Where something stands in such a list. */
type Place<T> = { held: T; before: Place<T> | null; after: Place<T> | null };

/**
 * What comes and goes all the time, such as the requests in progress, in the order in which it came. A linked list,
 * and no Set or Map: these move to a new table whenever as much has come and gone as they have room for. V8 then keeps
 * what each table held that was left, and all tables after it, until it next collects everything: under load a tenth
 * of the time of a server, and pauses of 20 ms.
 */
export class ComingAndGoing<T> implements Iterable<T> {
  #first: Place<T> | null = null;
  #last: Place<T> | null = null;

  /** Adds something at the end; gives its place, for `goes`. */
  comes(held: T): Place<T> {
    const place: Place<T> = { held, before: this.#last, after: null };
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
    return place;
  }

  /** Takes out what stands in a place; what has gone already stays so. */
  goes(place: Place<T>): void {
    const { before, after } = place;
    if (!before && place !== this.#first) return;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    place.before = null;
    place.after = null;
  }

  /** The oldest first. Whatever is being looked at may go meanwhile. */
  *[Symbol.iterator](): Generator<T> {
    let place = this.#first;
    while (place) {
      const { held, after } = place;
      yield held;
      place = after;
    }
  }
}
