import { expect, test } from 'vitest';
import { violationsIn, type Wrong } from './checker.ts';
import type { Kind, Operation, Outcome } from './history.ts';

// Handwritten histories: each has exactly one thing wrong, or nothing.

const terms = { grace: 30_000, skew: 1000 };

/** A time, or the times when it began and ended. */
type When = number | readonly [begun: number, ended: number];

function operation(
  does: Operation['does'],
  [kind, thing]: readonly [Kind | 'line', string],
  when: When,
  outcome: Outcome,
  gave?: { gave: string[]; next?: string },
): Operation {
  const [begun, ended] = typeof when === 'number' ? [when, when + 5] : when;
  const line = kind === 'sign-in' ? thing : 'line';
  return { does, kind, thing, line, begun, ended, outcome, ...gave };
}

const use = (kind: Kind, thing: string, when: When, outcome: Outcome, gave?: string[]) =>
  operation(
    'use',
    [kind, thing],
    when,
    outcome,
    gave && { gave, next: gave.find((each) => each.startsWith('refresh')) },
  );
const end = (kind: Kind | 'line', thing: string, when: When, outcome: Outcome) =>
  operation('end', [kind, thing], when, outcome);
const given = (thing: string, when: When, more: string[] = []) =>
  operation('begin', ['line', 'line'], when, 'done', { gave: [thing, ...more] });
const signedIn = (when: When) =>
  operation('begin', ['sign-in', 'browser'], when, 'done', { gave: ['browser'] });

const [done, refused, unknown] = ['done', 'refused', 'unknown'] as const;

const wrong: [what: string, expected: Wrong, history: Operation[]][] = [
  [
    'an access token that was revoked is active',
    'honoured after its acknowledged end',
    [given('a', 0), end('access', 'a', 10, done), use('access', 'a', 20, done)],
  ],
  [
    'an access token is active after its whole line was revoked',
    'honoured after its acknowledged end',
    [given('a', 0, ['b']), end('line', 'line', 10, done), use('access', 'b', 20, done)],
  ],
  [
    'a refresh token works after its line was revoked',
    'honoured after its acknowledged end',
    [given('r', 0), end('line', 'line', 10, done), use('refresh', 'r', 20, done, ['refresh-2'])],
  ],
  [
    'a code is redeemed after its line was revoked',
    'honoured after its acknowledged end',
    [given('c', 0), end('line', 'line', 10, done), use('code', 'c', 20, done)],
  ],
  [
    'a browser that was signed out is signed in',
    'honoured after its acknowledged end',
    [signedIn(0), end('sign-in', 'browser', 10, done), use('sign-in', 'browser', 20, done)],
  ],
  [
    'a second revocation was acknowledged, after one of which nobody can tell',
    'honoured after its acknowledged end',
    [
      given('a', 0),
      end('access', 'a', 10, unknown),
      end('access', 'a', 20, done),
      use('access', 'a', 30, done),
    ],
  ],
  [
    'nobody can tell of a revocation, which is seen and then unseen',
    'alive again after it was refused',
    [
      given('a', 0),
      end('access', 'a', 10, unknown),
      use('access', 'a', 20, refused),
      use('access', 'a', 30, done),
    ],
  ],
  [
    'a code is redeemed by two at once',
    'redeemed twice',
    [given('c', 0), use('code', 'c', [10, 20], done), use('code', 'c', [11, 21], done)],
  ],
  [
    'a code is redeemed after an acknowledged redemption',
    'redeemed twice',
    [given('c', 0), use('code', 'c', 10, done), use('code', 'c', 50_000, done)],
  ],
  [
    'a refresh token works outside of its grace',
    'an old refresh token honoured',
    [
      given('r', 0),
      use('refresh', 'r', 10, done, ['a', 'refresh-2']),
      use('refresh', 'r', 31_100, done, ['a', 'refresh-2']),
    ],
  ],
  [
    'a refresh token works although its successor was used',
    'an old refresh token honoured',
    [
      given('r', 0),
      use('refresh', 'r', 10, done, ['a', 'refresh-2']),
      use('refresh', 'refresh-2', 20, done, ['b', 'refresh-3']),
      use('refresh', 'r', 30, done, ['a', 'refresh-2']),
    ],
  ],
  [
    'one refresh token leads to two lines',
    'two successors of one refresh token',
    [
      given('r', 0),
      use('refresh', 'r', 10, done, ['a', 'refresh-2']),
      use('refresh', 'r', 20, done, ['b', 'refresh-2b']),
    ],
  ],
  [
    'an access token that was given is unknown',
    'refused though nothing ended it',
    [given('a', 0), use('access', 'a', 10, refused)],
  ],
  [
    'a code that was given is unknown',
    'refused though nothing ended it',
    [given('c', 0), use('code', 'c', 10, refused)],
  ],
  [
    'a step was acknowledged and its refresh token is unknown',
    'refused though nothing ended it',
    [
      given('r', 0),
      use('refresh', 'r', 10, done, ['a', 'refresh-2']),
      use('refresh', 'refresh-2', 20, refused),
    ],
  ],
  [
    'nobody can tell of a refresh, and its repeat within the grace is refused',
    'refused though nothing ended it',
    [given('r', 0), use('refresh', 'r', 10, unknown), use('refresh', 'r', 15_000, refused)],
  ],
  [
    'a sign-in is forgotten',
    'refused though nothing ended it',
    [signedIn(0), use('sign-in', 'browser', 10, refused)],
  ],
  [
    'an access token is refused before its revocation was asked for',
    'refused though nothing ended it',
    [given('a', 0), use('access', 'a', 10, refused), end('access', 'a', 20, done)],
  ],
];

test.each(wrong)('%s', (_, expected, history) => {
  expect(violationsIn(history, terms).map((each) => each.wrong)).toEqual([expected]);
});

const right: [what: string, history: Operation[]][] = [
  [
    'a token is used, ended and refused',
    [
      given('a', 0),
      use('access', 'a', 10, done),
      end('access', 'a', 20, done),
      use('access', 'a', 30, refused),
      use('access', 'a', 40, unknown),
      use('access', 'a', 50, refused),
    ],
  ],
  [
    'a question that began before the acknowledgement may be answered either way',
    [
      given('a', 0),
      end('access', 'a', [10, 20], done),
      use('access', 'a', [19, 30], done),
      use('access', 'a', [11, 25], refused),
    ],
  ],
  [
    'a revocation of which nobody can tell did not happen',
    [given('a', 0), end('access', 'a', 10, unknown), use('access', 'a', 20, done)],
  ],
  [
    'it did happen, later than its answer was given up',
    [
      given('a', 0),
      end('access', 'a', 10, unknown),
      use('access', 'a', 20, done),
      use('access', 'a', 30, refused),
    ],
  ],
  [
    'a revoked access token leaves the others of its line',
    [given('a', 0, ['b']), end('access', 'a', 10, done), use('access', 'b', 20, done)],
  ],
  [
    'a code of which nobody can tell is refused, and so is its line from then on',
    [
      given('c', 0, ['a']),
      use('code', 'c', 10, unknown),
      use('code', 'c', 20, refused),
      use('access', 'a', 30, refused),
    ],
  ],
  [
    'a code of which nobody can tell is redeemed',
    [given('c', 0), use('code', 'c', 10, unknown), use('code', 'c', 20, done, ['a', 'refresh-1'])],
  ],
  [
    'the same answer again within the grace',
    [
      given('r', 0),
      use('refresh', 'r', 10, unknown),
      use('refresh', 'r', 20_000, done, ['a', 'refresh-2']),
      use('refresh', 'r', 30_000, done, ['a', 'refresh-2']),
      use('refresh', 'refresh-2', 30_100, done, ['b', 'refresh-3']),
    ],
  ],
  [
    'a refresh token used again too late ends its line',
    [
      given('r', 0, ['a']),
      use('refresh', 'r', 10, unknown),
      use('refresh', 'r', 40_000, refused),
      use('access', 'a', 40_100, refused),
    ],
  ],
  [
    'a copy of an old refresh token ends its line',
    [
      given('r', 0),
      use('refresh', 'r', 10, done, ['a', 'refresh-2']),
      use('refresh', 'refresh-2', 20, done, ['b', 'refresh-3']),
      use('refresh', 'r', 30, refused),
      use('refresh', 'refresh-3', 40, refused),
      use('access', 'b', 50, refused),
    ],
  ],
  [
    'two sign-ins are two',
    [
      signedIn(0),
      end('sign-in', 'browser', 10, done),
      { ...operation('begin', ['sign-in', 'other'], 20, done, { gave: ['other'] }) },
      use('sign-in', 'other', 30, done),
    ],
  ],
  ['who was never given anything is refused', [use('access', 'a', 10, refused)]],
];

test.each(right)('no fault: %s', (_, history) => {
  expect(violationsIn(history, terms)).toEqual([]);
});

test('very many answers are judged in seconds', () => {
  const history = Array.from({ length: 1000 }, (_, which) => {
    const asked = Array.from({ length: 200 }, (_, turn) => use('access', `a${which}`, turn, done));
    return [given(`a${which}`, -10), ...asked];
  }).flat();
  const before = performance.now();
  expect(violationsIn(history, terms)).toEqual([]);
  expect(performance.now() - before).toBeLessThan(20_000);
});
