import { expect } from 'vitest';

/**
 * `toMatchObject` takes any value for a regular expression, which has no members that it could
 * compare. So no test may expect one where a text comes.
 */
function refuseBareRegExp(came: unknown, expected: unknown): undefined {
  if (expected instanceof RegExp && !(came instanceof RegExp))
    throw new Error(`Write expect.stringMatching(${expected}): as it is, every value matches it.`);
}

/** Test files share a process, and this list of testers with it. */
const process = globalThis as { refusesBareRegExp?: true };
if (!process.refusesBareRegExp) expect.addEqualityTesters([refuseBareRegExp]);
process.refusesBareRegExp = true;
