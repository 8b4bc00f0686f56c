import { sentence } from '../messages/sentence.ts';

/*
 * Pairs as people type them: `name = value`, in a form one per line. A name that contains an equals
 * sign is in double quotes, as in JSON.
 */

export function pairLine([name, value]: readonly [name: string, value: string]): string {
  return `${/^"|=/.test(name) ? JSON.stringify(name) : name} = ${value}`;
}

/** Reads what `pairLine` writes. Without an equals sign, the value is empty. */
export function readPair(line: string): [name: string, value: string] {
  const quoted = /^\s*("(?:[^"\\]|\\.)*")\s*=/.exec(line);
  const name = quoted && textIn(quoted[1] ?? '');
  if (quoted && name !== null) return [name.trim(), line.slice(quoted[0].length).trim()];
  const [plain = '', ...value] = line.split('=');
  return [plain.trim(), value.join('=').trim()];
}

function textIn(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}

/** The pairs in these lines, or a name that occurs twice. */
export function readPairs(
  lines: readonly string[],
): { pairs: Readonly<Record<string, string>> } | { twice: string } {
  const entries = lines.map(readPair);
  const names = entries.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? { pairs: Object.fromEntries(entries) } : { twice };
}

export const listedTwice = (name: string) =>
  sentence('refused.pair.twice', { name: name.slice(0, 60) });
