/*
 * The name of a migration says what it does to a version that does not know it, and after which
 * release it was written: 20261201120000_expand_after_0_2_add_client_logo. The database keeps the
 * names, so an older version reads there what it cannot read in files that it does not have.
 */

/** Adds only what another version may leave alone; or takes away, or changes, what it uses. */
export type Doing = 'expand' | 'contract';

/** A release line: 0.2 is that of 0.2.0 and 0.2.1. */
type Line = `${number}.${number}`;

type Said = { does: Doing; after: Line };

/** What a name says, or null: it is older than such names. */
export function saidBy(name: string): Said | null {
  const found = /^\d{14}_(expand|contract)_after_(\d{1,6})_(\d{1,6})_/.exec(name);
  return found && { does: found[1] as Doing, after: `${Number(found[2])}.${Number(found[3])}` };
}

/**
 * A name for a migration that is written now.
 * @param version the one in package.json
 */
export function nameFor(what: string, does: Doing, version: string, now: Date): string {
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14);
  return `${stamp}_${does}_after_${lineOf(version).replace('.', '_')}_${what}`;
}

/** The release line of a version. */
export function lineOf(version: string): Line {
  const [major, minor] = version.split('.').map(Number);
  return `${major ?? 0}.${minor ?? 0}`;
}

/** A migration that two versions cannot serve with beside each other, and why. */
export type InTheWay = { name: string; why: string };

/**
 * Which migration of a database keeps this version from working there; null: none does. A version
 * gets along with those that add, of the release after it.
 * @param unknown the names of those that were applied and that it does not have
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
