import { expect, test } from 'vitest';
import { labelsIn } from '#lib/oauth/grant-words.ts';
import { type FieldType, readFieldValue, typedOf } from '#lib/people/user-field.ts';

test.each<[FieldType, string[], unknown]>([
  ['text', [' Research '], 'Research'],
  ['text', ['👩‍💻 ünï'], '👩‍💻 ünï'],
  ['text', ['', ' '], null],
  ['number', ['2.50'], 2.5],
  ['number', ['2,5'], 2.5],
  ['number', ['-0012'], -12],
  ['number', ['9007199254740991'], 9007199254740991],
  ['switch', ['Yes'], true],
  ['switch', ['off'], false],
  ['switch', [], null],
  ['list', ['b', ' a', 'b', ''], ['b', 'a']],
  ['list', ['one'], ['one']],
  ['list', [' '], null],
])('a custom field of type %s, typed as %j, is %j', (type, typed, value) => {
  expect(readFieldValue(type, typed)).toEqual({ value });
});

test.each<[FieldType, string[]]>([
  ['text', ['x'.repeat(501)]],
  ['text', ['a\u0085b']],
  ['text', ['a\u2028b']],
  ['number', ['1e3']],
  ['number', ['9007199254740993']],
  ['number', ['1,500']],
  ['number', ['١']],
  ['switch', ['constructor']],
  ['list', ['a\nb']],
])('a custom field of type %s refuses %j', (type, typed) => {
  expect(readFieldValue(type, typed)).toEqual({ fault: type });
});

test('the value of a custom field is shown in a form as it was typed', () => {
  expect([undefined, true, false, 2.5, 'x', ['a', 'b']].map((value) => typedOf(value))).toEqual([
    '',
    'yes',
    'no',
    '2.5',
    'x',
    'a\nb',
  ]);
  expect(typedOf(2.5, ',')).toBe('2,5');
});

test('the consent text of a scope lists the labels of its own custom fields only', () => {
  const field = { name: 'a', type: 'text', editor: 'admin' } as const;
  const fields = [
    { ...field, label: 'One', scope: 'profile' },
    { ...field, label: 'Other', scope: 'email' },
  ];
  expect(labelsIn(fields, 'profile')).toEqual(['One']);
});
