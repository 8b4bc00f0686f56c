import { type Named, type Schema, schemaOf } from './json-schema.ts';
import type { Operation } from './operations.ts';
import { sampleParameter } from './samples.ts';

type JsonObject = { properties?: Record<string, Schema>; required?: string[] };

/** Parameters and body. The schemas that they refer to are added to `named`. */
export function takenBy({ noun, template, method, act }: Operation, named: Named = {}) {
  const { properties = {}, required = [] } = schemaOf(act.takes, 'input', named) as JsonObject;
  const inPath = (name: string) => template.includes(`{${name}}`);
  const parameter = (name: string, place: 'path' | 'query') => {
    const { description, ...schema } = properties[name] ?? {};
    const example = place === 'path' ? sampleParameter(schema, name, noun) : undefined;
    return { name, in: place, required: required.includes(name), description, schema, example };
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
    body: method === 'DELETE' ? null : bodyOf(further, properties, required, act.example),
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
  const given = names.length === 0 ? {} : example;
  return {
    required: needed.length > 0,
    content: { 'application/json': { schema, example: given } },
  };
}
