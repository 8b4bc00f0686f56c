import { config } from '../config.ts';
import { once } from '../once.ts';
import type { Counted } from '../store/throttles.ts';

type UnderWay = { running: number; waiting: (() => void)[] };

const underWay = () => once('tries-at-once', () => new Map<string, UnderWay>());

/**
 * Waits until so few tries of these keys are under way that they cannot use up what is allowed, and
 * says how to give the places back. A try is counted before it is checked, so many right ones at
 * once would look like guesses. Widest first, always, so that no two wait for each other.
 */
export async function waitForTurn(counted: readonly Counted[]): Promise<() => void> {
  for (const each of counted) await enter(each);
  return () => {
    for (const { key } of counted) leave(key);
  };
}

/** Half of what is allowed, in all workers together: the other half is for failures. */
const placesOf = ({ limit }: Counted) => Math.max(1, Math.floor(limit / 2 / config().workers));

async function enter(each: Counted): Promise<void> {
  const state = underWay().get(each.key) ?? { running: 0, waiting: [] };
  underWay().set(each.key, state);
  if (state.running < placesOf(each)) {
    state.running += 1;
    return;
  }
  // Whoever leaves hands the place over.
  await new Promise<void>((go) => state.waiting.push(go));
}

function leave(key: string): void {
  const state = underWay().get(key);
  if (!state) return;
  const next = state.waiting.shift();
  if (next) next();
  else if (state.running > 1) state.running -= 1;
  else underWay().delete(key);
}
