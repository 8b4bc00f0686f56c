import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './stamp.mjs';

export type SlowSuite = { name: string; files: readonly string[] };
/** When each slow suite last passed, by its name, and how many seconds it took then. */
type Passed = Record<string, { at: string; seconds: number }>;

const file = resolve(root, 'tests/slow-suites.json');
/** What a suite is expected to take that never passed. */
const unknownSeconds = 240;

/** The slow suites of `tests/slow-suites.ts`. */
export async function slowSuites(): Promise<readonly SlowSuite[]> {
  const list = pathToFileURL(resolve(root, 'tests/slow-suites.ts')).href;
  return ((await import(list)) as { slowSuites: readonly SlowSuite[] }).slowSuites;
}

export const readPassed = (): Passed => JSON.parse(readFileSync(file, 'utf8')) as Passed;

/**
 * The suites that have waited longest and can be expected to end in time, in the order in which
 * they run: first those that never passed.
 * @param seconds how many seconds are left
 * @param hasRoom whether there is time for suites that never passed, whose duration nobody knows
 */
export function waiting<Suite extends SlowSuite>(
  suites: readonly Suite[],
  passed: Passed,
  seconds: number,
  hasRoom: boolean,
): Suite[] {
  const taken = (suite: Suite) => passed[suite.name]?.seconds ?? unknownSeconds;
  let left = seconds;
  return suites
    .filter(({ name }) => hasRoom || passed[name])
    .toSorted((a, b) => (passed[a.name]?.at ?? '').localeCompare(passed[b.name]?.at ?? ''))
    .filter((suite) => {
      if (taken(suite) > left) return false;
      left -= taken(suite);
      return true;
    });
}

/** Writes down that a suite has passed, and forgets suites that are no more. */
export function writePassed(
  suites: readonly SlowSuite[],
  { name }: SlowSuite,
  seconds: number,
  now: Date,
): void {
  const known = { ...readPassed(), [name]: { at: now.toISOString(), seconds } };
  const kept = suites.flatMap((suite) =>
    known[suite.name] ? [[suite.name, known[suite.name]] as const] : [],
  );
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

export const filesOf = ({ files }: SlowSuite): string[] =>
  files.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
