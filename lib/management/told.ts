import type { z } from 'zod';

/** The name that records have for a field of the JSON: `created_at` is `createdAt`. */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name;
export const fromJson = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The reverse, for JSON and configuration file. The `BR` in a language stays as it is. */
export const inJson = (field: string): string =>
  field.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The fields of the JSON under the names of the record. */
type Recorded<Fields> = { [Name in keyof Fields as Camel<Name & string>]: Readonly<Fields[Name]> };

/** The fields of a record that a shape tells, under their names in the JSON. */
export const told = <Shape extends z.ZodObject>(
  shape: Shape,
  record: Recorded<z.input<Shape>>,
): z.input<Shape> =>
  Object.fromEntries(
    Object.keys(shape.shape).map((name) => [
      name,
      (record as Record<string, unknown>)[fromJson(name)],
    ]),
  ) as z.input<Shape>;

/** The reverse of `told`: what was said, under the names of the record. */
export const recorded = <Said extends object>(said: Said): Recorded<Said> =>
  Object.fromEntries(Object.entries(said).map(([name, value]) => [fromJson(name), value])) as never;
