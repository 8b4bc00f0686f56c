import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../http/problem.ts';
import { once } from '../../once.ts';

/** The maximum number of calls that may wait for their turn in this process. */
const mostWaiting = 32;
/** The longest rest after a call, in milliseconds. */
const longestRest = 200;

const state = () => once('api.turn', () => ({ waiting: 0, last: Promise.resolve() }));

/**
 * Runs work that locks the database for its whole duration (a conditional change, a plan or an
 * idempotent creation), one at a time in this process. Each is followed by a rest as long as it
 * took, up to 200 ms, so that other writers get their turn.
 * @throws Problem 503 if too many are waiting
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = state();
  if (turn.waiting >= mostWaiting)
    throw new Problem(503, 'Too many plans and creations wait here. Try again in a second.', {
      headers: { 'retry-after': '1' },
    });
  turn.waiting += 1;
  const before = turn.last;
  let rest = 0;
  const mine = before.then(async () => {
    turn.waiting -= 1;
    const from = performance.now();
    try {
      return await work();
    } finally {
      rest = Math.min(performance.now() - from, longestRest);
    }
  });
  turn.last = mine.then(
    () => pause(rest),
    () => pause(rest),
  );
  return mine;
}
