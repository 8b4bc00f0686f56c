import { type SingleUse, spendOnce } from '../store/spent-values.ts';

/** A request may be judged again; what it uses up must be spent only once. */
const spendings = new WeakMap<SingleUse, Promise<boolean>>();

/**
 * Spends a value, and returns whether this was its first use. If several spend it at once, even in
 * several processes, one gets true.
 */
export function trySpend(use: SingleUse): Promise<boolean> {
  const before = spendings.get(use);
  if (before) return before;
  const spent = spendOnce(use.hash, use.expiresAt).then((done) => done === 'spent-now');
  spendings.set(use, spent);
  return spent;
}

/** Those that a step still has to spend with it. */
export const unspent = (uses: readonly (SingleUse | null)[]): SingleUse[] =>
  uses.filter((use) => use !== null).filter((use) => !spendings.has(use));

/** For what a step has spent. */
export function markSpent(uses: readonly SingleUse[]): void {
  for (const use of uses) spendings.set(use, Promise.resolve(true));
}
