import { describe, expect, test } from 'vitest';
import { newClient } from '#lib/oauth/client.ts';
import {
  judgesTokens,
  type Lack,
  lackOf,
  refusalOfSignIn,
  type SignInRules,
  signInEnd,
} from '#lib/oauth/sign-in-rules.ts';

const now = new Date('2026-01-01T12:00:00Z');
const minute = 60;
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const password = (seconds: number) => ({ authTime: ago(seconds), amr: 'pwd' });
const factors = (seconds: number) => ({ authTime: ago(seconds), amr: 'pwd otp mfa' });

const rules = (more: Partial<SignInRules>): SignInRules => ({ ...newClient, ...more });
const none = rules({});
const second = rules({ requireSecondFactor: true });
const young = rules({ maxSignInAge: 30 * minute });
const short = rules({ signInLife: 60 * minute });
const all = rules({
  requireSecondFactor: true,
  maxSignInAge: 30 * minute,
  signInLife: 60 * minute,
});

/** A sign-in, the rules, and what the sign-in lacks for a code and for tokens. */
const cases: [string, SignInRules, ReturnType<typeof password>, Lack | null, Lack | null][] = [
  ['no rules, a password', none, password(0), null, null],
  ['no rules, a sign-in of last year', none, password(365 * 24 * 3600), null, null],
  ['a second factor, one was used', second, factors(0), null, null],
  [
    'a second factor, a passkey was used',
    second,
    { authTime: now, amr: 'swk user mfa' },
    null,
    null,
  ],
  ['a second factor, a password was used', second, password(0), 'second-factor', 'second-factor'],
  [
    'a second factor, nothing is known',
    second,
    { authTime: now, amr: '' },
    'second-factor',
    'second-factor',
  ],
  [
    'a second factor, a word like it',
    second,
    { authTime: now, amr: 'xmfa' },
    'second-factor',
    'second-factor',
  ],
  ['an age, younger', young, password(29 * minute), null, null],
  ['an age, to the second', young, password(30 * minute), null, null],
  ['an age, a second older', young, password(30 * minute + 1), 'too-old', null],
  ['an age, with a second factor', young, factors(31 * minute), 'too-old', null],
  ['an age, by a clock that runs ahead', young, password(-5), null, null],
  ['a life, in it', short, password(59 * minute), null, null],
  ['a life, a second before its end', short, password(60 * minute - 1), null, null],
  ['a life, at its end', short, password(60 * minute), 'over', 'over'],
  ['a life, after it', short, factors(2 * 60 * minute), 'over', 'over'],
  ['all, all met', all, factors(10 * minute), null, null],
  ['all, too old', all, factors(31 * minute), 'too-old', null],
  ['all, too weak', all, password(10 * minute), 'second-factor', 'second-factor'],
  ['all, nothing met', all, password(61 * minute), 'too-old', 'second-factor'],
  ['all, over', all, factors(61 * minute), 'too-old', 'over'],
];

describe('the sign-in rules of an app, and what a sign-in lacks', () => {
  test.each(cases)('%s', (_, demanded, signIn, code, tokens) => {
    expect(lackOf(demanded, signIn, now)).toBe(code);
    expect(ruleAtToken(demanded, signIn)).toBe(tokens && ruleOf[tokens]);
    // For a client that is not judged at that point, no check is lost.
    if (!judgesTokens(demanded)) expect(tokens).toBeNull();
  });
});

const ruleOf: Record<Lack, string> = {
  'second-factor': 'second-factor-required',
  'too-old': 'sign-in-too-old',
  over: 'sign-in-over',
};

function ruleAtToken(demanded: SignInRules, signIn: ReturnType<typeof password>) {
  const refusal = refusalOfSignIn(demanded, { ...signIn, demanded: false }, 'kept', now);
  if (!refusal) return null;
  expect(refusal.code).toBe('invalid_grant');
  return refusal.facts?.rule;
}

test('signInLife ends what a sign-in gave', () => {
  expect(signInEnd(none, password(0))).toBeNull();
  expect(signInEnd(short, password(minute))).toEqual(ago(-59 * minute));
});

test('only requireSecondFactor and signInLife are checked again at token requests', () => {
  expect([none, young, second, short].map(judgesTokens)).toEqual([false, false, true, true]);
});
