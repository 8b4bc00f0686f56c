// Compares the lists in docs/api/terraform.md with what the API returns.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Named } from '#lib/endpoints/api/json-schema.ts';
import { answerOf, nameAnswers } from '#lib/endpoints/api/named-answers.ts';
import { operations } from '#lib/endpoints/api/operations.ts';
import { propertiesOf } from '#lib/endpoints/api/samples.ts';

const page = readFileSync('docs/api/terraform.md', 'utf8');

/** The names in a list on the page. */
function listed(list: string): string[] {
  const [, names = ''] = new RegExp(`\\b${list} = \\[([^\\]]*)\\]`).exec(page) ?? [];
  return [...names.matchAll(/"(\w+)"/g)].map(([, name = '']) => name);
}

/** Everything that these calls return about a thing, as its page below docs/api shows. */
function told(...ids: string[]): string[] {
  const calls = operations.filter(({ id }) => ids.includes(id));
  expect(calls.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const named: Named = {};
  nameAnswers(named);
  const names = calls.flatMap((call) =>
    Object.keys(propertiesOf(answerOf(call, named).schema, named)),
  );
  return [...new Set(names)].toSorted();
}

test('the list of app properties in docs/api/terraform.md is that of the API', () => {
  const names = listed('of_apps');
  expect(names.length).toBeGreaterThan(50);
  expect(names.toSorted()).toEqual(told('client_create', 'client_show', 'client_update'));
});

test('the list of group properties in docs/api/terraform.md is that of the API, without those that it sets', () => {
  const [, said = ''] = /"\/groups"\n\s+data\s+= jsonencode\(\{([^}]*)\}/.exec(page) ?? [];
  const own = [...said.matchAll(/(\w+) = "/g)].map(([, name = '']) => name);
  expect(own).toEqual(['name', 'description']);
  expect([...listed('of_groups'), ...own].toSorted()).toEqual(
    told('group_create', 'group_show', 'group_update'),
  );
});
