import { describe, expect, test } from 'vitest';
import { sealedTokens } from '#app/admin/clients/[clientId]/try/trial-steps.ts';
import { sealedAnswer } from '#lib/endpoints/api/once.ts';
import { siteState } from '#lib/endpoints/proxy/begin.ts';
import { sealedChallenge } from '#lib/identity/challenge.ts';
import { sealedEnrolment } from '#lib/identity/enrolment.ts';
import { sealedAccounts } from '#lib/identity/kept-accounts.ts';
import { sealedMailCode } from '#lib/identity/mail-code.ts';
import { sealedStep } from '#lib/identity/second-step.ts';
import { sealedPassword } from '#lib/identity/shown-app-password.ts';
import { sealedCodes } from '#lib/identity/shown-codes.ts';
import { sealedDevice } from '#lib/identity/sign-in.ts';
import { sealedKey } from '#lib/identity/signing.ts';
import { sealedTokenKey } from '#lib/identity/token-keys.ts';
import { sealedTotp } from '#lib/identity/totp.ts';
import { sealedArrival } from '#lib/identity/upstream/arrival.ts';
import { sealedAsked } from '#lib/identity/upstream/asked.ts';
import { sealedProviderSecret } from '#lib/identity/upstream/secret.ts';
import { sealedShown } from '#lib/interaction/decision/shown.ts';
import { sealedUserCode } from '#lib/interaction/device-request.ts';
import { sealedEnding } from '#lib/interaction/ended-session.ts';
import { sealedFlash } from '#lib/interaction/flash.ts';
import { sealedLogout } from '#lib/interaction/logout-request.ts';
import {
  isExpired,
  openPendingRequest,
  readPendingRequest,
  sealedPendingRequest,
} from '#lib/interaction/pending-request.ts';
import { sealedReport } from '#lib/interaction/provider-trial.ts';
import { sealedPushedRequest } from '#lib/interaction/pushed-request.ts';
import { sealedTrial, sealedTrialAnswer } from '#lib/interaction/trial.ts';
import { sealedLetter, sealedSheet } from '#lib/mail/letter.ts';
import { pendingRequestLife } from '#lib/oauth/authorization-request.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { browserDigest } from '#lib/sealed/browser.ts';
import { seal } from '#lib/sealed/seal.ts';
import { declarations, namesIn } from '../support/declared.ts';
import before from './before.json' with { type: 'json' };

// The values in before.json were sealed with this secret, by the code before `sealed` existed, at
// this time in this browser.
process.env.SERVER_SECRET = 'sealed-before-this-was-one-list-0123456789';
const then = new Date('2026-11-01T12:00:00Z');
const browser = 'B'.repeat(43);

const inBrowser = (value?: string) => ({
  header: (name: string) => (name === 'cookie' && value ? `gh_browser=${value}` : undefined),
});
const here = inBrowser(browser);
const seconds = (count: number) => new Date(then.getTime() + count * 1000);

/** One purpose: the value that was sealed before, and its limits. */
type Row = {
  // biome-ignore lint/suspicious/noExplicitAny: each purpose has a value of its own
  kind: any;
  /** The purpose, where it differs from the row's name. */
  purpose?: string;
  value: unknown;
  max: number;
  /** The lifetime in seconds. With it, the value is bound to a browser. */
  life?: number;
};

const rows = {
  flow: {
    kind: sealedPendingRequest,
    value: {
      i: 'flow-1',
      t: then.getTime(),
      b: browserDigest(browser),
      p: { client_id: 'client-1', response_type: 'code', state: 'S' },
      r: 'https://app.example/cb',
    },
    max: 8000,
  },
  pushed: {
    kind: sealedPushedRequest,
    value: { i: 'flow-1', t: then.getTime(), p: { client_id: 'client-1' } },
    max: 7600,
  },
  step: {
    kind: sealedStep,
    value: { k: 'prove', u: 'user-1', p: digest('hash-1'), e: 3, m: 'pwd', f: 'flow-1' },
    max: 2000,
    life: 15 * 60,
  },
  challenge: {
    kind: sealedChallenge,
    value: { c: '3MHB82uh2SawgNYqaYYz-RL8d2il6Lr4eHNYkNeBx1Q', u: 'factor', p: 'user-1' },
    max: 1000,
    life: 5 * 60,
  },
  enrolment: {
    kind: sealedEnrolment,
    value: {
      i: '01a196fb1600e37cd99f11944d7f0f67',
      s: 'AQHIDZJ3G4UIOJYWMSFVCKHRUF4ULRKF',
      u: 'user-1',
    },
    max: 1000,
    life: 30 * 60,
  },
  codes: {
    kind: sealedCodes,
    value: { u: 'user-1', c: ['AAAA-BBBB', 'CCCC-DDDD'] },
    max: 3000,
    life: 15 * 60,
  },
  notice: {
    kind: sealedFlash,
    value: { page: '/login', error: 'signIn.wrong', values: { username: 'alice' } },
    max: 4096,
  },
  device: {
    kind: sealedDevice,
    // An earlier version sealed the ids of the users alone.
    value: {
      id: 'device-1',
      users: [
        ['user-1', 0, 0],
        ['user-2', 0, 0],
      ],
    },
    max: 2000,
  },
  'user-code': {
    kind: sealedUserCode,
    value: { d: 'device-1' },
    max: 500,
    life: 600,
  },
  logout: {
    kind: sealedLogout,
    value: { p: { client_id: 'client-1', state: 'S' } },
    max: 12_000,
  },
  seen: {
    kind: sealedShown,
    value: {
      f: 'flow-1',
      u: 'user-1',
      s: 'session-1',
      c: 'client-1',
      r: 'https://app.example/cb',
      p: 'openid profile',
    },
    max: 8192,
  },
  mail: {
    kind: sealedLetter,
    value: {
      kind: 'notice',
      notice: 'password-changed',
      userId: 'user-1',
      values: {},
      at: then.getTime(),
    },
    max: 100_000,
  },
  sheet: {
    kind: sealedSheet,
    purpose: 'mail',
    value: {
      to: 'alice@example.com',
      subject: 'A subject',
      paragraphs: ['A paragraph.'],
      notes: [],
      locale: 'en',
    },
    max: 100_000,
  },
  trial: {
    kind: sealedTrial,
    value: {
      clientId: 'client-1',
      session: 'session-hash',
      redirectUri: 'https://app.example/cb',
      scope: 'openid',
      resources: [],
      state: 'S',
      nonce: 'N',
      verifier: 'V',
    },
    max: 4000,
    life: 600,
  },
  'trial-answer': {
    kind: sealedTrialAnswer,
    value: {
      clientId: 'client-1',
      session: 'session-hash',
      at: then.getTime(),
      answer: { code: 'C', state: 'S' },
    },
    max: 8000,
  },
  'trial-tokens': {
    kind: sealedTokens,
    value: {
      clientId: 'client-1',
      session: 'session-hash',
      exchange: { request: 'POST /oauth/token', status: 200, answer: '{}' },
    },
    max: 8000,
    life: 3600,
  },
  'api-answer': {
    kind: sealedAnswer,
    value: { status: 201, headers: { etag: '"1"' }, body: '{}' },
    max: 200_000,
  },
  accounts: {
    kind: sealedAccounts,
    value: { a: [{ i: 'V'.repeat(43), u: 'user-1', n: 'alice', t: then.getTime() }] },
    max: 4000,
    life: 400 * 24 * 3600,
  },
  'mail-code': {
    kind: sealedMailCode,
    value: { s: 'S'.repeat(43), p: 'sign-in', l: 'alice', f: 'flow-1', u: 'user-1', r: true },
    max: 4000,
    life: 600,
  },
  ended: { kind: sealedEnding, value: { s: 'sid-1' }, max: 1000, life: 15 * 60 },
  totp: { kind: sealedTotp, value: 'SECRETSECRET', max: 1000 },
  'token-key': {
    kind: sealedTokenKey,
    value: Buffer.alloc(32, 7).toString('base64url'),
    max: 1000,
  },
  arrival: {
    kind: sealedArrival,
    value: {
      i: 'arrival-1',
      k: 'claimed',
      p: 'provider-1',
      s: ['https://idp.example', 'subject-1'],
      l: 'alice@idp.example',
      e: 'alice@example.com',
      n: 'Alice',
      u: 'alice',
      g: ['group-1'],
      o: 'user-1',
      f: 'flow-1',
      t: then.getTime(),
    },
    max: 3800,
    life: 30 * 60,
  },
  upstream: {
    kind: sealedAsked,
    value: {
      i: 'asked-1',
      p: 'provider-1',
      r: 'R'.repeat(43),
      k: 'link',
      f: 'flow-1',
      w: '/account',
      s: 'user-1',
      g: 0,
      t: then.getTime(),
    },
    max: 4000,
    life: 15 * 60,
  },
  provider: { kind: sealedProviderSecret, value: 'a client secret', max: 20_000 },
  'provider-trial': {
    kind: sealedReport,
    value: {
      p: 'provider-1',
      s: 'session-hash',
      steps: [
        {
          step: 'person',
          rule: 'provider.unlinked',
          received: 'no verified address',
          expected: ['a linked account'],
          facts: [['sub', 'subject-1']],
        },
      ],
      outcome: 'unknown',
      userId: null,
    },
    max: 8000,
    life: 600,
  },
  'app-password': {
    kind: sealedPassword,
    value: { u: 'user-1', p: 'ghap-0000', n: 'Phone', a: 'Calendar' },
    max: 3000,
    life: 900,
  },
  'site-state': {
    kind: siteState,
    value: { s: 'https://app.example.org', to: '/page?a=1', n: 'number', t: 1 },
    max: 4096,
  },
  key: {
    kind: sealedKey,
    value: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' },
    max: 20_000,
  },
} satisfies Record<string, Row>;

const table = Object.entries(rows).map(
  ([name, row]) =>
    [name, { purpose: name, ...row }] as [keyof typeof rows, Row & { purpose: string }],
);

test('each purpose that the code seals for is here', () => {
  const here = table.map(([, { purpose }]) => purpose);
  expect([...new Set(here)].toSorted()).toEqual(namesIn(declarations.seal).toSorted());
});

describe.each(table)('sealed value: %s', (name, { kind, purpose, value, max, life }) => {
  const old = before[name];
  const open = (text: string | undefined, request = here, now = then) =>
    kind.open(text, request, now);

  test('one from an earlier version opens, and a new one', async () => {
    expect(await open(old)).toEqual(value);
    expect(await open(await kind.seal(value, here, then))).toEqual(value);
  });

  test.each<[string, string | undefined]>([
    ['nothing', undefined],
    ['an empty text', ''],
    ['noise', 'noise'],
    ['dots', '....'],
    ['no JSON in its head', 'AAAA..AAAA.AAAA.AAAA'],
    ['a byte changed', `${old.slice(0, -6)}${old.at(-6) === 'A' ? 'B' : 'A'}${old.slice(-5)}`],
    ['half of it', old.slice(0, old.length / 2)],
    ['a NUL behind it', `${old}\0`],
    ['another alphabet', 'ä'.repeat(200)],
  ])('%s does not open', async (_, text) => {
    expect(await open(text)).toBeNull();
  });

  test('one longer than its limit does not open, even with a valid seal', async () => {
    expect(await open('x'.repeat(1_000_000))).toBeNull();
    const grown = (filler: string) =>
      kind.seal(typeof value === 'string' ? filler : { ...(value as object), filler }, here, then);
    expect(await open(await grown('x'.repeat(10)))).not.toBeNull();
    const long = await grown('x'.repeat(max));
    expect(long.length).toBeGreaterThan(max);
    expect(await open(long)).toBeNull();
  });

  test('one for another purpose does not open', async () => {
    for (const other of Object.keys(before).filter((other) => other !== name))
      expect(await open(before[other as keyof typeof before])).toBeNull();
    const other = purpose === 'logout' ? 'seen' : 'logout';
    expect(await open(await seal(other, value))).toBeNull();
  });

  test.each([null, 7, ['text'], [], {}, { b: 1, e: 'x', t: [] }])(
    'one of another shape does not open: %j',
    async (wrong) => {
      expect(await open(await seal(purpose, wrong))).toBeNull();
    },
  );

  test.runIf(life)('one with a lifetime opens only in its own browser', async () => {
    for (const other of [undefined, '', 'B'.repeat(42), 'C'.repeat(43)])
      expect(await open(old, inBrowser(other))).toBeNull();
    // A value that was sealed without a cookie belongs to no browser.
    const nobodys = await kind.seal(value, inBrowser(), then);
    for (const any of [inBrowser(), here]) expect(await open(nobodys, any)).toBeNull();
  });

  test.runIf(life)('one with a lifetime opens only until its end', async () => {
    for (const text of [old, await kind.seal(value, here, then)]) {
      expect(await open(text, here, seconds((life ?? 0) - 1))).toEqual(value);
      expect(await open(text, here, seconds((life ?? 0) + 1))).toBeNull();
    }
  });
});

describe('a pending authorization request', () => {
  test('has different errors for one of another browser and an invalid one', async () => {
    await expect(readPendingRequest(before.flow, inBrowser('C'.repeat(43)))).rejects.toMatchObject({
      problem: 'flow_foreign',
    });
    await expect(readPendingRequest('noise', here)).rejects.toMatchObject({
      problem: 'flow_invalid',
    });
  });

  test('opens after it has expired, and is then reported as expired', async () => {
    const flow = await openPendingRequest(before.flow);
    expect(flow && isExpired(flow, seconds(pendingRequestLife))).toBe(false);
    expect(flow && isExpired(flow, seconds(pendingRequestLife + 1))).toBe(true);
  });
});
