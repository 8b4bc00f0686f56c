import { describe, expect, test } from 'vitest';
import type { AuthorizationRequest } from '#lib/oauth/authorization-request.ts';
import type { Client } from '#lib/oauth/client.ts';
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
};

function stepOf({
  request = {},
  client = {},
  target = {},
  authTime = before(600),
  amr = 'pwd',
  granted = [],
}: Case): string {
  const person = authTime && { userId: 'u', authTime, amr };
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
      { type: 'confidential', firstParty: false, ...client } as Client,
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
