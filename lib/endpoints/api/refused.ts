import { Problem, type ProblemStatus } from '../../http/problem.ts';
import type { By } from '../../management/act.ts';
import { AdminRefusal, conflictField, type RefusalKind } from '../../management/refusal.ts';
import type { Call } from './call.ts';
import type { Said } from './said.ts';
import { currentEtag } from './versions.ts';

const statuses: Record<RefusalKind, ProblemStatus> = {
  missing: 404,
  conflict: 409,
  full: 409,
  refused: 422,
};

/** What a caller is told of what an act refused; anything else as it is. */
export async function problemOf(error: unknown, call: Call, said: Said, by: By): Promise<unknown> {
  if (!(error instanceof AdminRefusal)) return error;
  const { kind, message, field, faults } = error;
  const isStale = kind === 'conflict' && field === conflictField && by.seen !== undefined;
  const etag = isStale ? await currentEtag(call, by) : null;
  const headers: Record<Lowercase<string>, string> = etag === null ? {} : { etag };
  const errors = Object.entries(faults)
    .filter(([name]) => isSaid(name, kind, call, said))
    .map(([name, detail]) => ({ field: name, detail }));
  // What the body names is not there: the address is right.
  const isOfBody = kind === 'missing' && errors.length > 0;
  const status = isStale ? 412 : isOfBody ? 422 : statuses[kind];
  return new Problem(status, message, { headers, errors });
}

/** Whether a fault is of what was said, or should have been; not of what the address names. */
function isSaid(name: string, kind: RefusalKind, { params }: Call, said: Said): boolean {
  if (Object.hasOwn(params, name) || name === conflictField) return false;
  return kind !== 'missing' || Object.hasOwn(said, name);
}
