import { expect, test } from 'vitest';
import { pairLine, readPair, readPairs } from '#lib/management/pairs.ts';
import { processorTime } from '../support/linear.ts';

test.each<[string, [string, string]]>([
  ['editors = admin', ['editors', 'admin']],
  ['editors=admin', ['editors', 'admin']],
  ['  a b  =  c = d  ', ['a b', 'c = d']],
  ['"cn=editors, all" = admin', ['cn=editors, all', 'admin']],
  ['"a \\"b\\" = c"=d', ['a "b" = c', 'd']],
  ['"editors" = admin', ['editors', 'admin']],
  ['"editors = admin', ['"editors', 'admin']],
  ['editors', ['editors', '']],
  ['= admin', ['', 'admin']],
  ['editors =', ['editors', '']],
  ['tags = ["a", "b"]', ['tags', '["a", "b"]']],
])('%s', (line, pair) => {
  expect(readPair(line)).toEqual(pair);
});

test.each<[string, string]>([
  ['editors', 'admin'],
  ['a=b', 'c=d'],
  ['"quoted"', '"x"'],
  ['a "b" = c', 'd'],
  ['back\\slash=', 'x'],
  ['__proto__', 'x'],
])('%s and %s are read as they are written', (...pair) => {
  expect(readPair(pairLine(pair))).toEqual(pair);
});

test('a name that is there twice is named', () => {
  expect(readPairs(['a = b', 'c = b'])).toEqual({ pairs: { a: 'b', c: 'b' } });
  expect(readPairs(['a = b', 'a = c'])).toEqual({ twice: 'a' });
});

test('a long line takes no long time to read', () => {
  const started = processorTime();
  for (const line of [`"${'\\"'.repeat(100_000)}`, `"${'\\'.repeat(100_000)}`, '"'.repeat(100_000)])
    readPair(line);
  expect(processorTime() - started).toBeLessThan(500);
});
