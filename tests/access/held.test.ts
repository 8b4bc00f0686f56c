import { expect, test } from 'vitest';
import { judgeHolder } from '#lib/access/held.ts';
import { newClient } from '#lib/oauth/client.ts';
import type { Getting } from '#lib/oauth/sign-in-rules.ts';

const now = new Date('2026-01-01T12:00:00Z');
const client = {
  ...newClient,
  id: 'app',
  name: 'App',
  type: 'confidential',
  origin: 'admin',
  host: null,
  disabled: false,
  epoch: 0,
  secretHashes: [],
} as unknown as Parameters<typeof judgeHolder>[0];
const signIn = { authTime: new Date('2026-01-01T11:00:00Z'), amr: 'pwd' };
const holder = {
  ...signIn,
  allowed: true,
  approval: 'given',
  demanded: false,
  terms: null,
} as const;
const notListed = ['app', 'access.not-listed', 'invalid_grant'];
const refused = ['app', 'approval.refused', 'invalid_grant'];
const unagreed = ['terms', 'terms.required', 'invalid_grant'];
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
const weak = ['sign-in', 'second-factor-required', 'invalid_grant'];
const over = ['sign-in', 'sign-in-over', 'invalid_grant'];

type Change = {
  client?: Partial<typeof client>;
  holder?: Partial<Parameters<typeof judgeHolder>[1]>;
  getting?: Getting;
};

test.each<[string, Change, unknown]>([
  ['somebody on its list', {}, null],
  ['somebody not on its list', { holder: { allowed: false } }, notListed],
  ['an app that admins refused', { holder: { approval: 'refused' } }, refused],
  [
    'a second factor that the sign-in did not have',
    { client: { requireSecondFactor: true } },
    weak,
  ],
  [
    'a second factor that it had',
    { client: { requireSecondFactor: true }, holder: { amr: 'pwd otp mfa' } },
    null,
  ],
  ['a sign-in that is over', { client: { signInLife: 600 } }, over],
  ['a sign-in that is not', { client: { signInLife: 7200 } }, null],
  // The age was checked when the sign-in was used. Refreshes come from the app's server, which may
  // be anywhere.
  ['a sign-in that grew old', { client: { maxSignInAge: 600 } }, null],
  [
    'a sign-in that is too old for what an app gets anew',
    { client: { maxSignInAge: 600 }, getting: 'anew' },
    ['sign-in', 'sign-in-too-old', 'insufficient_user_authentication'],
  ],
  [
    'a sign-in of which nobody said when it was, for an app that limits the age',
    { client: { maxSignInAge: 600 }, holder: { authTime: new Date(0) }, getting: 'anew' },
    ['sign-in', 'sign-in-too-old', 'insufficient_user_authentication'],
  ],
  ['terms of use that they have not agreed to', { holder: { terms: due } }, unagreed],
  ['a second factor that this server demands', { holder: { demanded: true } }, weak],
  [
    'a second factor that this server demands, for what an app gets anew',
    { holder: { demanded: true }, getting: 'anew' },
    ['sign-in', 'second-factor-required', 'insufficient_user_authentication'],
  ],
  ['an app for certain networks', { client: { networks: ['198.51.100.0/24'] } }, null],
  [
    'not listed, and a sign-in that is over',
    { client: { signInLife: 600 }, holder: { allowed: false } },
    notListed,
  ],
  [
    'refused, and a sign-in that is over',
    { client: { signInLife: 600 }, holder: { approval: 'refused' } },
    over,
  ],
])('tokens of an app stay valid, or not: %s', (_, change, expected) => {
  const app = { ...client, ...change.client };
  const barred = judgeHolder(app, { ...holder, ...change.holder }, change.getting ?? 'kept', now);
  const { facts, code } = barred?.refusal ?? {};
  expect(barred && [barred.by, facts?.rule, code]).toEqual(expected);
});
