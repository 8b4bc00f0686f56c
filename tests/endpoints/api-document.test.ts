import { describe, expect, test } from 'vitest';
import { listIn } from '#lib/endpoints/api/lists.ts';
import { serveOpenApi } from '#lib/endpoints/api/openapi.ts';
import { operations } from '#lib/endpoints/api/operations.ts';
import {
  answerOf,
  describedIn,
  documentOfLastMonth,
  faultsBy,
  nameIn,
  type OpenApi,
  opened,
} from '../support/openapi.ts';

const document: OpenApi = JSON.parse((await serveOpenApi()).body ?? '');
const described = describedIn(document);
const before = opened(documentOfLastMonth());
const describedBefore = describedIn(before);
const calls = operations.map(({ method, template, act }) => {
  const list = method === 'GET' ? listIn(act) : null;
  return [`${method} ${template}`, list] as const;
});

/** Every schema of the document, with its path in it. */
function* schemasIn(part: unknown, path: string[] = []): Generator<[string[], object]> {
  if (typeof part !== 'object' || part === null) return;
  yield [path, part];
  for (const [name, each] of Object.entries(part)) yield* schemasIn(each, [...path, name]);
}

describe.each(calls)('%s in the OpenAPI document', (line, list) => {
  const operation = described.get(line);
  const answer = operation && answerOf(operation);
  const body = operation?.requestBody?.content['application/json'];

  test('answers a named schema, and has a valid example of the answer', () => {
    const { schema = {}, example } = answer ?? {};
    const [of = schema, plan] = (schema.anyOf ?? []) as { $ref?: string }[];
    expect([typeof of.$ref, plan?.$ref]).toEqual([
      'string',
      schema.anyOf ? '#/components/schemas/Plan' : undefined,
    ]);
    expect(faultsBy(document, of, example)).toEqual([]);
  });

  test('takes a named schema, if it takes a body, with a valid example', () => {
    if (!body) return;
    expect(Object.keys(body.schema)).toEqual(['$ref']);
    expect(faultsBy(document, body.schema, body.example)).toEqual([]);
  });

  test('answers what a client of last month expects, and a list in the one form of lists', () => {
    const { example } = answer ?? {};
    if (list !== null) expect(example).toMatchObject({ items: [expect.anything()], next: null });
    const { items } = example as { items?: unknown };
    const told = list === null ? example : { ...(example as object), [list]: items };
    const asBefore = describedBefore.get(line);
    if (!asBefore) return;
    expect(faultsBy(before, answerOf(asBefore).schema, told)).toEqual([]);
  });
});

test('no call of last month is gone from the OpenAPI document', () => {
  expect([...described.keys()]).toEqual(expect.arrayContaining([...describedBefore.keys()]));
});

test('the OpenAPI document names no second spelling of a boolean, and closes requests only', () => {
  const { schemas } = document.components;
  const spelled = [...schemasIn(schemas)].filter(([, part]) => {
    const words = (part as { enum?: unknown }).enum;
    return Array.isArray(words) && ['true', 'on'].some((word) => words.includes(word));
  });
  expect(spelled.map(([path]) => path.join('.'))).toEqual([]);
  const closed = [...schemasIn(document)].filter(
    ([, part]) => (part as { additionalProperties?: unknown }).additionalProperties === false,
  );
  const taken = [...described.values()].map(
    ({ requestBody }) => requestBody?.content['application/json'].schema.$ref,
  );
  const inputs = new Set(taken.map(($ref) => nameIn(String($ref))));
  expect(closed.length).toBeGreaterThan(40);
  for (const [[first, second, name = '']] of closed)
    expect([first, second, inputs.has(name), name]).toEqual(['components', 'schemas', true, name]);
});
