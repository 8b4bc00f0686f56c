import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { build, inputsOf } from '#lib/tooling/prepare.ts';
import { needsBuild } from '#lib/tooling/test-imports.ts';

const inputs = inputsOf(build);

test.each([
  ['tests/oauth/params.test.ts', false],
  ['tests/store/cleaning.test.ts', false],
  ['tests/management/groups.test.ts', false],
  ['tests/endpoints/flow.test.ts', true],
  ['tests/messages/bundles.test.ts', true],
  ['tests/server/start.test.ts', true],
])('%s needs the screens: %s', (file, needs) => expect(needsBuild(file)).toBe(needs));

test('the screens are built again for each of our files that is in them', () => {
  const built = globSync('.next/server/**/*.js.map').flatMap((map) => {
    const { sources = [], sections = [] } = JSON.parse(readFileSync(map, 'utf8'));
    const all: string[] = [...sources, ...sections.flatMap((each: Section) => each.map.sources)];
    return all.map((source) => decodeURIComponent(join(dirname(map), source)));
  });
  const ours = new Set(built.filter((file) => /^(lib|prisma)\/\S+$/.test(file)));
  expect(ours.size).toBeGreaterThan(500);
  expect([...ours].filter((file) => !inputs.includes(file))).toEqual([]);
});
type Section = { map: { sources: string[] } };

test.each([
  ['lib/server/serve.ts', false],
  ['lib/cli.ts', false],
  ['lib/tooling/commands.ts', false],
  ['lib/tooling/prepare.ts', true],
  ['lib/store/settings.ts', true],
  ['prisma/generated/tables.ts', true],
])('a change of %s builds the screens: %s', (file, builds) =>
  expect(inputs.includes(file)).toBe(builds),
);
