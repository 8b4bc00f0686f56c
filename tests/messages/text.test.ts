import { expect, test } from 'vitest';
import { en } from '#lib/messages/en.ts';
import { piecesOf, textIn } from '#lib/messages/text.ts';

test('a message is filled in, and what is filled in is not read as a message', () => {
  expect(textIn('en')('signIn.toContinue', { app: '{app} {other}' })).toBe('to continue to {app} {other}');
});

test('a language that is not there reads English', () => {
  expect(textIn('xx')('signIn.submit')).toBe(en['signIn.submit']);
});

test('a message splits at its holes', () => {
  expect(piecesOf('a {b} c{d}')).toEqual([{ text: 'a ' }, { hole: 'b' }, { text: ' c' }, { hole: 'd' }]);
});
