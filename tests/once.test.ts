import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

/** The names in the table of handles. */
const listed = [...read('lib/once.ts').matchAll(/^ {2}'?([\w.-]+)'?: .+;$/gm)].map(([, name]) =>
  String(name),
);

/** Which file makes a handle of which name. */
const made = globSync(['lib/**/*.ts', 'app/**/*.{ts,tsx}', 'proxy.ts'], { cwd: root }).flatMap(
  (file) =>
    [
      ...new Set(
        [...read(file).matchAll(/(?<![.\w])once\(\s*'([\w.-]+)'/g)].map(([, name]) => name),
      ),
    ].map((name) => ({ name: String(name), file })),
);

test('each handle in the table of lib/once.ts is made in exactly one file', () => {
  expect(listed.length).toBeGreaterThan(30);
  expect(made.map(({ name }) => name).sort()).toEqual(listed.sort());
});
