import type { Work } from '../identity/hashes/hash.ts';
import { dearest } from '../identity/hashes/stored.ts';
import { everybodysWork, timeWorks } from '../identity/passwords.ts';
import { type Sentence, sentence } from '../messages/sentence.ts';

/** The maximum number of kinds of password hashes, because each kind makes every sign-in slower. */
const mostKinds = 6;

/** Seconds. A sign-in that would take longer is asked about. */
const longSignIn = 1;

/** What the passwords of a file would cost each sign-in of everybody. */
export type SignInCost = {
  /** Seconds of processor time now, and until these people have signed in once. */
  now: number;
  after: number;
  /** Whether that is so long that an admin has to agree. */
  isLong: boolean;
  /** Why these hashes cannot come at all, besides those already here. */
  tooMany: Sentence | null;
};

export const noCost: SignInCost = { now: 0, after: 0, isLong: false, tooMany: null };

/**
 * Tries each kind of hash once, as every sign-in will. Returns what it costs, and the kinds that
 * cannot be checked on this machine.
 * @throws PasswordsBusy
 */
export async function costOfHashes(
  works: readonly Work[],
): Promise<{ cost: SignInCost; refused: ReadonlySet<string> }> {
  const here = await everybodysWork();
  const all = dearest([...here, ...works]);
  // Parameters make kinds, so a file could have thousands: then none is tried.
  if (all.length > mostKinds && all.length > here.length) {
    const tooMany = sentence('refused.move.kinds', {
      count: all.length,
      most: mostKinds,
    });
    return { cost: { ...noCost, tooMany }, refused: new Set() };
  }
  const times = await timeWorks(all);
  const refused = new Set(all.filter((_, at) => times[at] === null).map(({ kind }) => kind));
  const after = secondsOf(times);
  const now = secondsOf(await timeWorks(here));
  return {
    cost: { now, after, isLong: after > longSignIn && after > now, tooMany: null },
    refused,
  };
}

/** In tenths. */
const secondsOf = (times: readonly (number | null)[]): number =>
  Math.ceil(times.reduce<number>((sum, time) => sum + (time ?? 0), 0) / 100) / 10;
