/*
 * The name of a migration says what it does to a version that does not know it, and after which
 * release it was written: 20261201120000_expand_after_0_2_add_client_logo. The database keeps the
 * names, so an older version learns from them what it cannot read in files that it does not have.
 */

/**
 * "expand" only adds what another version can ignore; "contract" removes or changes what it uses.
 */
export type Doing = 'expand' | 'contract';

/** A release line: 0.2 is the line of 0.2.0 and 0.2.1. */
type Line = `${number}.${number}`;

type Said = { does: Doing; after: Line };

/** Parses a name; null if it is older than this naming scheme. */
export function saidBy(name: string): Said | null {
  const found = /^\d{14}_(expand|contract)_after_(\d{1,6})_(\d{1,6})_/.exec(name);
  return found && { does: found[1] as Doing, after: `${Number(found[2])}.${Number(found[3])}` };
}

/**
 * Makes a name for a migration that is being written now.
 * @param version the one in package.json
 */
export function nameFor(what: string, does: Doing, version: string, now: Date): string {
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14);
  return `${stamp}_${does}_after_${lineOf(version).replace('.', '_')}_${what}`;
}

export function lineOf(version: string): Line {
  const [major, minor] = version.split('.').map(Number);
  return `${major ?? 0}.${minor ?? 0}`;
}

/** A migration that keeps two versions from serving side by side, and why. */
export type InTheWay = { name: string; why: string };

/**
 * Finds the migration in a database that keeps this version from working there; null if there is
 * none. A version tolerates migrations that only add and belong to the next release.
 * @param unknown the names of applied migrations that this version does not have
 */
export function inTheWayOf(version: string, unknown: readonly string[]): InTheWay | null {
  for (const name of unknown) {
    const said = saidBy(name);
    if (said?.does !== 'expand')
      return { name, why: 'which changes or removes what this version uses' };
    if (said.after !== lineOf(version))
      return { name, why: `of a release that is not the one after ${lineOf(version)}` };
  }
  return null;
}

/** Whether a migration was written in the release line of a version, or in the one before it. */
export function isOfLastRelease(after: Line, version: string): boolean {
  const [major = 0, minor = 0] = lineOf(version).split('.').map(Number);
  const [fromMajor = 0, fromMinor = 0] = after.split('.').map(Number);
  if (major === fromMajor) return minor === fromMinor || minor === fromMinor + 1;
  return minor === 0 && major === fromMajor + 1;
}
