import { SetupError } from '../tooling/child.mjs';

const pattern = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/;

/**
 * The version after this one.
 * @param wanted `major`, `minor`, `patch`, or the version itself
 * @throws SetupError if it is not a version, or not a later one
 */
export function nextVersion(current: string, wanted: string): string {
  const [major = 0, minor = 0, patch = 0] = numbersOf(current);
  if (wanted === 'major') return `${major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  if (!pattern.test(wanted))
    throw new SetupError(
      `"${wanted}" is no version. Give major, minor, patch or one such as ${nextVersion(current, 'minor')}.`,
    );
  if (!isLater(wanted, current))
    throw new SetupError(
      `${wanted} is not later than ${current}, which package.json has. The next ones are ${nextVersion(current, 'patch')} and ${nextVersion(current, 'minor')}.`,
    );
  return wanted;
}

function isLater(one: string, other: string): boolean {
  const [these, those] = [numbersOf(one), numbersOf(other)];
  const at = these.findIndex((number, index) => number !== those[index]);
  return at >= 0 && (these[at] ?? 0) > (those[at] ?? 0);
}

function numbersOf(version: string): number[] {
  const found = pattern.exec(version);
  if (!found) throw new SetupError(`package.json has the version "${version}", which is none.`);
  return found.slice(1).map(Number);
}
