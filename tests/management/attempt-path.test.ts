import { describe, expect, test } from 'vitest';
import { pathOf } from '#lib/management/attempt/path.ts';
import type { Rule } from '#lib/oauth/facts.ts';
import type { TraceOutcome, TraceStepName } from '#lib/store/traces.ts';

/** Each comes a millisecond after the previous one, or at the same time. */
type Requests = [TraceStepName, TraceOutcome, ('at once' | Rule)?][];

/** Shows each station with a sign: passed, waiting, broken, ahead. */
function drawn(requests: Requests): string {
  const signs = { passed: '✓', waits: '…', broken: '✗', ahead: '·' };
  let time = 0;
  const timed = requests.map(([step, outcome, more]) => {
    if (more !== 'at once') time += 1;
    return { at: new Date(time), step, outcome, rule: more === 'at once' ? null : (more ?? null) };
  });
  return pathOf(timed)
    .map(({ station, state }) => `${station}${signs[state]}`)
    .join(' ');
}

const cases: [string, Requests, string][] = [
  [
    'a request that was refused broke at the app',
    [['authorize', 'refused']],
    'app✗ sign-in· consent· code· token· works·',
  ],
  [
    'somebody who has to sign in',
    [['authorize', 'sign-in']],
    'app✓ sign-in… consent· code· token· works·',
  ],
  [
    'a wrong password',
    [
      ['authorize', 'sign-in'],
      ['sign-in', 'failed'],
    ],
    'app✓ sign-in✗ consent· code· token· works·',
  ],
  [
    'a wrong password, then the right one',
    [
      ['authorize', 'sign-in'],
      ['sign-in', 'failed'],
      ['sign-in', 'done'],
      ['authorize', 'consent'],
    ],
    'app✓ sign-in✓ consent… code· token· works·',
  ],
  [
    'somebody who may not use the app',
    [
      ['authorize', 'sign-in'],
      ['sign-in', 'done'],
      ['authorize', 'refused', 'access.not-listed'],
    ],
    'app✓ sign-in✓ access✗ code· token· works·',
  ],
  [
    'somebody who is signed in already, and may not use the app',
    [['authorize', 'refused', 'access.network']],
    'app✓ sign-in✓ access✗ code· token· works·',
  ],
  [
    'somebody who may no longer use the app after being asked',
    [
      ['authorize', 'consent'],
      ['consent', 'refused', 'access.not-listed'],
    ],
    'app✓ sign-in✓ consent✗ code· token· works·',
  ],
  [
    'somebody who was let in and tried again',
    [
      ['authorize', 'refused', 'access.not-listed'],
      ['authorize', 'consent'],
    ],
    'app✓ sign-in✓ consent… code· token· works·',
  ],
  [
    'an app whose sign-in may ask nothing, of nobody',
    [['authorize', 'refused', 'login-required']],
    'app✓ sign-in✗ consent· code· token· works·',
  ],
  [
    'an app whose sign-in may ask nothing, without consent',
    [['authorize', 'refused', 'consent-required']],
    'app✓ sign-in✓ consent✗ code· token· works·',
  ],
  [
    'a refresh of somebody who may no longer use the app',
    [['refresh', 'refused', 'access.not-listed']],
    'app✓ token✗ works·',
  ],
  [
    'somebody who said no',
    [
      ['authorize', 'consent'],
      ['consent', 'denied'],
    ],
    'app✓ sign-in✓ consent✗ code· token· works·',
  ],
  [
    'a code that the app has not come for',
    [['authorize', 'done']],
    'app✓ sign-in✓ consent✓ code… token· works·',
  ],
  [
    'a code with a wrong verifier',
    [
      ['authorize', 'done'],
      ['token', 'refused'],
    ],
    'app✓ sign-in✓ consent✓ code✓ token✗ works·',
  ],
  [
    'tokens',
    [
      ['authorize', 'done'],
      ['token', 'done'],
    ],
    'app✓ sign-in✓ consent✓ code✓ token✓ works✓',
  ],
  [
    'tokens that user information refused',
    [
      ['authorize', 'done'],
      ['token', 'done'],
      ['userinfo', 'refused'],
    ],
    'app✓ sign-in✓ consent✓ code✓ token✓ works✗',
  ],
  [
    'a device that was let in and fetched its tokens',
    [
      ['device', 'done'],
      ['consent', 'done'],
      ['token', 'done'],
    ],
    'app✓ sign-in✓ consent✓ code✓ token✓ works✓',
  ],
  [
    'a sign-in whose answer is the code',
    [
      ['authorize', 'done'],
      ['sign-in', 'done', 'at once'],
    ],
    'app✓ sign-in✓ consent✓ code… token· works·',
  ],
  [
    'a sign-in whose answer is a refusal',
    [
      ['authorize', 'sign-in'],
      ['authorize', 'refused'],
      ['sign-in', 'done', 'at once'],
    ],
    'app✓ sign-in✓ consent✓ code✗ token· works·',
  ],
  [
    'a refresh that was refused after it worked',
    [
      ['authorize', 'done'],
      ['token', 'done'],
      ['refresh', 'refused'],
    ],
    'app✓ sign-in✓ consent✓ code✓ token✗ works·',
  ],
  ['an app that asks for itself', [['token', 'done']], 'app✓ token✓ works✓'],
  ['a wrong secret', [['token', 'refused']], 'app✓ token✗ works·'],
  ['a sign-out is no sign-in', [['sign-out', 'refused']], ''],
  [
    'a sign-out afterwards takes nothing back',
    [
      ['authorize', 'done'],
      ['token', 'done'],
      ['sign-out', 'refused'],
    ],
    'app✓ sign-in✓ consent✓ code✓ token✓ works✓',
  ],
];

describe('the path of a sign-in attempt shows how far it came', () => {
  test.each(cases)('%s', (_name, requests, expected) => {
    expect(drawn(requests)).toBe(expected);
  });
});
