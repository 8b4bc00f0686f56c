import { isText } from '../oauth/params.ts';

const deepest = 20;

/** Brackets inside strings count too: only texts written to trip this check contain that many. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (const character of json) {
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Counts the names in valid JSON at any depth: the colons outside strings. */
export function countNames(json: string): number {
  let [names, inString] = [0, false];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') inString = !inString;
    else if (inString && character === '\\') at += 1;
    else if (!inString && character === ':') names += 1;
  }
  return names;
}

/** Lower than `countNames` if an object had a name twice. */
export function countKept(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const inside = Object.values(value).reduce<number>((sum, each) => sum + countKept(each), 0);
  return inside + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

/** Whether every string in a value, including names, can be stored as text. */
export function isAllText(value: unknown): boolean {
  if (typeof value === 'string') return isText(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([name, each]) => isText(name) && isAllText(each));
}
