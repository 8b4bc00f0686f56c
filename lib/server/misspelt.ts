import { ConfigError, configNames } from '../config.ts';
import { settingKeys, settingTable } from '../settings/table.ts';

const settings = settingKeys.map((key) => settingTable[key].name);
const known = [...configNames, ...settings];
/**
 * Names of settings. If one is misspelt, a rule that the operator believes is on would stay off.
 */
const rules = new Set(settings);
/** Prefixes that other programs do not use. */
const ours = /^(GATEHOUSE|REQUIRE|ENFORCE)_/;

/**
 * Looks for environment variables whose names are nearly ours. Leaves those of other programs
 * alone: our short names are not compared, and a name that resembles none of ours is ignored unless
 * it has one of our prefixes.
 * @returns sentences about those that may be a mistake
 * @throws ConfigError for one that is nearly a setting, which would not be in force
 */
export function checkNames(env: Record<string, string | undefined>): string[] {
  const warnings: string[] = [];
  const refused: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!value || name.length > 64 || known.includes(name)) continue;
    const meant = nearest(name);
    if (meant && rules.has(meant))
      refused.push(`There is no variable ${name}. Did you mean ${meant}?`);
    else if (meant) warnings.push(`${name} is not used. Did you mean ${meant}?`);
    else if (ours.test(name))
      warnings.push(`${name} is not used: this server has no such variable. See .env.example.`);
  }
  if (refused.length === 0) return warnings;
  throw new ConfigError(
    `${[...refused, ...warnings].join(' ')} The server was not started, because ${refused.length === 1 ? 'this setting' : 'these settings'} would not take effect.`,
  );
}

/** The name of ours that a variable was probably meant to be. */
function nearest(sent: string): string | undefined {
  const name = sent
    .toUpperCase()
    .replaceAll('-', '_')
    .replace(/^GATEHOUSE_/, '');
  // Short names are left out: shells and systems have a HOST, and many similar names.
  const long = known.filter((one) => one.length >= 6);
  if (long.includes(name)) return name;
  const inOtherNumber = long.find((one) => singular(one) === singular(name));
  if (inOtherNumber) return inOtherNumber;
  return long.find((one) => one.length > 8 && distance(name, one) <= (one.length > 10 ? 2 : 1));
}

/** A name with all its words in the singular. */
const singular = (name: string) =>
  name.replace(/IES(?=_|$)/g, 'Y').replace(/(?<=[^S])S(?=_|$)/g, '');

/**
 * How many letters must be added, removed, changed or swapped with their neighbour; 3 if the
 * lengths differ by more than 2.
 */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let [before, row] = [[] as number[], Array.from({ length: other.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const steps = [at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + same];
      if (swapped) steps.push(at(before, j - 2) + 1);
      next.push(Math.min(...steps));
    }
    [before, row] = [row, next];
  }
  return at(row, other.length);
}

const at = (row: number[], index: number) => row[index] ?? 0;
