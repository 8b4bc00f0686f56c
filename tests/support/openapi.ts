import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';

type Json = { [name: string]: unknown };
type Content = { 'application/json': { schema: Json; example?: unknown } };
type Described = {
  operationId: string;
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
export type OpenApi = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Json> };
};

/**
 * The document that a client of last month was made from: of 2026-11-28, before lists had `items`.
 * It is replaced when it is a month old, by the one that is then published.
 */
export function documentOfLastMonth(): OpenApi {
  const file = resolve(import.meta.dirname, '../endpoints/openapi-of-last-month.json.gz');
  return JSON.parse(gunzipSync(readFileSync(file)).toString());
}

/** The operations of a document, by method and address: `POST /users`. */
export const describedIn = ({ paths }: OpenApi): Map<string, Described> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => [`${method.toUpperCase()} ${path}`, each]),
    ),
  );

/** What an operation answers once it is done. */
export function answerOf({ responses }: Described): Content['application/json'] {
  const content = (responses[201] ?? responses[200])?.content?.['application/json'];
  if (!content) throw new Error('The operation has no answer.');
  return content;
}

/** What is wrong with a value by a schema of a document; empty if nothing is. */
export function faultsBy(document: OpenApi, schema: Json, value: unknown): string[] {
  const read = z.fromJSONSchema(whole(document, schema) as never).safeParse(value);
  return (read.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/** A schema with everything that it refers to. */
function whole(document: OpenApi, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => whole(document, each));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...rest } = part as Json;
  const named = typeof $ref === 'string' ? document.components.schemas[nameIn($ref)] : {};
  const entries = Object.entries({ ...named, ...rest });
  return Object.fromEntries(entries.map(([name, each]) => [name, whole(document, each)]));
}

/** The name in a reference. */
export const nameIn = ($ref: string): string => $ref.split('/').at(-1) ?? '';

/** The same document, whose objects may have further properties. */
export const opened = (document: OpenApi): OpenApi =>
  JSON.parse(
    JSON.stringify(document, (name, value) =>
      name === 'additionalProperties' && value === false ? undefined : value,
    ),
  );
