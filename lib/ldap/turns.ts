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
