import { z } from 'zod';
import { plainType } from '../../management/values.ts';

export type Schema = Record<string, unknown>;
export type Named = Record<string, Schema>;

const place = '#/components/schemas/';

export const refTo = (name: string): Schema => ({ $ref: place + name });

export const nameIn = (schema: Schema): string => String(schema.$ref ?? '').replace(place, '');

/** A name with underscores or dashes as the name of a type: `UserCreate`. */
export const inCapitals = (name: string): string =>
  name
    .split(/[_-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The schema that a reference names; a schema that is no reference stays as it is. */
export const resolved = (schema: Schema, named: Named): Schema => named[nameIn(schema)] ?? schema;

/** A shape with an `id` becomes a reference, and its schema is added to `named`. */
export function schemaOf(type: z.ZodType, io: 'input' | 'output', named: Named = {}): Schema {
  const made = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const plain = plainType.get(zodSchema);
      if (plain) Object.assign(jsonSchema, plain, { anyOf: undefined });
      if (io === 'output') open(jsonSchema);
      withoutNoise(jsonSchema);
    },
  });
  const moved = JSON.stringify(made).replaceAll('"#/$defs/', `"${place}`);
  const { $schema: _, $defs, ...schema } = JSON.parse(moved) as Schema & { $defs?: Named };
  Object.assign(named, $defs);
  return schema;
}

/** Only a request is closed: an answer gets further properties with later versions. */
function open(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

/** Takes out what holds for every whole number and every name in JSON. */
function withoutNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.type === 'object') delete schema.propertyNames;
}
