/*
 * Whether groups differ, told from blocks: each block has one value of each group, measured right after
 * each other in random order. What changes from block to block (load, a cache that fills) hits all groups
 * alike, and ranks within a block do not mind a value that is far off.
 */

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** The place of each value among all, from 1; equal ones share theirs. */
export function ranks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}

/**
 * Friedman's test. `p` is how often ranks would be as far apart as these if the groups were all the same.
 * @param blocks each with one value of each group
 */
export function friedman(blocks: readonly (readonly number[])[]): { chi2: number; p: number } {
  const [count, groups] = [blocks.length, blocks[0]?.length ?? 0];
  const ranked = blocks.map(ranks);
  const sums = Array.from({ length: groups }, (_, at) =>
    ranked.reduce((sum, block) => sum + (block[at] ?? 0), 0),
  );
  const mean = (count * (groups + 1)) / 2;
  const between = sums.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  // With ties within a block there is less to spread than groups * (groups + 1) / 12 in each.
  const spread = ranked.flat().reduce((sum, rank) => sum + (rank - (groups + 1) / 2) ** 2, 0);
  const chi2 = spread === 0 ? 0 : ((groups - 1) * between) / spread;
  return { chi2, p: chiSquareTail(chi2, groups - 1) };
}

/** How often a chi-square of so many degrees of freedom is as large as this. */
export function chiSquareTail(chi2: number, degrees: number): number {
  const [a, x] = [degrees / 2, chi2 / 2];
  if (x <= 0) return 1;
  // Two steps of the degrees at a time, from 1 or from 2 (Abramowitz and Stegun, 26.4.4 and 26.4.5).
  let tail = degrees % 2 === 0 ? Math.exp(-x) : erfc(Math.sqrt(x));
  let term = degrees % 2 === 0 ? Math.exp(-x) : Math.sqrt(x / Math.PI) * Math.exp(-x) * 2;
  for (let half = degrees % 2 === 0 ? 1 : 0.5; half < a; half += 1) {
    if (half >= 1) term *= x / half;
    tail += term;
  }
  return tail;
}

/** Numerical Recipes' `erfcc`: seven digits. */
function erfc(x: number): number {
  const t = 1 / (1 + x / 2);
  const series = [
    ...[-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807],
    ...[-1.13520398, 1.48851587, -0.82215223, 0.17087277],
  ].reduceRight((sum, each) => sum * t + each, 0);
  return t * Math.exp(-x * x + series);
}

/** A middle, and where it lies in 19 of 20 repetitions. */
type Middle = { middle: number; from: number; to: number };

/** The median with its confidence interval, by the binomial of how many lie below it. */
export function middleOf(values: readonly number[]): Middle {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  const reach = (1.96 * Math.sqrt(sorted.length)) / 2;
  const at = (place: number) =>
    sorted[Math.max(0, Math.min(sorted.length - 1, Math.round(place)))] ?? Number.NaN;
  return { middle: at(half - 0.5), from: at(half - reach - 0.5), to: at(half + reach - 0.5) };
}
