// Compares what docs/endpoints.md says about an authorization request with the actual checks.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { acrNames } from '#lib/oauth/acr.ts';
import {
  checkAuthorizationRequest,
  knownParams,
  prompts,
} from '#lib/oauth/authorization-request.ts';
import { type Client, newClient } from '#lib/oauth/client.ts';
import { errorTable, OAuthRefusal } from '#lib/oauth/errors.ts';
import { parseForm } from '#lib/oauth/params.ts';
import { repeatable } from '#lib/oauth/resource.ts';
import { resolveSettings } from '#lib/settings/table.ts';
import { codesIn } from './blocks.ts';

const [, section = ''] =
  /^## What an authorization request can say\n(.*?)^## /ms.exec(
    readFileSync('docs/endpoints.md', 'utf8'),
  ) ?? [];

/** What the table says about each parameter: its values and what it does. */
const rows = new Map(
  section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name = '', values = '', does = '']) => [name.slice(1, -1), { values, does }] as const),
);
/** Its values, without the commas within numbers. */
const valuesOf = (name: string) => rows.get(name)?.values.replace(/(\d),(\d{3})/g, '$1$2') ?? '';

const client = { ...newClient, id: 'app', origin: 'admin', host: null } as unknown as Client;
const openid = { name: 'openid', description: '', translations: {}, sensitive: false };
const known = { scopes: [{ ...openid, isDefault: true }], apis: [], pushed: false };

/** The refusal of a request; null if it is accepted. */
function refusalOf(query: string): OAuthRefusal | null {
  const settings = resolveSettings({}, {});
  try {
    checkAuthorizationRequest(parseForm(query), client, { ...known, settings });
    return null;
  } catch (error) {
    if (error instanceof OAuthRefusal) return error;
    throw error;
  }
}
const asking = (more: string) => refusalOf(`client_id=app&response_type=code&${more}`);

test('docs/endpoints.md lists every known parameter of an authorization request, and no other', () => {
  expect([...rows.keys()].toSorted()).toEqual([...knownParams, repeatable].toSorted());
});

describe('docs/endpoints.md gives the accepted values of the authorization request’s parameters', () => {
  test.each([
    ['response_type', refusalOf('response_type=x')],
    ['response_mode', asking('response_mode=x')],
    ['code_challenge_method', asking('code_challenge=x&code_challenge_method=plain')],
  ])('%s', (name, refusal) => {
    expect(codesIn(valuesOf(name)).toSorted()).toEqual(refusal?.facts?.expected?.toSorted());
  });

  test('prompt', () => {
    expect(codesIn(valuesOf('prompt')).toSorted()).toEqual(prompts.toSorted());
  });

  test('acr_values', () => {
    expect(codesIn(valuesOf('acr_values'))).toEqual(acrNames);
  });

  test('state and resource: the limits', () => {
    const long = asking(`state=${'x'.repeat(5000)}`);
    expect(valuesOf('state')).toContain(long?.facts?.expected?.[0]);
    const many = Array.from({ length: 20 }, (_, at) => `resource=https://a.example/${at}`);
    expect(valuesOf(repeatable)).toContain(asking(many.join('&'))?.facts?.expected?.[0]);
  });

  test('max_age: up to ten digits', () => {
    expect(valuesOf('max_age')).toContain('up to ten digits');
    expect([asking('max_age=9999999999'), asking('max_age=10000000000')?.code]).toEqual([
      null,
      'invalid_request',
    ]);
  });
});

test('docs/endpoints.md gives the error code of each refused authorization request parameter', () => {
  for (const name of ['request', 'request_uri', 'registration'])
    expect(codesIn(rows.get(name)?.does), name).toContain(asking(`${name}=x`)?.code);
});

test('an empty or unknown authorization request parameter is ignored, a repeated one is refused', () => {
  expect(asking('prompt=&max_age=&unknown=1&unknown=2&display=x')).toBeNull();
  expect(asking('prompt=login&prompt=login')?.code).toBe('invalid_request');
  expect(asking('resource=https://a.example&resource=https://b.example')).toBeNull();
});

test('docs/endpoints.md explains each value of prompt, and names only existing error codes', () => {
  const explained = [...section.matchAll(/^- `(\w+)`: /gm)].map(([, value = '']) => value);
  expect(explained).toEqual(codesIn(valuesOf('prompt')));
  const errors = codesIn(section).filter((code) =>
    /^(invalid_\w+|access_denied|un\w+_\w+|\w+_(required|supported|requirements))$/.test(code),
  );
  expect(errors.length).toBeGreaterThan(10);
  expect(errors.filter((code) => !Object.hasOwn(errorTable, code))).toEqual([]);
});
