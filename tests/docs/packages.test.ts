import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const contributing = readFileSync('CONTRIBUTING.md', 'utf8');

test('CONTRIBUTING.md has a line for every package', () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  ) as Record<string, object>;
  const packages = Object.keys({ ...dependencies, ...optionalDependencies }).filter(
    (name) => !name.startsWith('@types/'),
  );
  expect(packages.filter((name) => !contributing.includes(`\`${name}\``))).toEqual([]);
});
