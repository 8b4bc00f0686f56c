import { describe, expect, test } from 'vitest';
import type { AuthorizationRequest } from '#lib/oauth/authorization-request.ts';
import { type Client, newClient } from '#lib/oauth/client.ts';
import { OAuthRefusal } from '#lib/oauth/errors.ts';
import type { RedirectKind, RedirectTarget } from '#lib/oauth/redirect-uri.ts';
import {
  checkNamedUser,
  type EndUser,
  judgeConsent,
  judgeSignIn,
  refuseSilent,
} from '#lib/oauth/sign-in-asked.ts';

const [mfa, passkey] = ['urn:gatehouse:mfa', 'urn:gatehouse:passkey'] as const;
const started = new Date('2026-01-01T12:00:00Z');
const now = new Date('2026-01-01T12:05:00Z');
const before = (seconds: number) => new Date(started.getTime() - seconds * 1000);
const after = new Date('2026-01-01T12:01:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

type Case = {
  request?: Partial<AuthorizationRequest>;
  client?: Partial<Client>;
  target?: { kind?: RedirectKind; registered?: boolean };
  authTime?: Date;
  amr?: string;
  granted?: string[];
  hasFactor?: boolean;
  chosen?: string;
};

const requestOf = ({ request }: Case) =>
  ({
    clientId: 'c',
    scope: ['a'],
    consentScope: ['a'],
    prompt: [],
    responseMode: 'query',
    ...request,
  }) as unknown as AuthorizationRequest;
const clientOf = ({ client }: Case) => ({ ...newClient, ...client }) as Client;
const personOf = ({ authTime = before(600), amr = 'pwd', hasFactor = false }: Case): EndUser => ({
  userId: 'u',
  authTime,
  signedInAt: authTime,
  amr,
  hasFactor,
});

function codeOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (error instanceof OAuthRefusal) return error.code;
    throw error;
  }
}

const two = { amr: 'pwd otp mfa' };

describe('whether the present sign-in satisfies an authorization request', () => {
  test.each<[string, Case, ReturnType<typeof judgeSignIn>]>([
    ['nothing is demanded', {}, 'good'],
    ['prompt login, signed in before', { request: { prompt: ['login'] } }, 'maybe-another'],
    ['prompt login, signed in since', { request: { prompt: ['login'] }, authTime: after }, 'good'],
    [
      'prompt login, signed in that instant',
      { request: { prompt: ['login'] }, authTime: started },
      'maybe-another',
    ],
    ['prompt select_account', { request: { prompt: ['select_account'] } }, 'maybe-another'],
    [
      'prompt select_account, signed in since',
      { request: { prompt: ['select_account'] }, authTime: after },
      'good',
    ],
    [
      'prompt select_account, chosen since',
      { request: { prompt: ['select_account'] }, chosen: 'u' },
      'good',
    ],
    [
      'prompt select_account, another chosen since',
      { request: { prompt: ['select_account'] }, chosen: 'v' },
      'maybe-another',
    ],
    [
      'prompt select_account and login, chosen since',
      { request: { prompt: ['select_account', 'login'] }, chosen: 'u' },
      'maybe-another',
    ],
    [
      'prompt select_account, chosen since, too long ago',
      { request: { prompt: ['select_account'], maxAge: 60 }, chosen: 'u' },
      'again',
    ],
    ['another user is named', { request: { subject: 'v' } }, 'maybe-another'],
    [
      'another is named, signed in since',
      { request: { subject: 'v' }, authTime: after },
      'maybe-another',
    ],
    ['this user is named', { request: { subject: 'u' } }, 'good'],
    ['max_age 0', { request: { maxAge: 0 } }, 'again'],
    ['max_age 0, signed in since', { request: { maxAge: 0 }, authTime: after }, 'good'],
    ['max_age met since', { request: { maxAge: 240 }, authTime: after }, 'good'],
    ['max_age met, and then no more', { request: { maxAge: 239 }, authTime: after }, 'again'],
    [
      'a tiny max_age, signed in a minute ago',
      { request: { maxAge: 5 }, authTime: ago(60) },
      'good',
    ],
    [
      'a tiny max_age, signed in longer ago',
      { request: { maxAge: 5 }, authTime: ago(61) },
      'again',
    ],
    ['max_age just met', { request: { maxAge: 900 } }, 'good'],
    ['max_age just not met', { request: { maxAge: 899 } }, 'again'],
    ['max_age met', { request: { maxAge: 1000 } }, 'good'],
    ['max_age not met', { request: { maxAge: 800 } }, 'again'],
    [
      'acr essential, one factor',
      { request: { acr: { essential: true, values: [mfa] } } },
      'again',
    ],
    [
      'acr essential, one factor, signed in since',
      { request: { acr: { essential: true, values: [mfa] } }, authTime: after },
      'again',
    ],
    [
      'acr essential, two factors',
      { request: { acr: { essential: true, values: [mfa] } }, ...two },
      'good',
    ],
    [
      'a passkey essential, two factors without one',
      { request: { acr: { essential: true, values: [passkey] } }, ...two },
      'again',
    ],
    [
      'a passkey essential, two factors without one, signed in since',
      { request: { acr: { essential: true, values: [passkey] } }, ...two, authTime: after },
      'good',
    ],
    [
      'a passkey essential, by a passkey',
      { request: { acr: { essential: true, values: [passkey] } }, amr: 'swk user mfa' },
      'good',
    ],
    [
      'acr as a wish, one factor',
      { request: { acr: { essential: false, values: [mfa] } } },
      'good',
    ],
    [
      'acr as a wish, one factor of two',
      { request: { acr: { essential: false, values: [mfa] } }, hasFactor: true },
      'again',
    ],
    ['a rule: second factor, one factor', { client: { requireSecondFactor: true } }, 'again'],
    [
      'a rule: second factor, one factor, signed in since',
      { client: { requireSecondFactor: true }, authTime: after },
      'again',
    ],
    [
      'a rule: second factor, two factors',
      { client: { requireSecondFactor: true }, ...two },
      'good',
    ],
    ['a rule: age, met', { client: { maxSignInAge: 900 } }, 'good'],
    ['a rule: age, not met', { client: { maxSignInAge: 899 } }, 'again'],
    ['a rule: age, grown old since', { client: { maxSignInAge: 239 }, authTime: after }, 'again'],
    [
      'a rule: age, and an older one asked for',
      { request: { maxAge: 9999 }, client: { maxSignInAge: 899 } },
      'again',
    ],
    ['a rule: life, over', { client: { signInLife: 900 } }, 'again'],
  ])('%s: %s', (_, given, expected) => {
    const [request, client, person] = [requestOf(given), clientOf(given), personOf(given)];
    expect(
      judgeSignIn({ request, client, startedAt: started, chosen: given.chosen }, person, now),
    ).toBe(expected);
  });
});

test('max_age=0 is not satisfied by a sign-in in the same instant as the request', () => {
  const given: Case = { request: { maxAge: 0 }, authTime: started };
  const asked = { request: requestOf(given), client: clientOf(given), startedAt: started };
  expect(judgeSignIn(asked, personOf(given), started)).toBe('again');
});

test.each<[string, Case, string | undefined]>([
  ['another, signed in before', { request: { subject: 'v' } }, undefined],
  ['another, signed in since', { request: { subject: 'v' }, authTime: after }, 'login_required'],
  ['the same, signed in since', { request: { subject: 'u' }, authTime: after }, undefined],
])('a request that names one user: %s: %s', (_, given, expected) => {
  expect(
    codeOf(() =>
      checkNamedUser(
        { request: requestOf(given), client: clientOf(given) },
        personOf(given),
        started,
      ),
    ),
  ).toBe(expected);
});

test.each<[string, Case | null, string]>([
  ['nobody is signed in', null, 'login_required'],
  ['signed in too long ago', {}, 'login_required'],
  ['a rule: age, not met', { client: { maxSignInAge: 899 } }, 'login_required'],
  [
    'a rule: second factor, has none',
    { client: { requireSecondFactor: true } },
    'interaction_required',
  ],
  [
    'a rule: second factor, has one',
    { client: { requireSecondFactor: true }, hasFactor: true },
    'login_required',
  ],
])('prompt=none, %s: %s', (_, given, expected) => {
  const person = given && personOf(given);
  expect(codeOf(() => refuseSilent(clientOf(given ?? {}), person, now))).toBe(expected);
});

const all = { granted: ['a', 'b'] };

function consentOf(given: Case): unknown {
  const target = { uri: 'x', kind: 'https', registered: true, sent: true, ...given.target };
  return codeOf(() =>
    judgeConsent(
      requestOf(given),
      clientOf(given),
      target as unknown as RedirectTarget,
      given.granted ?? [],
    ),
  );
}

describe('whether the user is asked for consent', () => {
  test.each<[string, Case, string]>([
    ['nothing was given before', {}, 'consent'],
    ['all was given before', all, 'code'],
    ['part was given before', { granted: ['a'], request: { consentScope: ['a', 'b'] } }, 'consent'],
    ['first party', { client: { firstParty: true } }, 'code'],
    ['prompt consent', { ...all, request: { prompt: ['consent'] } }, 'consent'],
    [
      'prompt consent, first party',
      { client: { firstParty: true }, request: { prompt: ['consent'] } },
      'consent',
    ],
    ['prompt none, nothing given', { request: { prompt: ['none'] } }, 'consent_required'],
    ['prompt none, all given', { ...all, request: { prompt: ['none'] } }, 'code'],
  ])('%s: %s', (_, given, expected) => {
    expect(consentOf(given)).toBe(expected);
  });

  test.each<[string, Case]>([
    ['unregistered', { target: { registered: false } }],
    ['plain http', { target: { kind: 'http' } }],
    ['public on loopback', { client: { type: 'public' }, target: { kind: 'loopback' } }],
    [
      'public on a private-use scheme',
      { client: { type: 'public' }, target: { kind: 'private-use' } },
    ],
  ])('yes always, where another program could receive the code: %s', (_, given) => {
    expect(consentOf({ ...all, ...given })).toBe('consent');
    const firstParty = { ...given.client, firstParty: true };
    expect(consentOf({ ...all, ...given, client: firstParty })).toBe('consent');
    expect(consentOf({ ...all, ...given, request: { prompt: ['none'] } })).toBe('consent_required');
  });

  test.each<[string, Case]>([
    ['confidential on loopback', { target: { kind: 'loopback' } }],
    ['public on https', { client: { type: 'public' } }],
  ])('not for %s', (_, given) => {
    expect(consentOf({ ...all, ...given })).toBe('code');
  });
});
