import { describe, expect, test } from 'vitest';
import type { AuthorizationRequest } from '#lib/oauth/authorization-request.ts';
import { type Client, newClient } from '#lib/oauth/client.ts';
import { OAuthRefusal } from '#lib/oauth/errors.ts';
import { nextStep } from '#lib/oauth/next-step.ts';
import type { RedirectKind, RedirectTarget } from '#lib/oauth/redirect-uri.ts';

const started = new Date('2026-01-01T12:00:00Z');
const now = new Date('2026-01-01T12:05:00Z');
const before = (seconds: number) => new Date(started.getTime() - seconds * 1000);
const after = new Date('2026-01-01T12:01:00Z');

type Case = {
  request?: Partial<AuthorizationRequest>;
  client?: Partial<Client>;
  target?: { kind?: RedirectKind; registered?: boolean };
  authTime?: Date | null;
  amr?: string;
  granted?: string[];
  allowed?: boolean;
  hasFactor?: boolean;
};

function stepOf({
  request = {},
  client = {},
  target = {},
  authTime = before(600),
  amr = 'pwd',
  granted = [],
  allowed = true,
  hasFactor = false,
}: Case): string {
  const person = authTime && { userId: 'u', authTime, amr, allowed, hasFactor };
  try {
    return nextStep(
      {
        clientId: 'c',
        scope: ['a'],
        consentScope: ['a'],
        prompt: [],
        responseMode: 'query',
        ...request,
      } as AuthorizationRequest,
      { ...newClient, ...client } as Client,
      {
        uri: 'x',
        kind: 'https',
        registered: true,
        sent: true,
        ...target,
      } as unknown as RedirectTarget,
      person as Parameters<typeof nextStep>[3],
      granted,
      started,
      now,
    );
  } catch (error) {
    if (error instanceof OAuthRefusal) return error.code;
    throw error;
  }
}

const all = { granted: ['a', 'b'] };

describe('what stands between a request and its code', () => {
  test.each<[string, Case, string]>([
    ['nobody is signed in', { authTime: null }, 'login'],
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
    ['prompt login, signed in before', { ...all, request: { prompt: ['login'] } }, 'login'],
    [
      'prompt login, signed in since',
      { ...all, request: { prompt: ['login'] }, authTime: after },
      'code',
    ],
    [
      'prompt login, signed in that instant',
      { ...all, request: { prompt: ['login'] }, authTime: started },
      'login',
    ],
    ['prompt select_account', { ...all, request: { prompt: ['select_account'] } }, 'login'],
    [
      'prompt select_account, signed in since',
      { ...all, request: { prompt: ['select_account'] }, authTime: after },
      'code',
    ],
    ['max_age 0', { ...all, request: { maxAge: 0 } }, 'login'],
    ['max_age 0, signed in since', { ...all, request: { maxAge: 0 }, authTime: after }, 'code'],
    ['max_age met', { ...all, request: { maxAge: 1000 } }, 'code'],
    ['max_age not met', { ...all, request: { maxAge: 800 } }, 'login'],
    ['acr essential, one factor', { ...all, request: { acr: { essential: true } } }, 'login'],
    [
      'acr essential, one factor, signed in since',
      { ...all, request: { acr: { essential: true } }, authTime: after },
      'login',
    ],
    [
      'acr essential, two factors',
      { ...all, request: { acr: { essential: true } }, amr: 'pwd otp mfa' },
      'code',
    ],
    [
      'a rule: second factor, one factor',
      { ...all, client: { requireSecondFactor: true } },
      'login',
    ],
    [
      'a rule: second factor, one factor, signed in since',
      { ...all, client: { requireSecondFactor: true }, authTime: after },
      'login',
    ],
    [
      'a rule: second factor, two factors',
      { ...all, client: { requireSecondFactor: true }, amr: 'pwd otp mfa' },
      'code',
    ],
    ['a rule: age, met', { ...all, client: { maxSignInAge: 900 } }, 'code'],
    ['a rule: age, not met', { ...all, client: { maxSignInAge: 899 } }, 'login'],
    [
      'a rule: age, grown old since',
      { ...all, client: { maxSignInAge: 239 }, authTime: after },
      'login',
    ],
    [
      'a rule: age, and an older one asked for',
      { ...all, request: { maxAge: 9999 }, client: { maxSignInAge: 899 } },
      'login',
    ],
    ['a rule: life, over', { ...all, client: { signInLife: 900 } }, 'login'],
    [
      'a rule: age, not met, prompt none',
      { ...all, request: { prompt: ['none'] }, client: { maxSignInAge: 899 } },
      'login_required',
    ],
    [
      'a rule: second factor, prompt none, has none',
      { ...all, request: { prompt: ['none'] }, client: { requireSecondFactor: true } },
      'interaction_required',
    ],
    [
      'a rule: second factor, prompt none, has one',
      {
        ...all,
        hasFactor: true,
        request: { prompt: ['none'] },
        client: { requireSecondFactor: true },
      },
      'login_required',
    ],
    [
      'a rule: second factor, may not use it at all',
      { ...all, allowed: false, client: { requireSecondFactor: true } },
      'no-access',
    ],
    ['acr as a wish, one factor', { ...all, request: { acr: { essential: false } } }, 'code'],
    [
      'prompt none, acr essential, one factor',
      { ...all, request: { prompt: ['none'], acr: { essential: true } } },
      'login_required',
    ],
    [
      'prompt none, nobody signed in',
      { authTime: null, request: { prompt: ['none'] } },
      'login_required',
    ],
    [
      'prompt none, signed in too long ago',
      { ...all, request: { prompt: ['none'], maxAge: 1 } },
      'login_required',
    ],
    ['prompt none, nothing given', { request: { prompt: ['none'] } }, 'consent_required'],
    ['may not use the app', { ...all, allowed: false }, 'no-access'],
    ['may not use the app, nothing given', { allowed: false }, 'no-access'],
    [
      'may not use the app, which demands a second factor',
      { allowed: false, client: { requireSecondFactor: true } },
      'no-access',
    ],
    [
      'may not use the app, first party',
      { allowed: false, client: { firstParty: true } },
      'no-access',
    ],
    ['may not use the app, nobody signed in', { authTime: null, allowed: false }, 'login'],
    [
      'may not use the app, prompt login',
      { allowed: false, request: { prompt: ['login'] } },
      'login',
    ],
    [
      'may not use the app, prompt none',
      { allowed: false, request: { prompt: ['none'] } },
      'access_denied',
    ],
    ['prompt none, all given', { ...all, request: { prompt: ['none'] } }, 'code'],
  ])('%s: %s', (_, given, step) => {
    expect(stepOf(given)).toBe(step);
  });
});

describe('consent is never skipped where another program could answer', () => {
  test.each<[string, Case]>([
    ['unregistered', { target: { registered: false } }],
    ['plain http', { target: { kind: 'http' } }],
    ['public on loopback', { client: { type: 'public' }, target: { kind: 'loopback' } }],
    [
      'public on a private-use scheme',
      { client: { type: 'public' }, target: { kind: 'private-use' } },
    ],
  ])('%s', (_, given) => {
    expect(stepOf({ ...all, ...given })).toBe('consent');
    expect(stepOf({ ...all, ...given, client: { ...given.client, firstParty: true } })).toBe(
      'consent',
    );
    expect(stepOf({ ...all, ...given, request: { prompt: ['none'] } })).toBe('consent_required');
  });

  test.each<[string, Case]>([
    ['confidential on loopback', { target: { kind: 'loopback' } }],
    ['public on https', { client: { type: 'public' } }],
  ])('but %s is', (_, given) => {
    expect(stepOf({ ...all, ...given })).toBe('code');
  });
});
