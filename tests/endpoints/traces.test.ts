import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { attemptFor } from '#lib/management/attempt/attempt-shown.ts';
import { showTrace, showTraceOf } from '#lib/management/attempt/traces.ts';
import { addContact } from '#lib/management/client/contacts.ts';
import type { Rule } from '#lib/oauth/facts.ts';
import { grantTypeNames } from '#lib/oauth/grant-types.ts';
import { database, read, write } from '#lib/store/engine/database.ts';
import { findTrace, traceList } from '#lib/store/trace-list.ts';
import { basic, credentials, me, post, redeem, refresh, tokensOf } from '../support/app.ts';
import { askTokens, decideOn, newDeviceClient, startDevice } from '../support/devices.ts';
import { codeOf as appCode, newUserWithApp, wrongCode } from '../support/factors.ts';
import { newGroup } from '../support/groups.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, Person } from '../support/person.ts';
import {
  type ClientOptions,
  newClient,
  newPkce,
  newUser,
  type TestClient,
} from '../support/seed.ts';
import { set } from '../support/settings.ts';
import { changeAuthorization, readToken, remade } from '../support/tokens.ts';
import { stepOf, traceOf } from '../support/traces.ts';

const server = await openServer({});
const person = await newPerson(server);

const authorize = (client: Pick<TestClient, 'id'>, params: Record<string, string>) =>
  new Person(server).request(
    authorizePath({ client_id: client.id, response_type: 'code', ...params }),
  );
const codeOf = (client: TestClient, params: Record<string, string> = {}) =>
  person.code({ client_id: client.id, response_type: 'code', ...params });
const token = (params: Record<string, string>, headers?: Record<string, string>) =>
  post(server, '/oauth/token', params, headers);

type Case = {
  rule: Rule;
  ask: (client: TestClient) => Promise<{ headers: Headers }>;
  received: unknown;
  expected: unknown;
  client?: ClientOptions;
  /** Who was behind it, if not the app; 'unknown' where no client of ours is named. */
  behind?: 'nobody' | 'person' | 'unknown';
};

const registered = 'https://app.example/callback';
const { challenge } = newPkce();

const cases: Case[] = [
  {
    rule: 'client.unknown',
    ask: () => authorize({ id: 'nobody\u202e<b>' }, {}),
    received: 'nobody\ufffd<b>',
    expected: [],
    behind: 'unknown',
  },
  {
    rule: 'redirect-uri.unregistered',
    ask: (client) => authorize(client, { redirect_uri: `${registered}/` }),
    client: { redirectUris: [registered] },
    received: `${registered}/`,
    expected: [registered],
    behind: 'nobody',
  },
  {
    rule: 'response-type',
    ask: (client) => authorize(client, { response_type: 'token' }),
    received: 'token',
    expected: ['code'],
    behind: 'nobody',
  },
  {
    rule: 'scope.not-allowed',
    ask: (client) => authorize(client, { scope: 'phone' }),
    client: { scopes: ['profile', 'email'] },
    received: 'phone',
    expected: expect.arrayContaining(['profile', 'email']),
    behind: 'nobody',
  },
  {
    rule: 'pkce.required',
    ask: (client) => authorize(client, {}),
    client: { requirePkce: true },
    received: null,
    expected: ['code_challenge', 'code_challenge_method=S256'],
    behind: 'nobody',
  },
  {
    rule: 'pkce.method',
    ask: (client) => authorize(client, { ...challenge, code_challenge_method: 'plain' }),
    received: 'plain',
    expected: ['S256'],
    behind: 'nobody',
  },
  {
    rule: 'grant-type.unknown',
    ask: (client) => token({ ...credentials(client), grant_type: 'password' }),
    received: 'password',
    expected: grantTypeNames,
    behind: 'nobody',
  },
  {
    rule: 'grant-type.not-allowed',
    ask: (client) => token({ ...credentials(client), grant_type: 'client_credentials' }),
    received: 'client_credentials',
    expected: ['authorization_code', 'refresh_token'],
  },
  {
    rule: 'content-type',
    ask: () => token({ a: 'b' }, { 'content-type': 'text/plain' }),
    received: 'text/plain',
    expected: ['application/x-www-form-urlencoded'],
    behind: 'unknown',
  },
  {
    rule: 'client-auth.wrong-secret',
    ask: (client) => redeem(server, { ...client, secret: 'wrong' }, 'gh_code_x'),
    received: 'client_secret_post, a secret of 5 characters (masked)',
    expected: ['a secret of this client'],
    behind: 'nobody',
  },
  {
    rule: 'client-auth.wrong-secret',
    ask: (client) =>
      token({ grant_type: 'client_credentials' }, basic(client, client.id, 'wrong one')),
    received: 'client_secret_basic, a secret of 9 characters (masked)',
    expected: ['a secret of this client'],
    behind: 'nobody',
  },
  {
    rule: 'client-auth.malformed',
    ask: () => token({ grant_type: 'client_credentials' }, { authorization: 'hunter2-the-secret' }),
    received: 'no scheme that this server knows',
    expected: ['Basic'],
    behind: 'unknown',
  },
  {
    rule: 'client-auth.malformed',
    ask: () => token({ grant_type: 'client_credentials' }, { authorization: 'Bearer hunter2' }),
    received: 'the scheme Bearer',
    expected: ['Basic'],
    behind: 'unknown',
  },
  {
    rule: 'client-auth.missing',
    ask: (client) => token({ grant_type: 'authorization_code', client_id: client.id, code: 'c' }),
    received: 'client_id alone',
    expected: ['client_secret_basic', 'client_secret_post'],
    behind: 'nobody',
  },
  {
    rule: 'code.unknown',
    ask: (client) => redeem(server, client, 'gh_code_nonsense'),
    received: null,
    expected: [],
  },
  {
    rule: 'code.expired',
    ask: async (client) => {
      const ended = { expiresAt: new Date(Date.now() - 10_500) };
      return redeem(server, client, await remade(await codeOf(client), ended));
    },
    received: expect.stringMatching(/^\d+ s old$/),
    expected: ['at most 30 s'],
  },
  {
    rule: 'code.used',
    ask: async (client) => {
      const code = await codeOf(client);
      await redeem(server, client, code);
      return redeem(server, client, code);
    },
    received: null,
    expected: [],
  },
  {
    rule: 'redirect-uri.differs',
    ask: async (client) =>
      redeem(server, client, await codeOf(client), { redirect_uri: `${registered}?a` }),
    client: { redirectUris: [registered] },
    received: `${registered}?a`,
    expected: [registered],
  },
  {
    rule: 'pkce.verifier-missing',
    ask: async (client) => redeem(server, client, await codeOf(client, challenge)),
    received: null,
    expected: ['the verifier of the code_challenge (S256)'],
  },
  {
    rule: 'pkce.verifier-is-challenge',
    ask: async (client) =>
      redeem(server, client, await codeOf(client, challenge), {
        code_verifier: challenge.code_challenge,
      }),
    received: 'the code_challenge',
    expected: ['the verifier of the code_challenge (S256)'],
  },
  {
    rule: 'client-auth.two-ways',
    ask: (client) =>
      token({ ...credentials(client), grant_type: 'client_credentials' }, basic(client)),
    received: 'client_secret_basic and client_secret_post',
    expected: ['one of the two'],
    behind: 'unknown',
  },
  {
    rule: 'method',
    ask: () => fetch(`${server.base}/oauth/token?grant_type=authorization_code`),
    received: 'GET',
    expected: ['POST'],
    behind: 'unknown',
  },
  {
    rule: 'access-token.id-token',
    ask: async (client) => {
      const tokens = await tokensOf(server, person, client, { scope: 'openid' });
      return me(server, String((tokens as unknown as Record<string, unknown>).id_token));
    },
    received: 'an ID token',
    expected: ['the access token'],
    behind: 'nobody',
  },
  {
    rule: 'pkce.verifier-differs',
    ask: async (client) =>
      redeem(server, client, await codeOf(client, challenge), { code_verifier: 'v'.repeat(43) }),
    received: 'a verifier of 43 characters (masked)',
    expected: ['the verifier of the code_challenge (S256)'],
  },
  {
    rule: 'state.differs',
    ask: async (client) =>
      redeem(server, client, await codeOf(client, { state: 'one' }), { state: 'another' }),
    received: 'a state of 7 characters (masked)',
    expected: ['the state of the authorization request'],
  },
  {
    rule: 'refresh-token.unknown',
    ask: (client) => refresh(server, 'gh_rt_nonsense', credentials(client)),
    received: null,
    expected: [],
  },
  {
    rule: 'scope.wider',
    ask: async (client) => {
      const { refresh_token } = await tokensOf(server, person, client, { scope: 'email' });
      return refresh(server, refresh_token, { scope: 'email profile' });
    },
    received: 'email profile',
    expected: ['email'],
  },
  {
    rule: 'access-token.ended',
    ask: async (client) => {
      const { access_token } = await tokensOf(server, person, client);
      return me(server, await remade(access_token, { expiresAt: new Date(Date.now() - 5_000) }));
    },
    received: expect.stringMatching(/^a token that expired \d+ s ago$/),
    expected: ['a live access token'],
    behind: 'person',
  },
  {
    rule: 'access-token.ended',
    ask: async (client) => {
      const { access_token } = await tokensOf(server, person, client);
      await changeAuthorization(access_token, { revokedAt: new Date() });
      return me(server, access_token);
    },
    received: 'a token that was revoked, or whose authorization has ended',
    expected: ['a live access token'],
    behind: 'person',
  },
];

describe('a refusal leaves one trace, with what was received and what was expected', () => {
  test.concurrent.each(cases)(
    '$rule: $received',
    async ({ ask, client, rule, received, expected, behind = 'app' }) => {
      const own = await newClient(client);
      const answer = await ask(own);
      const trace = await traceOf(answer);
      expect(trace).toMatchObject({ outcome: 'refused', rule, failed: true });
      const refused = trace.steps.filter(({ outcome }) => outcome === 'refused');
      expect(refused).toHaveLength(1);
      expect(refused[0]).toMatchObject({ rule, received, expected, times: 1 });
      expect(refused[0]?.requestId).toBe(answer.headers.get('x-request-id'));
      expect(trace.clientId).toBe(behind === 'unknown' ? null : own.id);
      expect(refused[0]?.behind).toBe(behind === 'unknown' ? 'nobody' : behind);
    },
  );
});

test('the trace of a code or refresh token of another app names the owner', async () => {
  const own = await newClient();
  const other = await newClient();
  const { refresh_token } = await tokensOf(server, person, own);
  for (const answer of [
    await redeem(server, other, await codeOf(own)),
    await refresh(server, refresh_token, credentials(other)),
  ])
    expect((await traceOf(answer)).steps).toMatchObject([
      { received: other.id, expected: [own.id], behind: 'app' },
    ]);
});

test('the trace of another app’s client secret names that app, to admins only', async () => {
  const own = await newClient();
  const other = await newClient();
  const note = { rule: 'client-auth.secret-of-other', received: other.id, expected: [] };
  const answer = await redeem(server, { ...own, secret: other.secret }, 'gh_code_x');
  expect(answer.body.error_description).not.toContain(other.id);
  const { id, steps } = await traceOf(answer);
  expect(steps).toMatchObject([{ rule: 'client-auth.wrong-secret', notes: [note] }]);
  const shown = await showTraceOf(own.id, id);
  expect(shown.steps).toMatchObject([{ notes: [{ ...note, received: null }] }]);
  expect(JSON.stringify(shown)).not.toContain(other.id);
  const developer = await newUser();
  await addContact(own.id, developer.id, { id: 'cli' }, new Date());
  const requestId = answer.headers.get('x-request-id') ?? '';
  const explained = await attemptFor({ id: developer.id, role: 'none' }, requestId);
  expect(explained).toMatchObject({ trace: { id } });
  expect(JSON.stringify(explained)).not.toContain(other.id);
  const outsider = await redeem(server, { ...own, id: 'nobody', secret: other.secret }, 'x');
  expect((await traceOf(outsider)).steps).toMatchObject([
    { rule: 'client.unknown', notes: [note] },
  ]);
  const wrong = await redeem(server, { ...own, secret: 'gh_cs_none' }, 'x');
  expect((await traceOf(wrong)).steps).toMatchObject([{ notes: [] }]);
});

describe('ignored scopes and parameters are noted once in the trace', () => {
  const client = {
    scopes: ['openid', 'profile'],
    grants: ['authorization_code', 'client_credentials'],
  };
  const extra = { audience: 'https://api.example', access_type: 'offline', secret_thing: 'hush' };
  const notes = [
    { rule: 'scope.ignored', received: 'orders offline_access' },
    { rule: 'parameter.audience', received: 'https://api.example', expected: ['resource'] },
    { rule: 'parameter.ignored', received: 'access_type secret_thing' },
  ];

  test('of an authorization request and its continuation', async () => {
    const own = await newClient(client as ClientOptions);
    const scope = 'openid orders offline_access';
    const code = await codeOf(own, { ...extra, scope });
    const { id } = await traceOf(await redeem(server, own, code));
    const shown = await showTrace(id);
    expect(shown.steps.flatMap((step) => step.notes)).toMatchObject(notes);
    expect(JSON.stringify(shown)).not.toContain('hush');
  });

  test('of a token request', async () => {
    const own = await newClient(client as ClientOptions);
    const answer = await token({ ...credentials(own), grant_type: 'client_credentials', ...extra });
    expect(answer.status).toBe(200);
    expect((await traceOf(answer)).steps).toMatchObject([{ notes: notes.slice(1) }]);
  });

  test('with at most ten names', async () => {
    const own = await newClient(client as ClientOptions);
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`p${at}`.repeat(9), '1']),
    );
    const answer = await authorize(own, many);
    const [note] = (await traceOf(answer)).steps[0]?.notes ?? [];
    expect(note?.received?.split(' ')).toHaveLength(10);
  });
});

test('the error page of a disabled app names it', async () => {
  const own = await newClient({ name: 'Pottery Wheel', disabled: true });
  const answer = await new Person(server).request(
    authorizePath({ client_id: own.id, response_type: 'code' }),
  );
  expect(await answer.text()).toContain('Pottery Wheel');
});

test.each([
  ['confidential', 'the app', 'app'],
  ['public', 'no more than the person, who holds whatever a public app was given', 'person'],
] as const)(
  'the trace says who is behind each request of a %s app: nobody, the user, then %s',
  async (type, _, own) => {
    const client = await newClient({ type, redirectUris: [registered] });
    const user = await newUser();
    const pkce = newPkce();
    const someone = new Person(server, user.username);
    const asked = { client_id: client.id, response_type: 'code', ...pkce.challenge };
    const login = await someone.open(authorizePath(asked));
    const consent = await someone.signInAt(login);
    const { code = '' } = answerOf(await someone.decide(consent, 'allow'));
    const proof = { code_verifier: pkce.verifier };
    const sender = type === 'public' ? { ...client, secret: '' } : client;
    const { body } = await redeem(server, sender, code, proof);
    await refresh(server, String(body.refresh_token), { client_id: client.id });
    const { steps, behind } = await traceOf(await me(server, String(body.access_token)));
    expect(behind).toBe(own);
    expect(steps.map(({ step, outcome, ...of }) => `${step} ${outcome}: ${of.behind}`)).toEqual([
      'authorize sign-in: nobody',
      'sign-in done: person',
      'authorize consent: person',
      'consent done: person',
      `token done: ${own}`,
      `refresh done: ${own}`,
      `userinfo done: ${own}`,
    ]);
    const again = await someone.request(authorizePath({ ...asked, scope: 'no-such' }));
    expect(await traceOf(again)).toMatchObject({ behind: 'person', userId: user.id });
  },
);

test('traces: a code proves its user, not yet the app, and nothing if another app sends it', async () => {
  const client = await newClient();
  const other = await newClient({ type: 'public' });
  const code = await codeOf(client);
  const guessed = await redeem(server, { ...client, secret: 'wrong' }, code);
  expect((await traceOf(guessed)).steps.at(-1)).toMatchObject({ behind: 'person' });
  const carried = await redeem(server, other, code);
  expect(await traceOf(carried)).toMatchObject({ clientId: other.id, behind: 'nobody' });
});

test('traces: a device code proves no user before the decision', async () => {
  const client = await newDeviceClient();
  const waits = await startDevice(server, client);
  await askTokens(server, client, waits);
  const hasty = await traceOf(await askTokens(server, client, waits));
  expect(hasty).toMatchObject({ clientId: client.id, behind: 'nobody' });
  expect(hasty.steps.at(-1)).toMatchObject({ rule: 'device-code.too-soon', behind: 'nobody' });
  const denied = await startDevice(server, client);
  await decideOn(await newPerson(server), denied, 'deny');
  const told = await traceOf(await askTokens(server, client, denied));
  expect(told.steps.at(-1)).toMatchObject({ rule: 'device-code.denied', behind: 'person' });
});

test('traces: a request to an old issuer’s addresses by an app without that issuer is noted', async () => {
  const client = await newClient();
  const old = '/realms/traced';
  await newClient({ oldIssuer: old });
  const wrong = await post(server, `${old}/protocol/openid-connect/token`, {
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
  });
  expect(await traceOf(wrong)).toMatchObject({
    clientId: client.id,
    steps: [{ rule: 'client.unknown', notes: [{ rule: 'issuer.elsewhere', received: old }] }],
  });
});

test('traces: an answer without iss is noted, with and without the consent page', async () => {
  const client = await newClient({ sendIss: false });
  const user = await newUser();
  const note = { rule: 'iss.left-out', received: null, expected: [] };
  const someone = new Person(server, user.username);
  const asked = authorizePath({ client_id: client.id, response_type: 'code' });
  const consent = await someone.signInAt(await someone.open(asked));
  const answer = await someone.decide(consent, 'allow');
  const { code = '' } = answerOf(answer);
  const first = await traceOf(await redeem(server, client, code));
  expect(first.steps.filter(({ notes }) => notes.length > 0)).toMatchObject([
    { step: 'consent', notes: [note] },
  ]);
  const again = await traceOf(await someone.request(asked));
  expect(again.steps).toMatchObject([{ step: 'authorize', outcome: 'done', notes: [note] }]);
});

test('one trace spans an attempt from the authorization request to the refresh', async () => {
  const user = await newUser();
  const client = await newClient({ name: 'Pottery Club' });
  const someone = new Person(server, user.username);
  const login = await someone.open(authorizePath({ client_id: client.id, response_type: 'code' }));
  const consent = await someone.signInAt(login);
  const { code = '' } = answerOf(await someone.decide(consent, 'allow'));
  await redeem(server, { ...client, secret: 'wrong' }, code);
  const { body } = await redeem(server, client, code);
  await me(server, String(body.access_token));
  const refreshed = await refresh(server, String(body.refresh_token));
  const { id } = await traceOf(refreshed);
  expect(id).toBe((await readToken(code)).id);
  const trace = await findTrace(id);
  expect(trace).toMatchObject({ clientName: 'Pottery Club', username: user.username });
  expect(trace?.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
    'authorize sign-in',
    'sign-in done',
    'authorize consent',
    'consent done',
    'token refused',
    'token done',
    'userinfo done',
    'refresh done',
  ]);
});

test('traces: a wrong password and a wrong code are steps, and the password is not stored', async () => {
  const user = await newUserWithApp();
  const client = await newClient();
  const someone = new Person(server, user.username);
  const login = await someone.open(authorizePath({ client_id: client.id, response_type: 'code' }));
  const typed = { password: 'not-my-password-77', code: wrongCode(user.secret) };
  const again = await someone.signInAt(login, user.username, typed.password);
  const factor = await someone.signInAt(again);
  const refused = await someone.submit(factor, '/login/factor/submit', { code: typed.code });
  await someone.submit(refused, '/login/factor/submit', { code: appCode(user.secret) });
  const trace = await vi.waitFor(
    async () => {
      const { rows } = await traceList.page({ clientId: client.id });
      const found = rows[0] && (await findTrace(rows[0].id));
      if (!found?.steps.some(({ step }) => step === 'consent' || step === 'second-step'))
        throw new Error('It is not written yet.');
      return found;
    },
    { timeout: 20_000 },
  );
  const steps = trace.steps.map(({ step, outcome }) => `${step} ${outcome}`);
  expect(steps).toEqual(expect.arrayContaining(['sign-in failed', 'second-step failed']));
  const stored = await everythingStored();
  expect(stored).not.toContain(typed.password);
});

test('traces: a denied consent is not a failure', async () => {
  const user = await newUser();
  const client = await newClient();
  const someone = new Person(server, user.username);
  const login = await someone.open(authorizePath({ client_id: client.id, response_type: 'code' }));
  await someone.decide(await someone.signInAt(login), 'deny');
  const { rows } = await vi.waitFor(
    async () => {
      const page = await traceList.page({ clientId: client.id, outcome: 'denied' });
      if (page.rows.length === 0) throw new Error('It is not written yet.');
      return page;
    },
    { timeout: 20_000 },
  );
  expect(rows[0]).toMatchObject({ failed: false, rule: null, userId: user.id });
});

test('no secret of a flow is stored anywhere in the database, whichever parameter it was sent in', async () => {
  const user = await newUser();
  const client = await newClient();
  const other = await newClient();
  const pkce = newPkce();
  const someone = new Person(server, user.username);
  const code = await someone.code({
    client_id: client.id,
    response_type: 'code',
    ...pkce.challenge,
  });
  const { body } = await redeem(server, client, code, { code_verifier: pkce.verifier });
  const next = await refresh(server, String(body.refresh_token));
  const made = [body, next.body].flatMap((tokens) => [tokens.access_token, tokens.refresh_token]);
  const password = 'a-password-of-somebody-else-0';
  const secrets = [code, client.secret, pkce.verifier, password, ...made.map(String)];
  const places = ['client_id', 'scope', 'state', 'prompt', 'response_type', 'max_age', 'claims'];
  const asked = [
    me(server, `${String(body.access_token)}x`),
    redeem(server, client, `${code}x`, { code_verifier: pkce.verifier, state: password }),
    redeem(server, client, code, { redirect_uri: `https://u:${password}@app.example/?a=${code}` }),
    refresh(server, String(body.refresh_token), { scope: String(body.access_token) }),
    token({ ...credentials(client), grant_type: String(body.refresh_token) }),
    token({ grant_type: 'client_credentials' }, basic(client, client.secret, password)),
    ...secrets
      .filter((secret) => secret.startsWith('gh_'))
      .flatMap((secret) => places.map((place) => authorize(client, { [place]: secret }))),
    authorize(other, { redirect_uri: `https://app.example/cb?code=${password}` }),
    authorize(other, { redirect_uri: `https://${password}@app.example/cb` }),
  ];
  const answers = await Promise.all(asked);
  await traceOf(answers.at(-1) as { headers: Headers });
  const stored = await everythingStored();
  expect(stored).toContain('[masked');
  for (const secret of secrets) {
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(secret.slice(-20));
    expect(stored).not.toContain(secret.slice(0, 20));
  }
});

test('every refusal that is counted can be opened, and no other answer links to an attempt', async () => {
  const counted = async () => {
    const rows = await read('SELECT value FROM refusal_counters', []);
    return rows.reduce((sum, { value }) => sum + Number(value), 0);
  };
  const send = (path: string, init: RequestInit) =>
    fetch(`${server.base}${path}`, { method: 'POST', ...init });
  const json = { 'Content-Type': 'application/json' };
  const register = () => send('/oauth/register', { headers: json, body: '{' });
  await set('CLIENT_REGISTRATION', 'off');
  await register();
  // What was counted before this is written together with it, or earlier.
  const isOff = "SELECT value FROM refusal_counters WHERE rule = 'registration.off'";
  await vi.waitFor(async () => expect(await read(isOff, [])).not.toHaveLength(0), {
    timeout: 20_000,
  });
  const before = await counted();
  const call = await fetch(`${server.base}/api/v1/clients`, {
    headers: { authorization: 'Bearer x' },
  });
  expect(call.status).toBe(401);
  const keys = await send('/oauth/jwks', {});
  expect((await keys.json()).error_uri).not.toContain('request=');
  await set('CLIENT_REGISTRATION', 'open');
  const registered = await register();
  expect((await registered.json()).error_uri).toContain(registered.headers.get('x-request-id'));
  expect(await stepOf(registered)).toMatchObject({
    step: 'register',
    outcome: 'refused',
    rule: 'request.malformed',
  });
  // Once for the app, which is unknown, and once for all.
  await vi.waitFor(async () => expect(await counted()).toBe(before + 2), { timeout: 20_000 });
});

test('groups that have no room in the ID token are noted', async () => {
  const client = await newClient({ scopes: ['openid', 'groups'] });
  const many = await newPerson(server);
  for (let index = 0; index < 101; index += 1) await newGroup(many.user);
  const asked = { client_id: client.id, response_type: 'code', scope: 'openid groups' };
  const answer = await redeem(server, client, await many.code(asked));
  expect(answer.body).not.toHaveProperty('notes');
  expect((await stepOf(answer)).notes).toContainEqual(
    expect.objectContaining({ rule: 'claims.left-out', received: 'groups' }),
  );
});

test('a person without the name that an app asked for is noted', async () => {
  const client = await newClient();
  const asked = { client_id: client.id, response_type: 'code', scope: 'openid profile' };
  const notesFor = async (name: string | null) => {
    const person = await newPerson(server);
    await write('UPDATE users SET name = :name WHERE id = :id', { name, id: person.user.id });
    const answer = await redeem(server, client, await person.code(asked));
    return (await stepOf(answer)).notes.map(({ rule }) => rule);
  };
  expect(await notesFor(null)).toEqual(['claims.no-name']);
  expect(await notesFor('Ada Lovelace')).toEqual([]);
});

/** The whole database: for SQLite the bytes of its files, for PostgreSQL each row as text. */
async function everythingStored(): Promise<string> {
  if (database().kind === 'sqlite') {
    const file = server.databaseUrl.replace(/^file:/, '');
    return [file, `${file}-wal`].map((path) => readFileSync(path, 'latin1')).join('\n');
  }
  const tables = await read(
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
    [],
  );
  const texts = await Promise.all(
    tables.map(({ tableName }) => read(`SELECT t::text AS row FROM "${tableName}" t`, [])),
  );
  return texts
    .flat()
    .map(({ row }) => String(row))
    .join('\n');
}
