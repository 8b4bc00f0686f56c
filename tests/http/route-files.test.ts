import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findTarget } from '#app/mounts.ts';
import { programPaths } from '#app/paths.ts';
import { routes } from '#lib/endpoints/api/routes.ts';
import { httpMethods } from '#lib/http/serve.ts';
import { apiPath } from '#lib/management/api-key/rights.ts';

/** The files that Next.js serves as route handlers, by the address of their folder. */
const addresses = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)route\.tsx?$/.test(file))
  .map((file) => `/${file.replace(/\/?route\.tsx?$/, '')}`);

/** The route that serves every address of the API. */
const ofApi = `${apiPath}/[[...path]]`;

/**
 * Pictures, downloads from the dashboard and the documentation, and routes that answer the forms of
 * pages.
 */
const others = [
  '/admin/approvals/export',
  '/admin/approvals/matrix/export',
  '/admin/audit/export',
  '/admin/clients/export',
  '/admin/find',
  '/admin/people/export',
  '/admin/traces/export',
  '/branding/app-colours/[accent]',
  '/branding/colours/[accent]',
  '/branding/logo/[hash]',
  '/docs/gatehouse.postman_collection.json',
  '/docs/markdown/[...page]',
  '/llms-full.txt',
  '/llms.txt',
  '/logos/[clientId]/[hash]',
  '/marks/[recipe]',
  '/mount/[...path]',
  '/pictures/[hash]',
  '/auth/realms/[...address]',
  '/realms/[...address]',
];

test('each path of protocol, API and programs has a route file, and no other path has one', () => {
  const expected = [...programPaths, '/oauth', ofApi, ...others];
  expect(addresses.toSorted()).toEqual(expected.toSorted());
});

/** The methods that a route file exports, the function that makes them, and its argument. */
function exportsOf(address: string) {
  const [, methods, make, asked] =
    /^export const \{ (.+) \} = (\w+)\(\s*'(.*)',?\s*\);$/ms.exec(
      readFileSync(`app${address}/route.ts`, 'utf8'),
    ) ?? [];
  return { methods: methods?.split(', '), make, asked };
}

test.each([...programPaths, '/oauth'])(
  'the route file of %s serves that path of the table',
  (path) => {
    expect(exportsOf(path)).toEqual({ methods: httpMethods, make: 'routeAt', asked: path });
  },
);

test('the route file of the API serves every path of the table below it', () => {
  expect(exportsOf(ofApi)).toEqual({ methods: httpMethods, make: 'routesBelow', asked: '' });
  for (const path of Object.values(routes).flatMap(Object.keys))
    expect(findTarget(apiPath + path, '')?.mount.path).toBe(apiPath + path);
});
