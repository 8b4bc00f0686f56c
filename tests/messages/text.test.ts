import { expect, test } from 'vitest';
import { dayIn, momentIn } from '#lib/messages/format.ts';
import { chosenPieces } from '#lib/messages/message.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { compileCatalogue } from '#lib/tooling/messages.ts';

test('a message is filled in, and its values are not read as a message', () => {
  expect(textIn('en')('signIn.toContinue', { app: '{app} {other}' })).toBe(
    'to continue to {app} {other}',
  );
});

test('a value keeps its direction in a right-to-left message, and cannot end the isolation', () => {
  const text = textIn('ar-XB')('page.youAreAt', { host: 'a.example\u2069' });
  expect(text).toContain('\u2068a.example\u2069');
  expect(text.match(/\u2069/g)).toHaveLength(1);
});

test('a known message key from a string gives its message, and any other string gives nothing', () => {
  expect(sayIn('de')('signIn.submit')).toBe('Anmelden');
  for (const key of [undefined, '', 'no.such', 'toString', '__proto__'])
    expect(sayIn('en')(key)).toBeUndefined();
});

const compiled = (message: string) => compileCatalogue({ message }).message ?? '';

test('a message is compiled into text and placeholders, or text alone', () => {
  expect(compiled('a {b} c{d}')).toEqual(['a ', { hole: 'b' }, ' c', { hole: 'd' }]);
  expect(compiled('It’s here')).toBe('It’s here');
});

test('plurals and selects choose an exact number first, then the category, then other', () => {
  const message = compiled(
    '{kind, select, own {{count, plural, one {your app} other {# apps of yours}}} other {{count, plural, =0 {nothing} one {# app of {name}} other {# apps}}}}',
  );
  const choose = (values: Record<string, unknown>) =>
    chosenPieces(message, values, 'en').map((piece) =>
      typeof piece === 'string'
        ? piece
        : 'hole' in piece
          ? values[piece.hole]
          : values[piece.number],
    );
  expect(choose({ count: 0 }).join('')).toBe('nothing');
  expect(choose({ count: 1, name: 'Ann' }).join('')).toBe('1 app of Ann');
  expect(choose({ count: 5, kind: 'own' }).join('')).toBe('5 apps of yours');
  expect(choose({ count: 5, kind: 'toString' }).join('')).toBe('5 apps');
});

test('a number outside of a plural has the format of the language', () => {
  expect(compiled('{count, number} in all')).toEqual([{ number: 'count' }, ' in all']);
  const failures = { inDay: 1200, inWeek: 34_000 };
  expect(textIn('en')('clients.failures', failures)).toBe('1,200 in 24 h, 34,000 in 7 days');
  expect(textIn('de')('clients.failures', failures)).toBe('1.200 in 24 Std., 34.000 in 7 Tagen');
});

test('a total that is only a lower limit is shown with a plus sign', () => {
  const said = (count: number, more: boolean) =>
    textIn('en')('groups.total', ofTotal({ count, more }));
  expect([said(1, false), said(1204, false), said(10_000, true)]).toEqual([
    '1 group',
    '1,204 groups',
    '10,000+ groups',
  ]);
});

test('a compiled message keeps a letter before a hyphen on the same line as its word', () => {
  expect(compiled('Ihre E-Mail')).toBe('Ihre E-\u2060Mail');
  // A name that people copy stays as it is.
  expect(compiled('X-Forwarded-For')).toBe('X-Forwarded-For');
  expect(compiled('Two-step sign-in')).toBe('Two-step sign-in');
});

test.each([
  ['{open', 'is not ICU MessageFormat'],
  ['{count, plural, one {one}}', 'is not ICU MessageFormat'],
  ['{day, date, short}', 'expected {name}, {count, number}, plural or select'],
])('a message that the build cannot compile is reported with its key: %s', (message, reason) => {
  expect(() => compileCatalogue({ 'a.key': message })).toThrow(reason);
  expect(() => compileCatalogue({ 'a.key': message })).toThrow('The message a.key');
});

test('British readers get the English texts with their dates and spelling', () => {
  const at = new Date('2026-11-28T14:14:00Z');
  expect(dayIn('en-GB', at)).toBe('28 Nov 2026');
  expect(momentIn('en-GB', at)).toBe('28 November 2026 at 14:14 UTC');
  expect(dayIn('en', at)).toBe('Nov 28, 2026');
  expect(textIn('en-GB')('signIn.submit')).toBe(textIn('en')('signIn.submit'));
  expect(textIn('en-GB')('cancelled.title')).toBe('You cancelled');
});
