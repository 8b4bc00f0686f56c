import { describe, expect, test } from 'vitest';
import {
  callWithTokens,
  redeemTrial,
  type TrialCall,
} from '#app/admin/clients/[clientId]/try/trial-steps.ts';
import { readSession } from '#lib/identity/session.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { writeTraces } from '#lib/store/traces.ts';
import { newApi } from '../support/apis.ts';
import { openServer } from '../support/open-server.ts';
import { type Admin, answerOf, newAdmin, Person } from '../support/person.ts';
import { newClient, newUser, type TestClient } from '../support/seed.ts';

const server = await openServer({});

const pathOf = ({ id }: TestClient) => `/admin/clients/${id}/try`;

/** Starts a trial as its page does; returns the answer, which says where the browser is sent. */
async function start(
  admin: Person,
  client: TestClient,
  more: Record<string, string> = {},
  apis: readonly string[] = [],
) {
  const csrf = await csrfOf(admin);
  const fields = [
    ...Object.entries({ csrf, client: client.id, scope: 'openid', ...more }),
    ...apis.map((word) => ['api', word]),
  ];
  const headers = { Origin: server.issuer, 'Sec-Fetch-Site': 'same-origin' };
  const body = new URLSearchParams(fields).toString();
  return admin.request('/admin/try/submit', { method: 'POST', body, headers });
}

/** The CSRF value of this browser, from a form that every signed-in person has. */
async function csrfOf(person: Person): Promise<string> {
  const page = await person.open('/logout');
  return page.forms.find(({ fields }) => fields.csrf)?.fields.csrf ?? '';
}

/** Goes all the way to the answer's page, which is not opened: its address contains the answer. */
async function answered(
  admin: Person,
  client: TestClient,
  apis: readonly string[] = [],
): Promise<string> {
  const started = await start(admin, client, {}, apis);
  expect(started.status).toBe(303);
  let at = started.headers.get('location') ?? '';
  for (let hops = 0; hops < 5 && !at.startsWith('/admin/'); hops += 1) {
    if (at.startsWith('/consent')) {
      const page = await admin.open(at);
      const { body, headers } = admin.postOf(page, '/consent/submit', { decision: 'allow' });
      const allowed = await admin.request('/consent/submit', { method: 'POST', body, headers });
      at = allowed.headers.get('location') ?? '';
    } else at = (await admin.request(at)).headers.get('location') ?? '';
  }
  return at;
}

/** What the page's action knows about the person who posts its form. */
async function acting(person: Person, client: TestClient, now = new Date()) {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const header = (name: string) => (name === 'cookie' ? cookie : undefined);
  const request = {
    header,
    address: 'test',
    isShared: true,
    id: 'of this test',
    page: pathOf(client),
  };
  const { session } = await readSession(request, new Date());
  if (!session) throw new Error('Nobody is signed in.');
  return { request, session, clientId: client.id, now };
}

const answerIn = (at: string) => new URL(at, server.base).searchParams.get('answer') ?? '';
const bodyOf = ({ answer }: { answer: string }): Record<string, unknown> => JSON.parse(answer);

describe('an admin’s trial of an app', () => {
  test('goes to the authorization endpoint, and the answer comes to the trial’s page, sealed', async () => {
    const admin = await newAdmin(server);
    const client = await newClient();
    const started = await start(admin, client);
    const asked = new URL(started.headers.get('location') ?? '', server.base);
    expect(asked.pathname).toBe('/oauth/authorize');
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: client.id,
      redirect_uri: client.redirectUri,
      response_type: 'code',
      scope: 'openid',
      code_challenge_method: 'S256',
    });
    const at = await answered(admin, client);
    expect(at).toMatch(new RegExp(`^${pathOf(client)}\\?answer=[\\w.-]+$`));
    // Neither the code nor the state can be read in the address.
    expect(at).not.toContain('gh_');
    const [row] = await read('SELECT type FROM audit_events WHERE actor = $1 AND type = $2', [
      admin.id,
      'client.tried',
    ]);
    expect(row).toBeDefined();
  });

  test('leaves no trace of an attempt of the app', async () => {
    const admin = await newAdmin(server);
    const client = await newClient();
    const { held } = await redeemTrial(
      answerIn(await answered(admin, client)),
      await acting(admin, client),
    );
    await callWithTokens('userinfo', held, await acting(admin, client));
    await writeTraces();
    expect(await read('SELECT id FROM traces WHERE client_id = $1', [client.id])).toEqual([]);
  });

  test('brings a denial to its page', async () => {
    const admin = await newAdmin(server);
    const client = await newClient();
    const started = await start(admin, client);
    const consent = await admin.open(started.headers.get('location') ?? '');
    const { body, headers } = admin.postOf(consent, '/consent/submit', { decision: 'deny' });
    const denied = await admin.request('/consent/submit', { method: 'POST', body, headers });
    expect(denied.headers.get('location')).toMatch(new RegExp(`^${pathOf(client)}\\?answer=`));
  });

  test('brings a refused request to its page, not to the app', async () => {
    const admin = await newAdmin(server);
    const client = await newClient({ scopes: ['openid'] });
    const started = await start(admin, client, { scope: 'phone' });
    const refused = await admin.request(started.headers.get('location') ?? '');
    expect(refused.headers.get('location')).toMatch(new RegExp(`^${pathOf(client)}\\?answer=`));
  });
});

describe('a trial with APIs (RFC 8707)', () => {
  test('repeats resource, adds the APIs’ scopes, and gets a token for them', async () => {
    const admin = await newAdmin(server);
    const client = await newClient();
    const one = await newApi({ scopes: ['read', 'write'] });
    const other = await newApi({ scopes: ['read'] });
    const words = [one.identifier, `${one.identifier}#read`, `${other.identifier}#read`];
    const started = await start(admin, client, {}, words);
    const asked = new URL(started.headers.get('location') ?? '', server.base).searchParams;
    expect(asked.getAll('resource')).toEqual([one.identifier, other.identifier]);
    expect(asked.get('scope')).toBe('openid read');
    const at = answerIn(await answered(admin, client, words));
    const shown = await redeemTrial(at, await acting(admin, client));
    expect(bodyOf(shown.exchange).scope).toBe('openid read');
    const told = await callWithTokens('introspect', shown.held, await acting(admin, client));
    expect(told.last && bodyOf(told.last)).toMatchObject({
      active: true,
      aud: [one.identifier, other.identifier],
    });
  });

  test('refuses APIs and scopes that the app may not use', async () => {
    const admin = await newAdmin(server);
    const client = await newClient();
    const closed = await newApi({ scopes: ['secrets:read'], access: 'listed' });
    const one = await newApi({ scopes: ['read'] });
    const unknown = [`${one.identifier}#write`, 'read', 'x'.repeat(2000), '#', ''];
    for (const word of [closed.identifier, `${closed.identifier}#secrets:read`, ...unknown]) {
      const refused = await start(admin, client, {}, [word]);
      expect([word, refused.status, refused.headers.get('location')]).toEqual([word, 404, null]);
    }
  });
});

describe.each(['confidential', 'public'] as const)('the tokens of a trial of a %s app', (type) => {
  const redirectUris = ['https://tried.example/callback'];

  test('come for the code, and work at every endpoint until they are revoked', async () => {
    const admin = await newAdmin(server);
    const client = await newClient({ type, redirectUris });
    const at = await answered(admin, client);
    const shown = await redeemTrial(answerIn(at), await acting(admin, client));
    expect(shown.exchange.status).toBe(200);
    expect(shown.exchange.request).toContain('POST /oauth/token');
    const tokens = bodyOf(shown.exchange);
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid' });
    const claims = Object.fromEntries(
      shown.idToken?.claims.map(({ name, value }) => [name, JSON.parse(value)]) ?? [],
    );
    expect(claims).toMatchObject({ iss: server.issuer, aud: client.id, sub: admin.id });
    const go = async (call: TrialCall, held: string) =>
      callWithTokens(call, held, await acting(admin, client));

    const me = await go('userinfo', shown.held);
    expect(me.last && bodyOf(me.last)).toMatchObject({ sub: admin.id, username: admin.username });
    const told = await go('introspect', shown.held);
    // RFC 7662 is only for clients with a secret.
    expect(told.last?.status).toBe(type === 'public' ? 401 : 200);
    const refreshed = await go('refresh', shown.held);
    expect(refreshed.exchange.status).toBe(200);
    const next = bodyOf(refreshed.exchange);
    expect(next.access_token).not.toBe(tokens.access_token);
    expect((await go('revoke', refreshed.held)).last?.status).toBe(200);
    expect((await go('userinfo', refreshed.held)).last?.status).toBe(401);
  });

  test('end when the code is redeemed again', async () => {
    const admin = await newAdmin(server);
    const client = await newClient({ type, redirectUris });
    const at = answerIn(await answered(admin, client));
    const shown = await redeemTrial(at, await acting(admin, client));
    const again = await redeemTrial(at, await acting(admin, client));
    expect(bodyOf(again.exchange)).toMatchObject({ error: 'invalid_grant' });
    const me = await callWithTokens('userinfo', shown.held, await acting(admin, client));
    expect(me.last?.status).toBe(401);
  });

  test('are only for the admin, session, app and time of the trial', async () => {
    const admin = await newAdmin(server);
    const client = await newClient({ type, redirectUris });
    const other = await newAdmin(server);
    const another = await newClient();
    const at = answerIn(await answered(admin, client));
    const late = new Date(Date.now() + 601_000);
    const wrong = [
      // another admin, with their own trial under way, or with all of these cookies except the
      // session
      [at, await acting(other, client)],
      [at, { ...(await acting(admin, client)), session: (await acting(other, client)).session }],
      // the page of another app
      [at, await acting(admin, another)],
      // made up, cut, or of another trial
      ['x.y.z', await acting(admin, client)],
      [at.slice(0, -4), await acting(admin, client)],
      ['', await acting(admin, client)],
      // too late
      [at, await acting(admin, client, late)],
    ] as const;
    for (const [text, who] of wrong)
      await expect(redeemTrial(text, who)).rejects.toThrow('This trial is over');
    const good = await redeemTrial(at, await acting(admin, client));
    expect(good.exchange.status).toBe(200);
    for (const who of [await acting(other, client), await acting(admin, another)])
      await expect(callWithTokens('userinfo', good.held, who)).rejects.toThrow('is over');
    const sealedAnswer = await acting(admin, client);
    await expect(callWithTokens('userinfo', at, sealedAnswer)).rejects.toThrow('is over');
  });

  test('need the answer of the latest trial', async () => {
    const admin = await newAdmin(server);
    const client = await newClient({ type, redirectUris });
    const older = answerIn(await answered(admin, client));
    const newer = answerIn(await answered(admin, client));
    await expect(redeemTrial(older, await acting(admin, client))).rejects.toThrow('is over');
    const shown = await redeemTrial(newer, await acting(admin, client));
    expect(shown.exchange.status).toBe(200);
  });
});

describe('a trial’s answer goes to nobody but its admin', () => {
  test('the app’s own request in the same browser gets its own answer', async () => {
    const admin = await newAdmin(server);
    const client = await newClient();
    await start(admin, client);
    const page = await admin.authorize({
      client_id: client.id,
      response_type: 'code',
      redirect_uri: client.redirectUri,
      state: 'its own',
    });
    expect(page.at.startsWith(client.redirectUri)).toBe(true);
    expect(answerOf(page)).toMatchObject({ state: 'its own' });
  });

  test('the same request in another browser leads to the app', async () => {
    const admin = await newAdmin(server);
    const client = await newClient();
    const asked = (await start(admin, client)).headers.get('location') ?? '';
    const other = await newAdmin(server);
    const page = await other.goThrough(await other.open(asked));
    expect(page.at.startsWith(client.redirectUri)).toBe(true);
    // The cookie does not help there either, because it belongs to a browser and a session.
    other.cookies.set('gh_trial', admin.cookies.get('gh_trial') ?? '');
    const again = await other.goThrough(await other.open(asked));
    expect(again.at.startsWith(client.redirectUri)).toBe(true);
  });

  test.each<[string, (admin: Admin) => Promise<unknown>]>([
    [
      'the role is lost',
      async ({ id }) => {
        await write('UPDATE users SET is_admin = $2 WHERE id = $1', [id, false]);
        await raiseRevision();
      },
    ],
    [
      'the admin signs out, and somebody else in',
      async (admin) => {
        await admin.signOut();
        const { username } = await newUser();
        await admin.signIn(username);
      },
    ],
  ])('when %s during the trial, no code is issued', async (_, happen) => {
    const admin = await newAdmin(server);
    const client = await newClient();
    const started = await start(admin, client);
    const consent = await admin.open(started.headers.get('location') ?? '');
    expect(consent.at).toMatch(/^\/consent/);
    const { body, headers } = admin.postOf(consent, '/consent/submit', { decision: 'allow' });
    await happen(admin);
    const sent = await admin.request('/consent/submit', { method: 'POST', body, headers });
    expect(sent.headers.get('location') ?? '').not.toMatch(/^http|answer=/);
    expect(await read('SELECT id FROM authorizations WHERE client_id = $1', [client.id])).toEqual(
      [],
    );
  });

  test.each<[string, () => Promise<Person>, number]>([
    ['nobody', async () => new Person(server), 303],
    [
      'no admin',
      async () => {
        const { username } = await newUser();
        const person = new Person(server, username);
        await person.signIn();
        return person;
      },
      404,
    ],
  ])('a trial can be started only by an admin: %s', async (_, make, status) => {
    const person = await make();
    const client = await newClient();
    await person.open('/login');
    const response = await start(person, client).catch(() => null);
    if (response) {
      expect([status, 403]).toContain(response.status);
      expect(response.headers.get('location') ?? '').not.toContain('/oauth/authorize');
    }
    expect(person.cookies.has('gh_trial')).toBe(false);
  });

  test('a trial cannot be started with an old sign-in', async () => {
    const admin = await newAdmin(server);
    const client = await newClient();
    const hourAgo = new Date(Date.now() - 3_600_000);
    await write('UPDATE sessions SET auth_time = $2 WHERE user_id = $1', [admin.id, hourAgo]);
    const started = await start(admin, client);
    expect(started.headers.get('location')).toMatch(/^\/login\?back=/);
  });

  test('a trial cannot be started for an unregistered redirect URI or by another site', async () => {
    const admin = await newAdmin(server);
    const client = await newClient();
    const elsewhere = await start(admin, client, { redirect_uri: 'https://evil.example/' });
    expect(elsewhere.headers.get('location')).toBeNull();
    const csrf = await csrfOf(admin);
    const body = new URLSearchParams({ csrf, client: client.id }).toString();
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    const foreign = await admin.request('/admin/try/submit', { method: 'POST', body, headers });
    expect(foreign.status).toBe(403);
    const plain = new URLSearchParams({ client: client.id, csrf: 'x'.repeat(43) }).toString();
    const forged = await admin.request('/admin/try/submit', { method: 'POST', body: plain });
    expect(forged.headers.get('location')).toBeNull();
  });

  test('request parameters and headers cannot authenticate as a trial', async () => {
    const client = await newClient();
    const code = await (await newAdmin(server)).code({
      client_id: client.id,
      response_type: 'code',
    });
    const fields = { grant_type: 'authorization_code', code, client_id: client.id };
    const additions: Record<string, string>[] = [{}, { ofTrial: 'true', trialOf: client.id }];
    for (const more of additions) {
      const response = await fetch(`${server.base}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ ...fields, ...more }),
        headers: { trialof: client.id, 'x-trial-of': client.id },
      });
      expect(response.status).toBe(401);
    }
  });
});
