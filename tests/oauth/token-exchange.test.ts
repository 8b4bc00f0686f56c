import { describe, expect, test } from 'vitest';
import type { Api } from '#lib/oauth/api.ts';
import type { DpopProof } from '#lib/oauth/dpop.ts';
import { parseForm } from '#lib/oauth/params.ts';
import type { ScopeRow } from '#lib/oauth/scope.ts';
import {
  actClaim,
  actorsOf,
  checkActor,
  checkExchangeTarget,
  checkStaysBound,
  checkSubject,
  exchangeEnds,
  readExchange,
  type Subject,
} from '#lib/oauth/token-exchange.ts';
import { addSeconds } from '#lib/oauth/token-request.ts';
import { outcome } from './outcome.ts';

/* The rules of an exchange (RFC 8693). Each line breaks one. */

const now = new Date('2026-11-26T12:00:00Z');
const type = (name: string) => `urn:ietf:params:oauth:token-type:${name}`;

describe('a token exchange request (RFC 8693)', () => {
  const usual = {
    subject_token: 'gh_at_a',
    subject_token_type: type('access_token'),
    resource: 'https://far.example',
  };
  const read = (more: Record<string, string> = {}) =>
    outcome(() => readExchange(parseForm(new URLSearchParams({ ...usual, ...more }).toString())));

  test('has a subject token and targets', () => {
    expect(read()).toEqual({
      subjectToken: 'gh_at_a',
      actorToken: undefined,
      targets: ['https://far.example'],
      scope: undefined,
    });
    const both = { audience: 'https://far.example', requested_token_type: type('access_token') };
    expect(read(both)).toMatchObject({ targets: ['https://far.example'] });
    expect(read({ audience: 'https://near.example' })).toMatchObject({
      targets: ['https://far.example', 'https://near.example'],
    });
    const actor = { actor_token: 'gh_at_b', actor_token_type: type('access_token') };
    expect(read(actor)).toMatchObject({ actorToken: 'gh_at_b' });
  });

  test.each<Record<string, string>>([
    { subject_token: '' },
    { subject_token_type: '' },
    { subject_token_type: type('refresh_token') },
    { subject_token_type: type('jwt') },
    { requested_token_type: type('refresh_token') },
    { requested_token_type: type('jwt') },
    { resource: '' },
    { actor_token: 'gh_at_b' },
    { actor_token_type: type('access_token') },
    { actor_token: 'gh_at_b', actor_token_type: type('id_token') },
  ])('is refused if it makes no sense: %j', (more) => {
    expect(read(more)).toBe('invalid_request exchange.parameter');
  });
});

const scopeOf = (name: string) => ({ name, description: name, translations: {} });
const api = (name: string, more: Partial<Api> = {}): Api => ({
  id: name,
  identifier: `https://${name}.example`,
  name,
  description: null,
  tokenFormat: 'opaque',
  accessTokenTtl: null,
  access: 'admins',
  askedBy: [],
  scopes: [scopeOf('read'), scopeOf(`${name}.own`)],
  servedBy: [name],
  ...more,
});
const [near, far, third] = [api('near'), api('far'), api('third')];
const jwt = api('jwt', { tokenFormat: 'jwt' });
const listed = api('listed', { access: 'listed', askedBy: ['other'] });
const apis = [near, far, third, jwt, listed];

describe('the subject token of a token exchange', () => {
  const subject: Subject = {
    scope: 'read',
    audience: [near.identifier],
    jkt: null,
    isPersons: true,
    expiresAt: addSeconds(now, 60),
    holders: ['front'],
  };
  const judge = (more: Partial<Subject> | null = {}, id = 'near') =>
    outcome(() => checkSubject(more && { ...subject, ...more }, 'gh_at_a', { id }, apis));

  test('is accepted if it was meant for the client', () => {
    expect(judge()).toEqual(subject);
    expect(judge({ audience: [far.identifier, near.identifier] })).toMatchObject({
      holders: ['front'],
    });
    expect(judge({ holders: ['d', 'c', 'b', 'front'] })).toMatchObject({ scope: 'read' });
  });

  test.each<[string, Partial<Subject> | null, string, string]>([
    ['that is none', null, 'near', 'exchange.subject'],
    ['of no person', { isPersons: false }, 'near', 'exchange.no-person'],
    [
      'for an API of somebody else',
      { audience: [far.identifier] },
      'near',
      'exchange.other-audience',
    ],
    ['for no API', { audience: [] }, 'near', 'exchange.other-audience'],
    [
      'for an API that was removed',
      { audience: ['https://gone.example'] },
      'near',
      'exchange.other-audience',
    ],
    ['of a client that serves nothing', {}, 'front', 'exchange.other-audience'],
    [
      'that came through four already',
      { holders: ['d', 'c', 'b', 'a', 'front'] },
      'near',
      'exchange.depth',
    ],
  ])('%s is refused', (_, more, client, rule) => {
    expect(judge(more, client)).toBe(`invalid_request ${rule}`);
  });

  test('needs a DPoP proof if it is bound to a key', () => {
    const proof = {} as DpopProof;
    const bound = { jkt: 'x' };
    for (const [of, by] of [
      [{ jkt: null }, null],
      [{ jkt: null }, proof],
      [bound, proof],
    ] as const)
      expect(outcome(() => checkStaysBound(of, by))).toBeUndefined();
    expect(outcome(() => checkStaysBound(bound, null))).toBe('invalid_request exchange.unbound');
  });
});

test.each<[string | undefined, string | null, boolean]>([
  [undefined, null, true],
  [undefined, 'other', true],
  ['gh_at_b', 'near', true],
  ['gh_at_b', 'other', false],
  ['gh_at_b', null, false],
])('token exchange: the actor token %s of %s', (sent, actor, isFine) => {
  const judged = outcome(() => checkActor(sent, actor, { id: 'near' }));
  expect(judged).toBe(isFine ? undefined : 'invalid_request exchange.actor');
});

describe('the target of a token exchange', () => {
  const row = (name: string, sensitive = false): ScopeRow => ({
    ...scopeOf(name),
    isDefault: false,
    sensitive,
  });
  const scopes = [row('openid'), row('profile'), row('orders'), row('secret', true)];
  const client = {
    id: 'near',
    origin: 'admin',
    firstParty: false,
    scopes: null,
    exchangeFor: apis.map(({ identifier }) => identifier),
  } as const;
  const whole = {
    scope: 'openid profile orders read near.own far.own third.own secret',
    resources: [near, far, jwt].map(({ identifier }) => identifier).join(' '),
    onward: '',
  };
  const subject = {
    scope: 'openid profile orders read near.own secret',
    audience: [near.identifier],
  };
  type Asked = {
    scope?: string;
    targets?: string[];
    subject?: Partial<typeof subject>;
    whole?: Partial<typeof whole>;
    client?: { exchangeFor?: string[]; firstParty?: boolean; scopes?: string[] };
  };
  const ask = ({ scope, targets = [far.identifier], ...more }: Asked = {}) =>
    outcome(() =>
      checkExchangeTarget(
        { targets, scope },
        { ...subject, ...more.subject },
        { ...whole, ...more.whole },
        { client: { ...client, ...more.client } as never, apis, scopes },
      ),
    );
  const given = (asked: Asked = {}) => {
    const target = ask(asked);
    return typeof target === 'string' ? target : target.scope;
  };

  test('is the other API, with the scopes that have a meaning there; those about the user only by name', () => {
    expect(ask()).toEqual({
      apis: [far],
      scope: 'orders read far.own',
      words: ['orders', far.identifier, `${far.identifier}#read`, `${far.identifier}#far.own`],
      onward: {
        // Leaving `near.own` out takes nothing away, because it means nothing at the other APIs.
        scope: 'openid profile orders read near.own far.own third.own secret',
        audience: [near.identifier, far.identifier, jwt.identifier],
      },
    });
    expect(given({ scope: 'openid read' })).toBe('openid read');
    expect(given({ scope: 'read' })).toBe('read');
    expect(ask({ scope: 'read' })).toMatchObject({ onward: { scope: 'read' } });
  });

  test('has no scope or API that an earlier exchange narrowed away', () => {
    const less = { subject: { scope: 'profile' } };
    expect(given(less)).toBe('far.own');
    for (const scope of ['read', 'orders', 'openid', 'near.own', 'far.own read'])
      expect(given({ ...less, scope })).toBe('invalid_scope scope.wider');
    // What is passed on is less than what was allowed, and stays so.
    const onward = `far.own read\n${[near, far].map(({ identifier }) => identifier).join(' ')}`;
    expect(given({ whole: { onward }, scope: 'orders' })).toBe('invalid_scope scope.wider');
    expect(ask({ whole: { onward } })).toMatchObject({
      scope: 'far.own read',
      onward: { scope: 'far.own read', audience: [near.identifier, far.identifier] },
    });
    expect(given({ whole: { onward }, targets: [jwt.identifier] })).toBe(
      'invalid_target resource.not-granted',
    );
  });

  test('has no scope without a meaning there, and none that the client may not request', () => {
    for (const scope of ['near.own', 'third.own', 'secret', 'near.own secret'])
      expect(given({ scope })).toBe('invalid_scope scope.not-allowed');
    expect(given({ scope: 'none' })).toBe('invalid_scope scope.wider');
    expect(given({ scope: 'read near.own' })).toBe('read');
    expect(given({ client: { scopes: ['openid'] }, scope: 'openid orders read' })).toBe(
      'openid read',
    );
    expect(given({ client: { scopes: ['secret'] }, scope: 'secret' })).toBe('secret');
  });

  test.each<[string, Asked, string]>([
    ['an unknown API', { targets: ['https://none.example'] }, 'resource.unknown'],
    [
      'one of two that is unknown',
      { targets: [far.identifier, 'https://none.example'] },
      'resource.unknown',
    ],
    [
      'one that no admin named',
      { client: { exchangeFor: [near.identifier] } },
      'exchange.not-permitted',
    ],
    [
      'one that begins like one that an admin named',
      { client: { exchangeFor: ['https://far.example/x'] } },
      'exchange.not-permitted',
    ],
    [
      'one of two that no admin named',
      { targets: [near.identifier, far.identifier], client: { exchangeFor: [far.identifier] } },
      'exchange.not-permitted',
    ],
    ['one that lists its clients', { targets: [listed.identifier] }, 'resource.not-allowed'],
    ['one that the person did not allow', { targets: [third.identifier] }, 'resource.not-granted'],
    [
      'one of two that the person did not allow',
      { targets: [far.identifier, third.identifier] },
      'resource.not-granted',
    ],
    [
      'two of which one wants JWTs',
      { targets: [far.identifier, jwt.identifier] },
      'resource.one-at-a-time',
    ],
  ])('is not %s', (_, asked, rule) => {
    expect(given(asked)).toBe(`invalid_target ${rule}`);
  });

  test('may be an API without consent for a first-party app only, and then without its scopes', () => {
    const vouched = { targets: [third.identifier], client: { firstParty: true } };
    expect(ask(vouched)).toMatchObject({
      scope: 'orders',
      onward: { audience: [near.identifier, far.identifier, jwt.identifier] },
    });
    expect(given({ ...vouched, scope: 'read third.own' })).toBe('invalid_scope scope.not-allowed');
    const both = { ...vouched, targets: [far.identifier, third.identifier] };
    // `read` is a scope of both APIs, and one of them was not allowed.
    expect(given({ ...both, scope: 'read far.own' })).toBe('far.own');
  });

  test('is named in any spelling, and counts once', () => {
    const targets = ['HTTPS://FAR.example/', far.identifier];
    expect(ask({ targets })).toMatchObject({ apis: [far] });
    expect(ask({ client: { exchangeFor: ['https://FAR.example/'] } })).toMatchObject({
      apis: [far],
    });
  });
});

describe('the lifetime of an exchanged token', () => {
  const [at, grants] = [(seconds: number) => addSeconds(now, seconds), ['refresh_token'] as const];
  const ends = (
    more: { idleUntil?: Date | null; endsAt?: Date | null; keepUntil?: Date } = {},
    { client = grants, holder = grants, life = 10_000 } = {} as {
      client?: readonly string[];
      holder?: readonly string[];
      life?: number;
    },
  ) =>
    exchangeEnds(
      { expiresAt: at(60) },
      { idleUntil: at(1000), endsAt: at(2000), keepUntil: at(3000), ...more },
      { client: { grants: client } as never, holder: { grants: holder } as never, life },
      now,
    );

  test.each<[string, ReturnType<typeof ends>, boolean, number]>([
    ['as the refresh token above', ends(), true, 1000],
    ['no longer than all above', ends({ endsAt: at(900) }), true, 900],
    ['no longer than what is kept of it', ends({ keepUntil: at(800) }), true, 800],
    ['no longer than its client’s own', ends({}, { life: 500 }), true, 500],
    ['as the refresh token, where that has no other end', ends({ endsAt: null }), true, 1000],
    ['as the token, where the client has none', ends({}, { client: [] }), false, 60],
    ['as the token, where who holds it has none', ends({}, { holder: [] }), false, 60],
    ['as the token, where nothing is refreshed', ends({ idleUntil: null }), false, 60],
    ['as the token, where that outlives the rest', ends({ idleUntil: at(59) }), false, 60],
    ['as the token, where both end at once', ends({ idleUntil: at(60) }), false, 60],
    [
      'no longer than what is kept, with neither',
      ends({ keepUntil: at(50) }, { client: [] }),
      false,
      50,
    ],
  ])('%s', (_, { refreshes, endsAt }, isRefreshed, seconds) => {
    expect([refreshes, endsAt]).toEqual([isRefreshed, at(seconds)]);
  });
});

test('act of an exchanged token names the acting clients, the nearest outermost, without the first client', () => {
  expect(actorsOf('front', [])).toEqual([]);
  expect(actorsOf('near', ['front'])).toEqual(['near']);
  expect(actorsOf('far', ['near', 'front'])).toEqual(['far', 'near']);
  expect(actClaim([])).toEqual({});
  expect(actClaim(['far', 'near'])).toEqual({ act: { sub: 'far', act: { sub: 'near' } } });
});
