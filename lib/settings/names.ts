import { operatorTable } from './operator.ts';
import { fileVariable, secretNames } from './secret-files.ts';
import { settingKeys, settingTable } from './table.ts';

const settings = settingKeys.map((key) => settingTable[key].name);

/** Every variable that this server reads. */
const known: readonly string[] = [
  ...Object.keys(operatorTable),
  ...secretNames.map(fileVariable),
  ...settings,
  'NODE_ENV',
];

/**
 * Names of settings. If one is misspelt, a rule that the operator believes is on would stay off.
 */
const rules = new Set<string>(settings);

export const isOurName = (name: string): boolean => known.includes(name);

/** Whether it names a rule that would not be in force if it were misspelt. */
export const isRule = (name: string): boolean => rules.has(name);

/**
 * The name of ours that a variable of the environment was probably meant to be. Short names are
 * left out: shells and systems have a HOST, and many similar names.
 */
export const nearestName = (sent: string): string | undefined =>
  nearestOf(
    known.filter((name) => name.length >= 6),
    inOurWay(sent).replace(/^GATEHOUSE_/, ''),
    9,
  );

/** The same in a file that is ours, where others' names are rare and short names count. */
export const nearestInFile = (sent: string): string | undefined =>
  sent.length > 64 ? undefined : nearestOf(known, inOurWay(sent), 4);

const inOurWay = (sent: string) => sent.toUpperCase().replaceAll('-', '_');

/** @param shortest names of this length or more may have another letter */
function nearestOf(names: readonly string[], name: string, shortest: number): string | undefined {
  if (names.includes(name)) return name;
  const inOtherNumber = names.find((one) => singular(one) === singular(name));
  if (inOtherNumber) return inOtherNumber;
  return names.find(
    (one) => one.length >= shortest && distance(name, one) <= (one.length > 10 ? 2 : 1),
  );
}

/** A name with all its words in the singular. */
const singular = (name: string) =>
  name.replace(/IES(?=_|$)/g, 'Y').replace(/(?<=[^S])S(?=_|$)/g, '');

/** Letters added, removed, changed or swapped; 3 if the lengths differ by more than 2. */
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
