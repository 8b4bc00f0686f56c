import type { z } from 'zod';
import { nearest } from './nearest.ts';

/*
 * What is wrong with something that came from outside, in the same sentences for the configuration
 * file, the command line, forms and the API. Shapes say what they take (values.ts): "takes a text".
 */

export type Path = readonly (string | number)[];
type ShapeFault = { path: Path; sentence: string };

/** What is wrong at one place of `whole`, which `shape` was to read. */
export function faultsOfIssue(
  issue: z.core.$ZodIssue,
  whole: unknown,
  shape: z.ZodType,
): ShapeFault[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      sentence: unknownName(key, knownAt(path, shape)),
    }));
  const received = valueAt(whole, path);
  if (received === undefined && path.length > 0) return [{ path, sentence: 'is missing.' }];
  // A union tells of its branches; where one of them is near, it says more than the union does.
  const inner = issue.code === 'invalid_union' ? nearBranch(issue, received) : [];
  if (inner.length > 0)
    return inner.flatMap((one) =>
      faultsOfIssue({ ...one, path: [...path, ...one.path] } as z.core.$ZodIssue, whole, shape),
    );
  return [{ path, sentence: `${issue.message}${sayReceived(path, received)}.` }];
}

/** The fault with the name of its place before it. */
export function sayAt(place: string, sentence: string): string {
  if (place === '') return sentence;
  const goesOn = /^(takes|is|needs|stands) /.test(sentence);
  return goesOn ? `${place} ${sentence}` : `${place}: ${sentence}`;
}

/** `redirect_uris[0]`, as people write it. */
export function sayPath(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part.slice(0, 80)}`))
    .join('')
    .replace(/^\./, '');
}

/** Of maps and lists the branch that takes one. */
function nearBranch(issue: z.core.$ZodIssueInvalidUnion, received: unknown) {
  if (typeof received !== 'object' || received === null) return [];
  const takesIt = issue.errors.filter((branch) =>
    branch.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
  );
  return takesIt.length === 1 ? (takesIt[0] ?? []) : [];
}

function valueAt(whole: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) => (value as Record<string, unknown> | null | undefined)?.[String(part)],
    whole,
  );
}

const mayBeSecret = /^(?:\w+_)?(?:secret|password|passphrase|token|code)$/;

/** Never of anything near a secret: it may be one. */
function sayReceived(path: Path, value: unknown): string {
  if (path.some((part) => mayBeSecret.test(String(part)))) return '';
  if (typeof value !== 'object' || value === null)
    return `, not ${JSON.stringify(value)?.slice(0, 60)}`;
  return Array.isArray(value) ? ', not a list' : ', not names with values';
}

function unknownName(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  if (meant !== undefined) return `There is no such name here. Did you mean ${meant}?`;
  return known.length === 0 || known.length > 12
    ? 'There is no such name here.'
    : `There is no such name here. There are: ${known.join(', ')}.`;
}

type Def = {
  type: string;
  shape?: object;
  innerType?: Schema;
  valueType?: Schema;
  element?: Schema;
  options?: Schema[];
};
type Schema = { _zod: { def: Def } };

/** The names that a shape knows at a path. */
function knownAt(path: Path, from: z.ZodType): string[] {
  const { def } = (from as unknown as Schema)._zod;
  const at = (below: Schema, rest: Path) => knownAt(rest, below as unknown as z.ZodType);
  if (def.innerType) return at(def.innerType, path);
  if (def.options) return def.options.flatMap((option) => at(option, path));
  const [next, ...rest] = path;
  if (next === undefined) return def.shape ? Object.keys(def.shape) : [];
  const below = def.shape
    ? (def.shape as Record<string, Schema>)[next]
    : (def.valueType ?? def.element);
  return below ? at(below, rest) : [];
}
