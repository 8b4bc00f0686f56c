import { z } from 'zod';
import { Problem, type ProblemStatus } from '../../http/problem.ts';
import { AdminRefusal, conflictField, type RefusalKind } from '../../management/refusal.ts';
import type { Call } from './find.ts';
import type { Said } from './said.ts';

const statuses: Record<RefusalKind, ProblemStatus> = {
  missing: 404,
  conflict: 409,
  full: 409,
  refused: 422,
};

/** What a caller hears about what an act refused; anything else as it is. */
export function problemOf(error: unknown, call: Call, said: Said): unknown {
  if (!(error instanceof AdminRefusal)) return error;
  const { message, sentences } = error;
  // An address without holes names nothing that could be missing.
  const isNamed = Object.keys(call.params).length > 0;
  const kind = error.kind === 'missing' && !isNamed ? 'refused' : error.kind;
  const errors = Object.entries(sentences)
    .map(([name, detail]) => ({
      field: Object.hasOwn(said, name) ? name : nameInJson(name, kind, call),
      detail,
    }))
    .filter(({ field }) => isSaid(field, kind, call, said));
  // What the body names is not there: the address is right.
  const isOfBody = kind === 'missing' && errors.length > 0;
  return new Problem(isOfBody ? 422 : statuses[kind], message, { errors });
}

/** Whether a fault is of what was said, or should have been; not of what the address names. */
function isSaid(name: string, kind: RefusalKind, { params }: Call, said: Said): boolean {
  if (Object.hasOwn(params, name) || name === conflictField) return false;
  return kind !== 'missing' || Object.hasOwn(said, name);
}

/** A field as the API calls it: forms have `footerLinks`, one `client` of a list, or no field but one. */
function nameInJson(name: string, kind: RefusalKind, { operations, method, params }: Call): string {
  const { takes } = operations[method] ?? {};
  const shape = takes instanceof z.ZodObject ? takes.shape : {};
  const taken = Object.keys(shape).filter((each) => !Object.hasOwn(params, each));
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const found = [name, snake, `${snake}s`].find((each) => taken.includes(each));
  if (found !== undefined || kind === 'missing' || name.includes('[')) return found ?? name;
  const [only, ...others] = taken;
  return only === undefined || others.length > 0 ? name : only;
}
