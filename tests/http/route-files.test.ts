import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findTarget } from '#app/mounts.ts';
import { pagePaths, programPaths } from '#app/paths.ts';

/** Files that Next.js serves as route handlers, by the address of their folder. */
const addresses = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)route\.tsx?$/.test(file))
  .map((file) => `/${file.replace(/\/?route\.tsx?$/, '')}`);

/** Pictures, one download of the dashboard, and what answers the forms of pages. */
const others = [
  '/admin/audit/export',
  '/branding/colours/[accent]',
  '/branding/logo/[hash]',
  '/logos/[clientId]/[hash]',
  '/mount/[...path]',
  '/pictures/[hash]',
];

test('each address of the protocol and of programs has its route file, and no other has one', () => {
  expect(addresses.toSorted()).toEqual([...programPaths, '/oauth', ...others].toSorted());
});

test.each([...programPaths, '/oauth'])(
  'the route file of %s serves what the table has there',
  (path) => {
    const text = readFileSync(`app${path}/route.ts`, 'utf8');
    expect(text).toBe(`import { routeAt } from '#app/route-at.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeAt('${path}');
`);
  },
);

test('all that programs and apps ask is found by its route file, not by a rewrite', () => {
  expect(pagePaths.filter((path) => /^\/(oauth|\.well-known|api)\b/.test(path))).toEqual([]);
  for (const path of programPaths) expect(findTarget(path, '')?.mount.path).toBe(path);
});
