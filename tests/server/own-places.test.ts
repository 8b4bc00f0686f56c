import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { nameOwnPlaces } from '#lib/server/own-places.ts';

const before = Error.prepareStackTrace;
beforeAll(nameOwnPlaces);
afterAll(() => {
  Error.prepareStackTrace = before;
});

type Person = { name: string };

class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** The first lines of an error's stack, once as V8 writes them and once as we do. */
async function stacksOf(fail: () => unknown): Promise<unknown[]> {
  const stacks: unknown[] = [];
  for (const prepare of [before, Error.prepareStackTrace]) {
    Error.prepareStackTrace = prepare;
    try {
      await null;
      await fail();
    } catch (error) {
      stacks.push((error as Error).stack?.split('\n').slice(0, 4));
    }
  }
  return stacks;
}

test.each<[string, () => unknown]>([
  ['an error of ours', () => Promise.reject(new Refusal('no\n    at line (two:1:1)'))],
  ['one of the engine', () => (null as unknown as Person).name],
  ['one from inside Node.js', () => new URL('nowhere')],
  ['one from code that is made', () => new Function('throw new TypeError("made")')()],
  ['one that waited', async () => [await null, JSON.parse('{')]],
  ['one without a message', () => Promise.reject(new Error())],
])('a stack trace without a source map is unchanged: %s', async (_, fail) => {
  const [theirs, ours] = await stacksOf(fail);
  expect(ours).toEqual(theirs);
  expect(ours).toHaveLength(4);
});

test('an error whose name cannot be read still has a stack trace', () => {
  const error = new Error('x');
  Object.defineProperty(error, 'name', {
    get: () => {
      throw new Error('no');
    },
  });
  expect(error.stack).toMatch(/^<error>\n {4}at .*own-places/);
});

test.each(['{', '{"version":3}', null])(
  'a stack trace with the source map %j is unchanged',
  async (map) => {
    const folder = resolve(mkdtempSync(resolve(tmpdir(), 'gatehouse-places-')), '.next');
    onTestFinished(() => rmSync(resolve(folder, '..'), { recursive: true }));
    mkdirSync(folder);
    const file = resolve(folder, 'built.mjs');
    writeFileSync(file, 'export const fail = () => {\n  throw new Error("built");\n};\n');
    if (map !== null) writeFileSync(`${file}.map`, map);
    const { fail } = (await import(pathToFileURL(file).href)) as { fail: () => void };
    const [theirs, ours] = await stacksOf(fail);
    expect(ours).toEqual(theirs);
  },
);
