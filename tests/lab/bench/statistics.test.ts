import { expect, test } from 'vitest';
import { chiSquareTail, friedman, middleOf, ranks } from './statistics.ts';

test('the tail of chi-square is that of the tables', () => {
  // The five and one per cent points of Abramowitz and Stegun, table 26.8.
  const points: [degrees: number, chi2: number, p: number][] = [
    [1, 3.84146, 0.05] as const,
    [2, 5.99147, 0.05] as const,
    [3, 7.81473, 0.05] as const,
    [4, 13.2767, 0.01] as const,
    [7, 18.4753, 0.01] as const,
    [12, 26.217, 0.01] as const,
  ].map(([degrees, chi2, p]) => [degrees, chi2, p]);
  for (const [degrees, chi2, p] of points) expect(chiSquareTail(chi2, degrees)).toBeCloseTo(p, 4);
});

test('equal values share their rank', () => {
  expect(ranks([5, 1, 5, 9])).toEqual([2.5, 1, 2.5, 4]);
});

test("Friedman's test gives what Hollander and Wolfe have for rounding first base", () => {
  // Nonparametric Statistical Methods, table 7.1: 22 players, three ways to run.
  const blocks = [
    [5.4, 5.5, 5.55],
    [5.85, 5.7, 5.75],
    [5.2, 5.6, 5.5],
    [5.55, 5.5, 5.4],
    [5.9, 5.85, 5.7],
    [5.45, 5.55, 5.6],
    [5.4, 5.4, 5.35],
    [5.45, 5.5, 5.35],
    [5.25, 5.15, 5.0],
    [5.85, 5.8, 5.7],
    [5.25, 5.2, 5.1],
    [5.65, 5.55, 5.45],
    [5.6, 5.35, 5.45],
    [5.05, 5.0, 4.95],
    [5.5, 5.5, 5.4],
    [5.45, 5.55, 5.5],
    [5.55, 5.55, 5.35],
    [5.45, 5.5, 5.55],
    [5.5, 5.45, 5.25],
    [5.65, 5.6, 5.4],
    [5.7, 5.65, 5.55],
    [6.3, 6.3, 6.25],
  ];
  const { chi2, p } = friedman(blocks);
  expect(chi2).toBeCloseTo(11.1429, 3);
  expect(p).toBeCloseTo(0.003805, 5);
});

test('a shift that noise of fifty times its size hides in each value is seen in many blocks', () => {
  // mulberry32, so that the numbers are the same in every run
  let state = 7;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const noise = () => 50 + 10 * random() + (random() < 0.1 ? 200 * random() : 0);
  const blocks = (shift: number) =>
    Array.from({ length: 2000 }, () => [noise(), noise(), noise() + shift]);
  expect(friedman(blocks(0)).p).toBeGreaterThan(0.01);
  const shifted = blocks(1);
  expect(friedman(shifted).p).toBeLessThan(1e-6);
  const { from, to } = middleOf(shifted.map(([one = 0, , other = 0]) => other - one));
  expect([from > 0, to < 2]).toEqual([true, true]);
});
