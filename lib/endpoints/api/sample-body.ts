import type { Operation } from './operations.ts';
import { type Schema, takenBy } from './taken.ts';

/** What a call could have as its body: what it needs, else the first thing that it takes; null: it takes none. */
export function sampleBody(operation: Operation): Record<string, unknown> | null {
  const { body } = takenBy(operation);
  const schema = body?.content['application/json'].schema;
  if (!schema || Object.keys(schema.properties).length === 0) return null;
  const names = schema.required ?? Object.keys(schema.properties).slice(0, 1);
  return Object.fromEntries(
    names.map((name) => [name, sampleOf((schema.properties[name] ?? {}) as Schema)]),
  );
}

function sampleOf(schema: Schema): unknown {
  const {
    type,
    anyOf,
    items,
    enum: words,
  } = schema as {
    type?: string;
    anyOf?: Schema[];
    items?: Schema;
    enum?: unknown[];
  };
  if (words) return words[0];
  if (anyOf) return sampleOf(anyOf[0] ?? {});
  if (type === 'array') return [sampleOf(items ?? {})];
  const samples: Record<string, unknown> = { boolean: true, integer: 1, number: 1, object: {} };
  return samples[type ?? ''] ?? '…';
}
