import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes } from '#lib/endpoints/api/routes.ts';

/** What programs can't do through the API, and why. */
const withoutAddress = [
  // A key may not create keys, because what it gave away would outlive it.
  'apiKeyActs.create',
  // A person who imports hashes may know the passwords. So this needs an admin in a browser, or the
  // server's machine.
  'importActs.moveIn',
  'importActs.readFile',
];

/** The acts of every noun, by name. A noun with several files of acts collects them in one. */
async function allActs(): Promise<Map<unknown, string>> {
  const files = globSync('lib/{import,management/*}/acts.ts');
  const modules = await Promise.all(
    files.map((file) => import(`../../${file}`) as Promise<Record<string, object>>),
  );
  const nouns = modules.flatMap((module) => Object.entries(module));
  return new Map(
    nouns
      .filter(([name]) => name.endsWith('Acts'))
      .flatMap(([noun, acts]) =>
        Object.entries(acts).map(([name, act]) => [act, `${noun}.${name}`] as const),
      ),
  );
}

test('every act has an address in the API, or a reason why it has none', async () => {
  const acts = await allActs();
  expect(acts.size).toBeGreaterThan(60);
  const routed = new Set<unknown>(
    Object.values(routes).flatMap((addresses) => Object.values(addresses).flatMap(Object.values)),
  );
  const missing = [...acts].filter(([act]) => !routed.has(act)).map(([, name]) => name);
  expect(missing.sort()).toEqual(withoutAddress.sort());
});
