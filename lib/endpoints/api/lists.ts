import { z } from 'zod';
import { type Named, type Schema, schemaOf } from './json-schema.ts';
import type { AnyAct, ApiMethod } from './routes.ts';

/** The name under which an act returns the rows of a list. Null: it returns no list. */
export function listIn({ tells }: AnyAct): string | null {
  const shape: Record<string, unknown> = tells instanceof z.ZodObject ? tells.shape : {};
  const names = Object.keys(shape);
  const lists = names.filter((name) => shape[name] instanceof z.ZodArray);
  return 'next' in shape || lists.length === names.length ? (lists[0] ?? null) : null;
}

/**
 * What an act returned, as the API answers it. Every list has its rows in `items` and the cursor of
 * the next page in `next`, which is null at the end. Its rows are also under the name by which
 * clients knew them before.
 */
export function answered(act: AnyAct, told: unknown): unknown {
  const list = listIn(act);
  if (list === null) return told;
  const known = told as Record<string, unknown>;
  return { items: known[list], next: null, ...known };
}

export function answerSchema(act: AnyAct, method: ApiMethod, named: Named = {}): Schema {
  const schema = schemaOf(act.tells, 'output', named);
  const list = method === 'GET' ? listIn(act) : null;
  if (list === null) return schema;
  const { properties, required } = schema as { properties: Named; required: string[] };
  const { [list]: rows = {}, ...rest } = properties;
  const next = { type: ['string', 'null'], description: 'the cursor of the next page' };
  const before = { ...rows, description: 'the same as `items`', deprecated: true };
  const others = required.filter((name) => name !== list && name !== 'next');
  return {
    ...schema,
    properties: { items: rows, next, ...rest, [list]: before },
    required: ['items', 'next', ...others],
  };
}
