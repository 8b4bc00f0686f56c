import { expect, test } from 'vitest';
import {
  type Answered,
  inForce,
  languageShown,
  type TermsVersion,
  termsDue,
  termsState,
} from '#lib/people/terms.ts';

const day = 24 * 3600_000;
const at = (days: number) => new Date(Date.UTC(2027, 0, 1) + days * day);

const version = (id: string, from: number, days: number, more: Partial<TermsVersion> = {}) => ({
  id,
  name: id,
  clientId: null,
  holdsFrom: at(from),
  requiredFrom: at(from + days),
  endedAt: null,
  ...more,
});
const all = [
  version('first', 0, 14),
  version('second', 100, 30),
  version('dropped', 110, 0, { endedAt: at(111) }),
  version('of an app', 0, 0, { clientId: 'app' }),
];
const agreed = (termsId: string): Answered => ({ termsId, answer: 'agreed', at: at(0) });
const later = (termsId: string, days: number): Answered => ({
  termsId,
  answer: 'later',
  at: at(days),
});

const judged = (now: number, answers: Answered[], clientId: string | null = null) => {
  const due = termsDue(inForce(all, clientId, at(now)), answers, at(now));
  return due && [due.terms.name, due.must];
};

test.each<[string, number, Answered[], unknown]>([
  ['before any version holds', -1, [], null],
  ['at the moment it begins', 0, [], ['first', false]],
  ['just before it is required', 14 - 1 / day, [], ['first', false]],
  ['once it is required', 14, [], ['first', true]],
  ['who has agreed', 50, [agreed('first')], null],
  ['who put it off today', 5.5, [later('first', 5)], null],
  ['who put it off yesterday', 6, [later('first', 5)], ['first', false]],
  ['who put it off until it is required', 14, [later('first', 13.9)], ['first', true]],
  ['a new version', 100, [agreed('first')], ['second', false]],
  ['a new version, while the old one is overdue', 100, [], ['second', true]],
  ['who agreed to the new one only', 120, [agreed('second')], null],
  [
    'who put off the new one, and the old one is overdue',
    101,
    [later('second', 101)],
    ['second', true],
  ],
  ['who declined', 120, [{ termsId: 'second', answer: 'declined', at: at(119) }], ['second', true]],
  ['a version that was ended asks nobody', 112, [agreed('second')], null],
])('what people have to agree to: %s', (_, now, answers, expected) => {
  expect(judged(now, answers)).toEqual(expected);
});

test('an app has versions of its own', () => {
  expect(judged(1, [agreed('first')], 'app')).toEqual(['of an app', true]);
  expect(judged(1, [], 'other')).toBeNull();
});

test('the state of a version', () => {
  const states = (now: number) => all.map((each) => termsState(each, all, at(now)));
  expect(states(-1)).toEqual(['planned', 'planned', 'ended', 'planned']);
  expect(states(1)).toEqual(['asked', 'planned', 'ended', 'required']);
  expect(states(120)).toEqual(['past', 'asked', 'ended', 'required']);
  expect(states(140)).toEqual(['past', 'required', 'ended', 'required']);
});

test('readers get their language, else its base, else the text for everyone', () => {
  const texts = { any: 'a', de: 'b', 'pt-BR': 'c' };
  expect(
    ['de', 'de-AT', 'pt-BR', 'pt', 'ja', 'constructor'].map((tag) => languageShown(texts, tag)),
  ).toEqual(['de', 'de', 'pt-BR', 'any', 'any', 'any']);
});
