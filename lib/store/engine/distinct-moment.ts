let turn = { first: 0, last: 0 };

/**
 * `now`, or the next millisecond that no other call from this module graph (`lib/once.ts`) was
 * given. It is for rows that are listed in the order they were made and have no id that keeps this
 * order.
 */
export function distinctMoment(now: Date): Date {
  const at = now.getTime();
  const follows = at >= turn.first && at <= turn.last;
  turn = follows ? { ...turn, last: turn.last + 1 } : { first: at, last: at };
  return new Date(turn.last);
}
