import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * Class and property names for one side: `ml-2`, `text-left`, `border-r`, `margin-left`. Those that
 * follow the text's direction are `ms-2`, `text-start`, `border-e`.
 */
const sides =
  /(?<![\w-])-?(?:(?:left|right|[mp][lr]|scroll-[mp][lr])-[\d[]|(?:left|right)-(?:auto|px|full)|(?:text|float|clear)-(?:left|right)|(?:rounded|border)-(?:[lr]|[tb][lr])(?![\w])|(?:margin|padding|border)-(?:left|right)|(?:left|right)\s*:|text-align:\s*(?:left|right))/g;

const sidesIn = (text: string) =>
  [...text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').matchAll(sides)].map(([name]) => name);

test('pages use logical directions (start, end), so that they turn with right-to-left text', () => {
  const files = globSync([
    'app/**/*.{tsx,css}',
    'public/*.css',
    'lib/http/*.ts',
    'lib/mail/write.ts',
  ]);
  expect(files.length).toBeGreaterThan(100);
  expect(
    files.flatMap((file) => sidesIn(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`)),
  ).toEqual([]);
});

test('a name of a physical side (left, right) is found', () => {
  const found = [
    'ml-2',
    '-mr-3',
    'text-left',
    'border-r',
    'rounded-tl-lg',
    'pl-[3px]',
    'right-0',
    'margin-left: 0',
    '{left: 0}',
  ];
  for (const name of found) expect(sidesIn(`className="a ${name} b"`), name).toHaveLength(1);
  expect(
    sidesIn('className="ms-2 pe-3 text-start border-e start-0 rounded-lg border-line"'),
  ).toEqual([]);
});
