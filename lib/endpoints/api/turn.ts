import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../http/problem.ts';
import { once } from '../../once.ts';

/** So many calls of this process wait for their turn. */
const mostWaiting = 32;
/** In milliseconds. */
const longestRest = 200;

const state = () => once('api.turn', () => ({ waiting: 0, last: Promise.resolve() }));

/**
 * Runs what holds the database for all of an act, a plan or a creation that is kept, one at a time in a
 * process. Each is followed by a rest as long as it took, so that others who write get theirs: a password
 * may be hashed meanwhile.
 * @throws Problem 503 where too many wait
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
