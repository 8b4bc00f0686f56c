import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const reasons = readFileSync('docs/contributing/packages.md', 'utf8');

test('packages.md has a line for every package', () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  ) as Record<string, object>;
  const packages = Object.keys({ ...dependencies, ...optionalDependencies }).filter(
    (name) => !name.startsWith('@types/'),
  );
  expect(packages.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
});
