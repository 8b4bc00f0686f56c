import { config } from '../config.ts';
import { once } from '../once.ts';
import { PlacesOfEach } from '../places.ts';
import type { Counted } from '../store/throttles.ts';

const underWay = () => once('tries-at-once', () => new PlacesOfEach());

/**
 * Waits until few enough tries of these keys are under way that they cannot use up the allowance,
 * and returns a function that gives the places back. A try is counted before it is checked, so many
 * right ones at the same time would look like guesses. Keys are always entered from the widest to
 * the narrowest, so that no two requests wait for each other.
 */
export async function waitForTurn(counted: readonly Counted[]): Promise<() => void> {
  for (const each of counted) await underWay().enter(each.key, { most: mostOf(each) });
  return () => {
    for (const { key } of counted) underWay().leave(key);
  };
}

/** Half of the allowance, for all workers together: the other half is for failures. */
const mostOf = ({ limit }: Counted) => Math.max(1, Math.floor(limit / 2 / config().workers));
