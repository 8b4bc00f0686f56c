import { expect, test } from 'vitest';
import { filesThatUse, linesWith } from './doors.ts';

test('the doors of a meaning are found, by their imports from near and far', () => {
  const users = filesThatUse('once', 'lib/once.ts');
  expect(users).toContain('lib/queue.ts');
  expect(users).not.toContain('lib/once.ts');
});

test('a primitive is found where code uses it, and not in comments', () => {
  expect(linesWith(/\bexport function once\b/).map((line) => line.split(':')[0])).toEqual([
    'lib/once.ts',
  ]);
});

test('an expected text is never a bare regular expression, which every value would match', () => {
  const expectOne = () => expect({ text: 'a' }).toMatchObject({ text: /a/ });
  expect(expectOne).toThrow('expect.stringMatching(/a/)');
  expect({ text: /a/ }).toEqual({ text: /a/ });
});
