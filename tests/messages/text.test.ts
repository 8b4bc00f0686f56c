import { expect, test } from 'vitest';
import { piecesOf, sayIn, textIn } from '#lib/messages/text.ts';

test('a message is filled in, and what is filled in is not read as a message', () => {
  expect(textIn('en')('signIn.toContinue', { app: '{app} {other}' })).toBe(
    'to continue to {app} {other}',
  );
});

test('what is filled in keeps its direction where the sentence runs the other way, and cannot end that', () => {
  const text = textIn('ar-XB')('page.youAreAt', { host: 'a.example\u2069' });
  expect(text).toContain('\u2068a.example\u2069');
  expect(text.match(/\u2069/g)).toHaveLength(1);
});

test('a key that travelled as text says its message, and nothing else does', () => {
  expect(sayIn('de')('signIn.submit')).toBe('Anmelden');
  for (const key of [undefined, '', 'no.such', 'toString', '__proto__'])
    expect(sayIn('en')(key)).toBeUndefined();
});

test('a message splits at its holes', () => {
  expect(piecesOf('a {b} c{d}')).toEqual([
    { text: 'a ' },
    { hole: 'b' },
    { text: ' c' },
    { hole: 'd' },
  ]);
});
