import { z } from 'zod';
import { examples } from './examples.ts';
import type { Operation } from './operations.ts';

export type Schema = Record<string, unknown>;

type JsonObject = { properties?: Record<string, Schema>; required?: string[] };

/** The input of a call: parameters in its address and query, and its body. */
export function takenBy({ template, method, act, id }: Operation) {
  const { properties = {}, required = [] } = schemaOf(act.takes, 'input') as JsonObject;
  const inPath = (name: string) => template.includes(`{${name}}`);
  const parameter = (name: string, place: 'path' | 'query') => {
    const { description, ...schema } = properties[name] ?? {};
    return { name, in: place, required: required.includes(name), description, schema };
  };
  const [own, further] = [
    Object.keys(properties).filter(inPath),
    Object.keys(properties).filter((name) => !inPath(name)),
  ];
  const path = own.map((name) => parameter(name, 'path'));
  if (method === 'GET')
    return {
      parameters: [...path, ...further.map((name) => parameter(name, 'query'))],
      body: null,
    };
  return {
    parameters: path,
    body: method === 'DELETE' ? null : bodyOf(further, properties, required, examples[id]),
  };
}

function bodyOf(
  names: readonly string[],
  properties: Record<string, Schema>,
  required: string[],
  example?: object,
) {
  const needed = names.filter((name) => required.includes(name));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    ...(needed.length > 0 ? { required: needed } : {}),
    additionalProperties: false,
  };
  return { required: needed.length > 0, content: { 'application/json': { schema, example } } };
}

/** The JSON Schema of a Zod type. */
export const schemaOf = (type: z.ZodType, io: 'input' | 'output'): Schema => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return schema;
};
