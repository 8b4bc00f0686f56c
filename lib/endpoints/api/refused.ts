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

/** Turns an act's refusal into what the caller is sent. Other errors are returned unchanged. */
export function problemOf(error: unknown, call: Call, said: Said): unknown {
  if (!(error instanceof AdminRefusal)) return error;
  const { message, sentences } = error;
  // An address without parameters names nothing that could be missing.
  const isNamed = Object.keys(call.params).length > 0;
  const kind = error.kind === 'missing' && !isNamed ? 'refused' : error.kind;
  const errors = Object.entries(sentences)
    .map(([name, detail]) => ({
      field: Object.hasOwn(said, name) ? name : nameInJson(name, kind, call),
      detail,
    }))
    .filter(({ field }) => isSaid(field, kind, call, said));
  // Something that the body names does not exist. The address itself is right, so this is not a
  // 404.
  const isOfBody = kind === 'missing' && errors.length > 0;
  return new Problem(isOfBody ? 422 : statuses[kind], message, { errors });
}

/** Whether a fault is about a field, and not about what the address names. */
function isSaid(name: string, kind: RefusalKind, { params }: Call, said: Said): boolean {
  if (Object.hasOwn(params, name) || name === conflictField) return false;
  return kind !== 'missing' || Object.hasOwn(said, name);
}

/**
 * The API's name of a field. Forms may use camel case (`footerLinks`) or the singular of a list
 * (`client`). Any other name stands for the call's only field, if it has just one.
 */
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
