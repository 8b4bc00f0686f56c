import { setImmediate as pause } from 'node:timers/promises';
import { once } from '../once.ts';
import { PlacesOfEach } from '../places.ts';
import { Refused } from './result.ts';

/** The most searches of one app, or of one person at it, that are answered at the same time. */
const mostAtOnce = 4;
/** Milliseconds that others wait. */
const patience = 60_000;
const underWay = () => once('ldap-searches', () => new PlacesOfEach());

/**
 * Nobody can fill the memory or take the time of all with many searches at once.
 * @throws Refused if no place becomes free
 */
export async function inTurn<T>(who: string, work: () => Promise<T>): Promise<T> {
  if (!(await underWay().enter(who, { most: mostAtOnce, patience })))
    throw new Refused('busy', 'Too many searches at the same time.');
  try {
    return await work();
  } finally {
    underWay().leave(who);
  }
}

const turns = () => once('ldap-turns', () => ({ last: Promise.resolve() }));

/**
 * Lets everything else go on. Of all searches that wait only one goes on in each turn of the event
 * loop, so that many are no heavier than one.
 */
export function nextTurn(): Promise<void> {
  const state = turns();
  state.last = state.last.then(() => pause());
  return state.last;
}
