import { isDeepStrictEqual } from 'node:util';
import { inCapitals, type Named, nameIn, refTo, resolved, type Schema } from './json-schema.ts';
import { answerSchema, listIn } from './lists.ts';
import { type Operation, operations } from './operations.ts';
import { sampleAnswer } from './samples.ts';

/**
 * The name of what a call answers: that of its shape, or one made of the call. `UserList`,
 * `UserCreateResult`.
 */
function nameOf({ id, act, method }: Operation, schema: Schema): string {
  return (
    nameIn(schema) || inCapitals(id) + (method === 'GET' && listIn(act) !== null ? '' : 'Result')
  );
}

/** One that has all of a noun's shape, and more, is composed of it. */
export function nameAnswers(named: Named): void {
  const found = operations.map((operation) => {
    const schema = answerSchema(operation.act, operation.method, named);
    return { operation, schema, name: nameOf(operation, schema) };
  });
  const nouns = new Map(
    found
      .map(({ schema, operation }) => [nameIn(rowsOf(schema) ?? schema), operation.noun] as const)
      .filter(([name]) => name !== ''),
  );
  for (const { operation, schema, name } of found) {
    if (schema.$ref) continue;
    const base = [...nouns.keys()].find(
      (each) => nouns.get(each) === operation.noun && hasAllOf(schema, named[each] ?? {}),
    );
    named[name] = base ? composed(schema, base, named) : schema;
  }
}

const rowsOf = ({ properties }: Properties): Schema | undefined =>
  properties?.items?.items as Schema | undefined;

type Properties = { properties?: Named; required?: string[] };

const hasAllOf = ({ properties = {} }: Properties, base: Properties) =>
  Object.entries(base.properties ?? {}).every(([name, schema]) =>
    isDeepStrictEqual(properties[name], schema),
  );

function composed(schema: Schema & Properties, base: string, named: Named): Schema {
  const known = Object.keys((named[base] as Properties).properties ?? {});
  const more = Object.entries(schema.properties ?? {}).filter(([name]) => !known.includes(name));
  const required = more.map(([name]) => name);
  return {
    allOf: [refTo(base), { type: 'object', properties: Object.fromEntries(more), required }],
  };
}

/** The schema of what a call answers, which has been named, and an example of it. */
export function answerOf(operation: Operation, named: Named): { schema: Schema; example: unknown } {
  const schema = refTo(nameOf(operation, answerSchema(operation.act, operation.method)));
  const whole = resolved(schema, named);
  const { noun, act } = operation;
  return { schema, example: sampleAnswer(whole, named, noun, act.example) };
}
