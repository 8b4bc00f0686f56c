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
])('the line %s is read as a pair of a name and a value', (line, pair) => {
  expect(readPair(line)).toEqual(pair);
});

test.each<[string, string]>([
  ['editors', 'admin'],
  ['a=b', 'c=d'],
  ['"quoted"', '"x"'],
  ['a "b" = c', 'd'],
  ['back\\slash=', 'x'],
  ['__proto__', 'x'],
])('the pair %s and %s is read back as it was written', (...pair) => {
  expect(readPair(pairLine(pair))).toEqual(pair);
});

test('a name that appears twice in a list of pairs is reported', () => {
  expect(readPairs(['a = b', 'c = b'])).toEqual({ pairs: { a: 'b', c: 'b' } });
  expect(readPairs(['a = b', 'a = c'])).toEqual({ twice: 'a' });
});

test('reading a long pair line takes linear time', () => {
  const started = processorTime();
  for (const line of [`"${'\\"'.repeat(100_000)}`, `"${'\\'.repeat(100_000)}`, '"'.repeat(100_000)])
    readPair(line);
  expect(processorTime() - started).toBeLessThan(500);
});
