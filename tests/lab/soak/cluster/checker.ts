import type { Operation } from './history.ts';

/** What no client may ever see. */
export type Wrong =
  | 'honoured after its acknowledged end'
  | 'alive again after it was refused'
  | 'redeemed twice'
  | 'an old refresh token honoured'
  | 'two successors of one refresh token'
  | 'refused though nothing ended it';

export type Violation = { wrong: Wrong; operation: Operation; because: string };

/**
 * Milliseconds. `grace`: how long a refresh token that was just used gives the same answer again.
 * `skew`: how far servers' clocks may differ or step, which makes the grace shorter or longer.
 */
type Terms = { grace: number; skew: number };

/**
 * Judges every answer of a history by all earlier acknowledged answers. An answer is earlier than a
 * request if it had arrived when the request began; of two overlapping requests either may have
 * been first. A request with an unknown outcome may have happened at any time since it began, or
 * never. What is seen of it later has to agree with one of the two for ever.
 */
export function violationsIn(history: readonly Operation[], terms: Terms): Violation[] {
  return [...groupBy(history, ({ line }) => line).values()].flatMap((line) =>
    violationsOfLine(line, terms),
  );
}

function violationsOfLine(operations: readonly Operation[], terms: Terms): Violation[] {
  const ofLine = operations.filter(({ does, kind }) => does === 'end' && kind === 'line');
  const given = new Map<string, number>();
  for (const { gave = [], ended } of operations)
    for (const thing of gave) given.set(thing, Math.min(ended, given.get(thing) ?? ended));
  const things = groupBy(
    operations.filter(({ kind }) => kind !== 'line'),
    ({ thing }) => thing,
  );
  const line: Line = { things, given, reused: Number.POSITIVE_INFINITY };
  line.reused = first(operations.filter((each) => mayBeCopied(each, line, terms)).map(begunAt));
  return [...things.values()].flatMap((all) => {
    const uses = all.filter(({ does }) => does === 'use');
    const ends = [...ofLine, ...all.filter(({ does }) => does === 'end')];
    return [
      ...afterEnd(uses, ends),
      ...aliveAgain(uses),
      ...twice(uses),
      ...old(uses, line, terms),
      ...lost(uses, ends, line, terms),
    ];
  });
}

type Line = {
  things: ReadonlyMap<string, readonly Operation[]>;
  /** When each thing was first given to a client. */
  given: ReadonlyMap<string, number>;
  /**
   * Since when the server may have taken a use for that of a copied token, and ended the whole
   * line.
   */
  reused: number;
};

function afterEnd(uses: readonly Operation[], ends: readonly Operation[]): Violation[] {
  const end = first(ends.filter(isDone).map(endedAt));
  return honoured(uses, end, 'honoured after its acknowledged end', 'it had ended');
}

function aliveAgain(uses: readonly Operation[]): Violation[] {
  const end = first(uses.filter(isRefused).map(endedAt));
  return honoured(uses, end, 'alive again after it was refused', 'it had been refused');
}

const honoured = (uses: readonly Operation[], since: number, wrong: Wrong, what: string) =>
  uses
    .filter((use) => isDone(use) && use.begun > since)
    .map((operation) => ({ wrong, operation, because: `${what} at ${Math.round(since)}` }));

function twice(uses: readonly Operation[]): Violation[] {
  const [winner, ...more] = uses.filter((use) => use.kind === 'code' && isDone(use));
  const because = `it had been redeemed at ${Math.round(winner?.ended ?? 0)}`;
  return more.map((operation) => ({ wrong: 'redeemed twice', operation, because }));
}

/**
 * A refresh token that has a successor gives the same answer again during its grace, as long as the
 * successor is unused.
 */
function old(uses: readonly Operation[], line: Line, { grace, skew }: Terms): Violation[] {
  const refreshes = uses.filter((use) => use.kind === 'refresh' && isDone(use));
  const stepped = first(refreshes.map(endedAt));
  const late = honoured(
    refreshes,
    Math.min(stepped + grace + skew, first(successorUses(uses, line).filter(isDone).map(endedAt))),
    'an old refresh token honoured',
    'its time was over',
  );
  const successors = new Set(refreshes.map(({ next }) => next));
  const [last] = refreshes.slice(-1);
  const both = `they are ${[...successors].join(', ')}`;
  return successors.size > 1 && last
    ? [...late, { wrong: 'two successors of one refresh token', operation: last, because: both }]
    : late;
}

/** Uses of the refresh tokens that these uses returned. */
const successorUses = (uses: readonly Operation[], line: Line): Operation[] =>
  [...new Set(uses.map(({ next }) => next))].flatMap((thing) =>
    thing === undefined ? [] : (line.things.get(thing) ?? []).filter(({ does }) => does === 'use'),
  );

/** Refused although it had been given out, and no one had tried to end it or used it up. */
function lost(
  uses: readonly Operation[],
  ends: readonly Operation[],
  line: Line,
  terms: Terms,
): Violation[] {
  const since = Math.min(first(ends.filter((end) => !isRefused(end)).map(begunAt)), line.reused);
  return uses
    .filter(isRefused)
    .filter((use) => use.begun > (line.given.get(use.thing) ?? Number.POSITIVE_INFINITY))
    .filter((use) => use.ended < since && !isUsedUp(use, uses, line, terms))
    .map((operation) => ({
      wrong: 'refused though nothing ended it',
      operation,
      because: `it was given at ${Math.round(line.given.get(operation.thing) ?? 0)}`,
    }));
}

/**
 * Whether a code or a refresh token may have been used before, too long ago to get the same answer.
 */
function isUsedUp(
  use: Operation,
  uses: readonly Operation[],
  line: Line,
  { grace, skew }: Terms,
): boolean {
  const before = uses.filter((each) => each !== use && each.begun < use.ended && !isRefused(each));
  if (use.kind === 'code') return before.length > 0;
  if (use.kind !== 'refresh') return false;
  return (
    before.some((each) => use.ended - each.begun > grace - skew) ||
    successorUses(uses, line).some((each) => each.begun < use.ended)
  );
}

/**
 * Whether this uses something that is used up: the server takes that for a copy, and ends the line.
 */
function mayBeCopied(use: Operation, line: Line, terms: Terms): boolean {
  if (use.does !== 'use' || (use.kind !== 'code' && use.kind !== 'refresh')) return false;
  const uses = (line.things.get(use.thing) ?? []).filter(({ does }) => does === 'use');
  return uses.length > 0 && isUsedUp(use, uses, line, terms);
}

const isDone = ({ outcome }: Operation) => outcome === 'done';
const isRefused = ({ outcome }: Operation) => outcome === 'refused';
const begunAt = ({ begun }: Operation) => begun;
const endedAt = ({ ended }: Operation) => ended;

/** The earliest of these times; infinity if there are none. */
const first = (moments: readonly number[]): number =>
  moments.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}
