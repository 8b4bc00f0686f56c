import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findTarget } from '#app/mounts.ts';
import { pagePaths, programPaths } from '#app/paths.ts';
import { httpMethods } from '#lib/http/serve.ts';

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
    const [, methods, served] =
      /^export const \{ (.+) \} = routeAt\(\s*'(.+)',?\s*\);$/ms.exec(
        readFileSync(`app${path}/route.ts`, 'utf8'),
      ) ?? [];
    expect([methods?.split(', '), served]).toEqual([httpMethods, path]);
  },
);
