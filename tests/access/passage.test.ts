import { expect, test } from 'vitest';
import { judgePassage, type Passage } from '#lib/access/passage.ts';

const client = { networks: [] };
const inside = { client, place: 'inside', address: '192.0.2.1', approval: 'given' } as const;
const good = { allowed: true, signIn: 'good', terms: null } as const;
const unlisted = { ...good, allowed: false };

const due = {
  must: true,
  terms: {
    id: '1',
    name: '1',
    clientId: null,
    holdsFrom: new Date(0),
    requiredFrom: new Date(0),
    endedAt: null,
  },
} as const;

const pass: Passage = { ...inside, person: good };

function told(change: Partial<Passage>): unknown {
  const verdict = judgePassage({ ...pass, ...change });
  if (!('refusal' in verdict)) return verdict.page;
  const { facts, code } = verdict.refusal;
  return [verdict.page, facts?.rule, code];
}

const misplaced = ['no-access', 'access.network', 'access_denied'];
const notListed = ['no-access', 'access.not-listed', 'access_denied'];
const termsFirst = ['terms', 'terms.required', 'access_denied'];
const needed = ['approval', 'approval.needed', 'access_denied'];

test.each<[string, Partial<Passage>, unknown]>([
  ['somebody on its list', {}, null],
  ['nobody signed in', { person: null }, 'login'],
  ['from elsewhere', { place: 'outside' }, misplaced],
  ['from nowhere that is known', { place: 'unknown' }, misplaced],
  ['somebody not on its list', { person: unlisted }, notListed],
  ['a sign-in that does not do', { person: { ...good, signIn: 'again' } }, 'login'],
  [
    'a sign-in that somebody else may make',
    { person: { ...good, signIn: 'maybe-another' } },
    'login',
  ],
  ['an app to be approved', { approval: 'needed' }, needed],
  ['an app that was asked for', { approval: 'asked' }, needed],
  [
    'an app that was refused',
    { approval: 'refused' },
    ['approval', 'approval.refused', 'access_denied'],
  ],
  ['terms of use', { person: { ...good, terms: due } }, termsFirst],
  ['terms of use, not listed', { person: { ...unlisted, terms: due } }, notListed],
  [
    'terms of use, and a sign-in that does not do',
    { person: { ...good, signIn: 'again', terms: due } },
    'login',
  ],
  [
    'terms of use, to be approved',
    { person: { ...good, terms: due }, approval: 'needed' },
    termsFirst,
  ],
  ['from elsewhere, nobody signed in', { place: 'outside', person: null }, misplaced],
  ['from elsewhere, not listed', { place: 'outside', person: unlisted }, misplaced],
  ['from elsewhere, to be approved', { place: 'outside', approval: 'needed' }, misplaced],
  [
    'not listed, and a sign-in that does not do',
    { person: { ...unlisted, signIn: 'again' } },
    notListed,
  ],
  [
    'not listed, and somebody else may sign in',
    { person: { ...unlisted, signIn: 'maybe-another' } },
    'login',
  ],
  ['not listed, to be approved', { person: unlisted, approval: 'needed' }, notListed],
  ['to be approved, nobody signed in', { person: null, approval: 'needed' }, 'login'],
  [
    'to be approved, and a sign-in that does not do',
    { person: { ...good, signIn: 'again' }, approval: 'needed' },
    'login',
  ],
])('whether a user may use an app: %s', (_, change, expected) => {
  expect(told(change)).toEqual(expected);
});

test('the verdict names the place only if that is the reason', () => {
  expect(judgePassage({ ...pass, place: 'outside' })).toMatchObject({ place: 'outside' });
  expect(judgePassage({ ...pass, person: unlisted })).toMatchObject({ place: null });
});
