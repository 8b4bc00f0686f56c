/*
 * Whether groups differ, judged by blocks. Each block has one value of each group, measured one
 * right after another in random order. What changes from block to block (load, a cache that fills)
 * affects all groups alike, and ranks within a block are not disturbed by outliers.
 */

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** The rank of each value, from 1. Equal values share their rank. */
export function ranks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}

/**
 * Friedman's test. `p` is how often ranks would be at least this far apart if the groups were all
 * the same.
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
  // With ties within a block, its ranks vary less than groups * (groups + 1) / 12.
  const spread = ranked.flat().reduce((sum, rank) => sum + (rank - (groups + 1) / 2) ** 2, 0);
  const chi2 = spread === 0 ? 0 : ((groups - 1) * between) / spread;
  return { chi2, p: chiSquareTail(chi2, groups - 1) };
}

/**
 * The probability that a chi-square value with this many degrees of freedom is at least as large as
 * this.
 */
export function chiSquareTail(chi2: number, degrees: number): number {
  const [a, x] = [degrees / 2, chi2 / 2];
  if (x <= 0) return 1;
  // Adds two degrees of freedom per step, from 1 or 2 (Abramowitz and Stegun, 26.4.4 and 26.4.5).
  let tail = degrees % 2 === 0 ? Math.exp(-x) : erfc(Math.sqrt(x));
  let term = degrees % 2 === 0 ? Math.exp(-x) : Math.sqrt(x / Math.PI) * Math.exp(-x) * 2;
  for (let half = degrees % 2 === 0 ? 1 : 0.5; half < a; half += 1) {
    if (half >= 1) term *= x / half;
    tail += term;
  }
  return tail;
}

/** Numerical Recipes' `erfcc`, accurate to seven digits. */
function erfc(x: number): number {
  const t = 1 / (1 + x / 2);
  const series = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398,
    1.48851587, -0.82215223, 0.17087277,
  ].reduceRight((sum, each) => sum * t + each, 0);
  return t * Math.exp(-x * x + series);
}

/** A median and its 95 % confidence interval. */
type Middle = { middle: number; from: number; to: number };

/**
 * The median with its confidence interval, from the binomial distribution of how many values lie
 * below it.
 */
export function middleOf(values: readonly number[]): Middle {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  const reach = (1.96 * Math.sqrt(sorted.length)) / 2;
  const at = (place: number) =>
    sorted[Math.max(0, Math.min(sorted.length - 1, Math.round(place)))] ?? Number.NaN;
  return { middle: at(half - 0.5), from: at(half - reach - 0.5), to: at(half + reach - 0.5) };
}
