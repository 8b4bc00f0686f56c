import type { z } from 'zod';
import { type Sentence, sentence } from '../messages/sentence.ts';
import { nearest } from './nearest.ts';
import type { TakesKey } from './values.ts';

/*
 * What is wrong with input from outside, in the same sentences for the configuration file, the
 * command line, forms and the API. Shapes name what they take by a key (values.ts): `takes.text`.
 */

export type Path = readonly (string | number)[];
type ShapeFault = { path: Path; sentence: Sentence };

/** What is wrong at one place in `whole`, which should have matched `shape`. */
export function faultsOfIssue(
  issue: z.core.$ZodIssue,
  whole: unknown,
  shape: z.ZodType,
): ShapeFault[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      sentence: unknownName(key, fieldsAt(path, shape)),
    }));
  const received = valueAt(whole, path);
  if (received === undefined && path.length > 0)
    return [{ path, sentence: sentence('refused.shape.missing', nowhere) }];
  // A union reports the faults of every branch. If one branch is close, its own faults say more.
  const inner = issue.code === 'invalid_union' ? nearBranch(issue, received) : [];
  if (inner.length > 0)
    return inner.flatMap((one) =>
      faultsOfIssue({ ...one, path: [...path, ...one.path] } as z.core.$ZodIssue, whole, shape),
    );
  return [{ path, sentence: takesFault(issue, path, received) }];
}

/** The values of a sentence that does not name a place. */
const nowhere = { at: 'none', place: '' };

/** The fault, with the name of its place. */
export function placed({ path, sentence: { key, values } }: ShapeFault): Sentence {
  const place = sayPath(path);
  return { key, values: place === '' ? values : { ...values, at: 'some', place } };
}

function takesFault(issue: z.core.$ZodIssue, path: Path, value: unknown): Sentence {
  const received = receivedOf(path, value);
  const what = takesOf(issue);
  if (what === null) {
    const said = { ...nowhere, reason: issue.message };
    return received === null
      ? sentence('refused.shape.other', said)
      : sentence('refused.shape.otherNot', { ...said, received });
  }
  return received === null
    ? sentence('refused.shape.takes', { ...nowhere, what })
    : sentence('refused.shape.takesNot', { ...nowhere, what, received });
}

/** What a shape of values.ts takes; null for others, whose message already says so in English. */
function takesOf(issue: z.core.$ZodIssue): Sentence | null {
  if (!issue.message.startsWith('takes.')) return null;
  const words = issue.code === 'invalid_value' ? issue.values.map(String).join(', ') : '';
  return { key: issue.message as TakesKey, values: { words } };
}

/** Such as `redirect_uris[0]`. */
export function sayPath(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part.slice(0, 80)}`))
    .join('')
    .replace(/^\./, '');
}

/** For a map or a list, the only branch that takes one. */
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

/** What was received, unless it is near a secret: then it may be one. */
function receivedOf(path: Path, value: unknown): string | Sentence | null {
  if (path.some((part) => mayBeSecret.test(String(part)))) return null;
  if (typeof value !== 'object' || value === null)
    return String(JSON.stringify(value)).slice(0, 60);
  return sentence(Array.isArray(value) ? 'refused.shape.list' : 'refused.shape.names');
}

/** `public` may be meant as `type: "public"`: a value of a field, sent as a name. */
function unknownName(name: string, fields: readonly Field[]): Sentence {
  const known = fields.map(([field]) => field);
  const [taking] = fields.find(([, field]) => wordsOf(field).includes(name)) ?? [];
  const meant = taking ? `${taking}: ${JSON.stringify(name)}` : nearest(name, known);
  if (meant !== undefined) return sentence('refused.shape.unknownMeant', { ...nowhere, meant });
  return known.length === 0 || known.length > 12
    ? sentence('refused.shape.unknown', nowhere)
    : sentence('refused.shape.unknownOf', { ...nowhere, known: known.join(', ') });
}

type Def = {
  type: string;
  shape?: object;
  innerType?: Schema;
  valueType?: Schema;
  element?: Schema;
  options?: Schema[];
  entries?: object;
};
type Schema = { _zod: { def: Def } };

type Field = readonly [name: string, shape: Schema];

const wordsOf = ({ _zod: { def } }: Schema): unknown[] =>
  def.innerType ? wordsOf(def.innerType) : Object.values(def.entries ?? {});

function fieldsAt(path: Path, from: z.ZodType): Field[] {
  const { def } = (from as unknown as Schema)._zod;
  const at = (below: Schema, rest: Path) => fieldsAt(rest, below as unknown as z.ZodType);
  if (def.innerType) return at(def.innerType, path);
  if (def.options) return def.options.flatMap((option) => at(option, path));
  const [next, ...rest] = path;
  if (next === undefined) return Object.entries((def.shape ?? {}) as Record<string, Schema>);
  const below = def.shape
    ? (def.shape as Record<string, Schema>)[next]
    : (def.valueType ?? def.element);
  return below ? at(below, rest) : [];
}
