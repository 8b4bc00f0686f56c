// Compares the limits and the lists for scripts in docs/guides/limits.md with the code.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findTarget } from '#app/mounts.ts';
import { endpointPaths } from '#app/paths.ts';
import { mostForNetwork } from '#lib/registration/fetch-limits.ts';
import { codesIn } from './blocks.ts';

const page = readFileSync('docs/guides/limits.md', 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, what = '', said = '']) => ({ what, said }));

/** A number in one of our files, such as `const perAddress = 60;`. */
function numberIn(file: string, name: string): number {
  const [, digits] =
    new RegExp(`^const ${name} = (\\d+);$`, 'm').exec(readFileSync(file, 'utf8')) ?? [];
  return Number(digits);
}

test('the limits in docs/guides/limits.md are those of the code', () => {
  const limitOf = (begin: string) =>
    Number(rows.find(({ what }) => what.startsWith(begin))?.said.replace(',', ''));
  const endpoints = 'lib/endpoints';
  expect(limitOf('registrations of apps')).toBe(numberIn(`${endpoints}/register.ts`, 'perAddress'));
  expect(limitOf('devices')).toBe(numberIn(`${endpoints}/device-authorization.ts`, 'perAddress'));
  const pushed = numberIn(`${endpoints}/pushed-request.ts`, 'mostOfStrangers');
  expect(limitOf('requests pushed')).toBe(pushed);
  expect(limitOf('calls of one key')).toBe(numberIn(`${endpoints}/api/caller.ts`, 'perCaller'));
  expect(limitOf('calls of the API')).toBe(numberIn(`${endpoints}/api/caller.ts`, 'perAddress'));
  expect(limitOf('new apps')).toBe(numberIn('lib/registration/keep.ts', 'mostForPerson'));
  expect(limitOf('[metadata documents]')).toBe(mostForNetwork);
});

/** A browser's steps between our own pages; no app knows these addresses. */
const between = ['/oauth/continue', '/oauth/cancel'];
/** Addresses outside `/oauth` that apps request. */
const metadata = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];

test('docs/guides/limits.md says for every endpoint whether scripts may call it (CORS)', () => {
  const asked = rows.flatMap(({ what, said }) =>
    /^(yes|no)\b/.test(said)
      ? codesIn(what).map((path) => [path, said.startsWith('yes')] as const)
      : [],
  );
  const paths: string[] = endpointPaths.filter(
    (path) => path.startsWith('/oauth/') && !between.includes(path),
  );
  const expected = [...paths, ...metadata, '/api/v1'];
  expect(asked.map(([path]) => path).toSorted()).toEqual(expected.toSorted());
  for (const [path, may] of asked)
    expect(findTarget(path, '')?.mount.cors ?? false, path).toBe(may);
});

test('docs/guides/limits.md names the headers that scripts may send and read (CORS)', () => {
  const source = readFileSync('lib/http/serve.ts', 'utf8');
  const [, sent = '', read = ''] =
    /^`Access-Control-Allow-Origin` is `\*`\. Scripts may send the headers (.*?), and read (.*?)\. /m.exec(
      page,
    ) ?? [];
  const inCode = (header: string) =>
    new RegExp(`'?access-control-${header}'?\\]?(?: =|:) '(.*)'`).exec(source)?.[1]?.split(', ');
  expect(codesIn(sent).toSorted()).toEqual(inCode('allow-headers')?.toSorted());
  expect(codesIn(read).toSorted()).toEqual(inCode('expose-headers')?.toSorted());
});
