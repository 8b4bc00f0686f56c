import { expect, test } from 'vitest';
import { needsBuild } from '#lib/tooling/test-imports.ts';

test.each([
  ['tests/oauth/params.test.ts', false],
  ['tests/store/cleaning.test.ts', false],
  ['tests/management/groups.test.ts', false],
  ['tests/endpoints/flow.test.ts', true],
  ['tests/messages/bundles.test.ts', true],
  ['tests/server/start.test.ts', true],
])('%s needs the screens: %s', (file, needs) => expect(needsBuild(file)).toBe(needs));
