import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findTarget } from '#app/mounts.ts';
import { routes } from '#lib/endpoints/api/routes.ts';
import { apiPath } from '#lib/management/api-key/rights.ts';
import { routeFiles } from '#lib/reference/route-files.ts';

/** The files that Next.js serves as route handlers, by the address of their folder. */
const addresses = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)route\.tsx?$/.test(file))
  .map((file) => `/${file.replace(/\/?route\.tsx?$/, '')}`);

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
  '/admin/terms/export',
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
];

test('only endpoints, pictures, downloads and forms have a route file', () => {
  const written = Object.keys(routeFiles()).map((file) => file.slice(3).replace('/route.ts', ''));
  expect(addresses.toSorted()).toEqual([...written, ...others].toSorted());
});

test('the route file of the API serves every path of the table below it', () => {
  for (const path of Object.values(routes).flatMap(Object.keys))
    expect(findTarget(apiPath + path, '')?.mount.path).toBe(apiPath + path);
});
