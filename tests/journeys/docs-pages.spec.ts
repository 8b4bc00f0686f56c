import { readSources } from '#lib/docs/source.ts';
import { expectReadable } from '../support/docs-pages.ts';
import { expect, test } from '../support/journey.ts';

/**
 * One decision and two nouns of the API, because they are all alike; one recipe with forms and one
 * with code.
 */
const pages = readSources()
  .map(({ path }) => path)
  .filter((path) => !/^(decisions|api)\//.test(path))
  .concat(
    'decisions/0014-a-wrong-address',
    'api/client',
    'api/branding',
    'recipes/pocketbase',
    'recipes/nextjs',
  );

test('every page of the documentation passes axe, and none scrolls sideways', async ({ page }) => {
  test.setTimeout(300_000);
  expect(pages.length).toBeGreaterThan(20);
  await expectReadable(page, pages);
});
