import { expect, test } from 'vitest';
import { decodeUtf8, first, isRepeated, MalformedParams, parseForm } from '#lib/oauth/params.ts';

const listOf = (text: string) => [...parseForm(text)].map(([name, values]) => [name, ...values]);

test.each<[string, string[][]]>([
  ['', []],
  ['&&', []],
  ['a=1', [['a', '1']]],
  ['a', [['a', '']]],
  ['=token', [['', 'token']]],
  ['a=1=2', [['a', '1=2']]],
  [
    'a=1&a=2&b=',
    [
      ['a', '1', '2'],
      ['b', ''],
    ],
  ],
  ['a+b=c+d%2B', [['a b', 'c d+']]],
  ['%61=%F0%9F%98%80', [['a', '😀']]],
  ['a;b=1', [['a;b', '1']]],
  ['a%3Db=1', [['a=b', '1']]],
  [
    '__proto__=1&constructor=2',
    [
      ['__proto__', '1'],
      ['constructor', '2'],
    ],
  ],
])('%j is read as form encoding', (text, list) => {
  expect(listOf(text)).toEqual(list);
});

test.each([
  ['NUL', 'a=%00'],
  ['NUL in a name', '%00=a'],
  ['a lone escape', 'a=%'],
  ['half an escape', 'a=%4'],
  ['letters that are no hex', 'a=%zz'],
  ['invalid UTF-8', 'a=%ff'],
  ['an overlong form', 'a=%c0%af'],
  ['a surrogate', 'a=%ed%a0%80'],
  ['U+FFFD', 'a=%ef%bf%bd'],
  ['more than 8 KiB', `a=${'x'.repeat(8192)}`],
  ['more than 8 KiB in three-byte characters', `a=${'漢'.repeat(2731)}`],
  ['more than 64 parameters', Array.from({ length: 65 }, (_, index) => `p${index}=`).join('&')],
])('a form with %s is malformed', (_, text) => {
  expect(() => parseForm(text)).toThrow(MalformedParams);
});

test('a form parameter may have 8 KiB, name and value together', () => {
  expect(first(parseForm(`a=${'x'.repeat(8191)}`), 'a')).toHaveLength(8191);
});

test('bytes that are not UTF-8 are malformed', () => {
  expect(decodeUtf8(new TextEncoder().encode('ä'))).toBe('ä');
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
    expect(() => decodeUtf8(new Uint8Array(bytes))).toThrow(MalformedParams);
  }
});

test('an empty parameter counts as omitted, and one that is sent twice as repeated', () => {
  const params = parseForm('a=&b=1&b=1');
  expect([first(params, 'a'), first(params, 'b'), first(params, 'c')]).toEqual([
    undefined,
    '1',
    undefined,
  ]);
  expect([isRepeated(params, 'a'), isRepeated(params, 'b'), isRepeated(params, 'c')]).toEqual([
    false,
    true,
    false,
  ]);
});
