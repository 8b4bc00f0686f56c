import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { blockHost } from '#lib/management/host/hosts.ts';
import { en } from '#lib/messages/compiled/en.ts';
import { mostForNetwork, reserveFetch } from '#lib/registration/fetch-limits.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { storeSetting } from '#lib/store/settings.ts';
import { post, type Tokens } from '../support/app.ts';
import { assertionOf, byAssertion, newSigningKey, type SigningKey } from '../support/assertions.ts';
import { openDocumentSite } from '../support/document-site.ts';
import { textOf } from '../support/html.ts';
import { openServer, type TestServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, type Page, Person } from '../support/person.ts';
import { newPkce } from '../support/pkce.ts';
import { prisma } from '../support/prisma.ts';
import { set } from '../support/settings.ts';

const site = await openDocumentSite();
const server = await openServer(site.env);
/**
 * A server with the rules of the Internet: no private addresses, and ports only for hosts listed by
 * name.
 */
const outside = await server.another({
  ...site.env,
  CLIENT_DOCUMENTS_FROM_PRIVATE_ADDRESSES: 'off',
});
const admit = async (hosts: string) => {
  const event = { type: 'setting.changed', actor: 'cli' } as const;
  await storeSetting('clientDocumentHosts', hosts || null, event, new Date());
};
await admit('*.client.test');

const newHost = () => `h${randomBytes(6).toString('hex')}.client.test`;
const pkce = newPkce();
const callback = 'https://app.client.test/callback';
const requestOf = (id: string, more: Record<string, string> = {}) => ({
  client_id: id,
  response_type: 'code',
  redirect_uri: callback,
  scope: 'profile',
  ...pkce.challenge,
  state: 'S',
  ...more,
});
const ask = (who: Person, id: string, more: Record<string, string> = {}) =>
  who.open(authorizePath(requestOf(id, more)));
/** The server that receives a request, and the network that it comes from. */
type Way = { at?: TestServer; address?: string };
const token = (id: string, more: Record<string, string>, { at = server, address }: Way = {}) =>
  post(
    at,
    '/oauth/token',
    { client_id: id, ...more },
    address === undefined ? {} : { 'X-Forwarded-For': address },
  );
const redeem = (id: string, page: Page, redirect_uri = callback) =>
  token(id, {
    grant_type: 'authorization_code',
    code: answerOf(page).code ?? '',
    redirect_uri,
    code_verifier: pkce.verifier,
  });
const refresh = (id: string, refresh_token: string) =>
  token(id, { grant_type: 'refresh_token', refresh_token });
const clientOf = async (id: string) => (await prisma()).client.findUnique({ where: { id } });
/**
 * @param again sent before each look, because only a limited number of traces per second is kept
 * for unknown apps
 */
const lastTrace = async (received: RegExp, again = async (): Promise<unknown> => null) =>
  vi.waitFor(
    async () => {
      await again();
      const steps = await (await prisma()).traceStep.findMany({
        where: { rule: { startsWith: 'client.' } },
        orderBy: { at: 'desc' },
      });
      const step = steps.find((each) => received.test(each.received ?? ''));
      if (!step) throw new Error('no trace yet');
      return step;
    },
    { timeout: 20_000, interval: 500 },
  );

/** A valid document. */
function newDocument(members: Record<string, unknown> = {}, headers?: Record<string, string>) {
  const id = site.id(newHost());
  site.serve(id, { client_name: 'Weather', redirect_uris: [callback], ...members }, headers);
  return id;
}

/** A client that a person already uses, with its tokens. */
async function newInUse(headers?: Record<string, string>) {
  const id = newDocument({}, headers);
  const person = await newPerson(server);
  const { status, body } = await redeem(id, await person.goThrough(await ask(person, id)));
  expect(status).toBe(200);
  return { id, person, tokens: body as Tokens };
}

/** Makes a stored document old enough to be read again. */
async function makeStale(id: string, more: { fetchedAt?: Date } = {}) {
  const past = new Date(Date.now() - 60_000);
  await (await prisma()).clientIntroduction.update({
    where: { clientId: id },
    data: { staleAt: past, ...more },
  });
}

/** Uses up the readings that a network is allowed in 15 minutes. */
async function spendReadings(address: string) {
  for (let count = 0; count < mostForNetwork; count += 1) {
    const place = await reserveFetch(newHost(), { address, isShared: false }, new Date());
    if (place && 'giveBack' in place) place.giveBack();
  }
}

describe('a client whose client_id is the URL of its metadata document (section 3)', () => {
  test('signs users in, and is stored when the first user allows it, not before', async () => {
    const id = newDocument({ client_uri: 'https://weather.example/' });
    const person = await newPerson(server);
    const page = await ask(person, id);
    expect(page.at).toMatch(/^\/consent\?/);
    expect(textOf(page.html)).toContain('Weather');
    expect(await clientOf(id)).toBeNull();
    const { status, body } = await redeem(id, await person.decide(page, 'allow'));
    expect(status).toBe(200);
    expect(body.scope).toBe('profile');
    expect(await clientOf(id)).toMatchObject({
      name: 'Weather',
      type: 'public',
      origin: 'document',
    });
    const again = await refresh(id, (body as Tokens).refresh_token);
    expect(again.status).toBe(200);
    // After being allowed once, the app is not asked about again, and its document is not read
    // again either.
    expect((await ask(person, id)).at).toContain(`${callback}?code=`);
    expect(site.asked(id)).toBe(1);
  });

  test('has a page in the dashboard and in the account even if its id has a query and escapes', async () => {
    const id = site.id(newHost(), '/a/b%20c.json?version=1&x=%2F');
    site.serve(id, { client_name: 'Odd address', redirect_uris: [callback] });
    const person = await newPerson(server);
    await redeem(id, await person.goThrough(await ask(person, id)));
    await (await prisma()).user.update({ where: { id: person.user.id }, data: { isAdmin: true } });
    await person.signOut();
    await person.signIn();
    for (const path of ['/admin/clients', '/account/apps']) {
      const page = await person.open(`${path}/${encodeURIComponent(id)}`);
      expect([path, page.status]).toEqual([path, 200]);
      expect(textOf(page.html)).toContain('Odd address');
    }
  });

  test('is not stored when the user denies it', async () => {
    const id = newDocument();
    const person = await newPerson(server);
    const page = await person.decide(await ask(person, id), 'deny');
    expect(answerOf(page).error).toBe('access_denied');
    expect(await clientOf(id)).toBeNull();
  });

  test('is stored once when three users allow it first at the same time', async () => {
    const id = newDocument();
    const people = await Promise.all([newPerson(server), newPerson(server), newPerson(server)]);
    const pages = await Promise.all(people.map((person) => ask(person, id)));
    const ends = await Promise.all(
      people.map((person, n) => person.decide(pages[n] as Page, 'allow')),
    );
    const answers = await Promise.all(ends.map((page) => redeem(id, page)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const types = await (await prisma()).auditEvent.findMany({
      where: { clientId: id, type: 'client.introduced' },
    });
    expect(types).toHaveLength(1);
  });

  test('may use any port of localhost, as Claude Code’s document needs (RFC 8252 section 7.3)', async () => {
    const id = site.id(newHost(), '/oauth/claude-code-client-metadata');
    site.serve(id, {
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    const person = await newPerson(server);
    const redirect_uri = `http://localhost:${20_000 + Math.floor(Math.random() * 20_000)}/callback`;
    const page = await person.goThrough(await ask(person, id, { redirect_uri }));
    expect(page.at).toContain(`${redirect_uri}?code=`);
    expect((await redeem(id, page, redirect_uri)).status).toBe(200);
    const other = await ask(person, id, { redirect_uri: 'http://localhost:1/elsewhere' });
    expect(other.status).toBe(400);
  });

  test('with none and private_key_jwt, as ChatGPT’s document names, must authenticate with its key', async () => {
    const key = await newSigningKey();
    const host = newHost();
    const [id, jwks_uri] = [site.id(host), site.id(host, '/jwks.json')];
    const redirect = `https://${host}/callback`;
    site.serve(id, {
      client_name: 'Weather',
      redirect_uris: [redirect],
      jwks_uri,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    });
    site.serve(jwks_uri, { keys: [key.jwk] });
    const person = await newPerson(server);
    const page = await person.goThrough(await ask(person, id, { redirect_uri: redirect }));
    const redeemed = await token(id, {
      ...byAssertion(await assertionOf({ id }, server, key)),
      grant_type: 'authorization_code',
      code: answerOf(page).code ?? '',
      redirect_uri: redirect,
      code_verifier: pkce.verifier,
    });
    expect(redeemed.status).toBe(200);
    const refresh_token = String(redeemed.body.refresh_token);
    expect((await refresh(id, refresh_token)).body.error).toBe('invalid_client');
  });

  test('is unknown to the token endpoint until a user has allowed it, and its document is not read', async () => {
    const id = newDocument();
    const { status, body } = await refresh(id, 'gh_rt_x');
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect(site.asked(id)).toBe(0);
  });

  test('gets no error by redirect while any host is admitted, until that user has allowed it (RFC 9700 section 4.11)', async () => {
    const id = newDocument();
    const silent = { prompt: 'none' };
    const outsider = new Person(server);
    expect(answerOf(await ask(outsider, id, silent)).error).toBe('login_required');
    await admit('any');
    try {
      const page = await ask(outsider, id, silent);
      expect([page.at.startsWith('/'), page.status]).toEqual([true, 400]);
      const person = await newPerson(server);
      await redeem(id, await person.goThrough(await ask(person, id)));
      // One person may have invented the app and allowed it, which proves nothing to others.
      for (const other of [outsider, await newPerson(server)])
        expect((await ask(other, id, silent)).status).toBe(400);
      expect(answerOf(await ask(person, id, silent)).code).toBeTruthy();
    } finally {
      await admit('*.client.test');
    }
  });
});

describe('client documents with REQUIRE_STRONG_CLIENTS on', () => {
  const require = (value: string | null) => set('REQUIRE_STRONG_CLIENTS', value);
  beforeAll(() => require('on'));
  afterAll(() => require(null));

  test('a public client is refused on the page, one with a key passes', async () => {
    const weak = newDocument();
    const page = await ask(new Person(server), weak);
    expect([page.status, textOf(page.html)]).toEqual([
      400,
      expect.stringContaining('authenticate with a key'),
    ]);
    expect((await lastTrace(new RegExp(new URL(weak).hostname))).rule).toBe(
      'client.document-invalid',
    );
    const { jwk } = await newSigningKey();
    const byKey = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } };
    // The request passes this rule and reaches the next one: requests must be pushed.
    const next = await ask(new Person(server), newDocument(byKey));
    expect(textOf(next.html)).not.toContain('authenticate with a key');
  });
});

describe('a client document at a port', () => {
  const reasonOf = async (id: string) => {
    const page = await ask(new Person(outside), id);
    expect(page.status).toBe(400);
    return (await lastTrace(new RegExp(new URL(id).hostname))).rule;
  };

  test('is read where its host is listed by name, and refused where any host is admitted', async () => {
    const listed = newDocument();
    expect(await reasonOf(listed)).toBe('client.document-unreachable');
    await admit('any');
    try {
      const id = newDocument();
      expect(await reasonOf(id)).toBe('client.document-invalid');
      expect(textOf((await ask(new Person(outside), id)).html)).toContain('names a port');
      // None of our servers listens on port 443. The host is looked up and then refused because of
      // its private address.
      const usual = newDocument().replace(/:\d+/, '');
      expect(await reasonOf(usual)).toBe('client.document-unreachable');
    } finally {
      await admit('*.client.test');
    }
  });
});

describe('a client document that changes', () => {
  test('needs consent again, and ends the redirect URIs that it no longer holds', async () => {
    const { id, person, tokens } = await newInUse();
    const moved = 'https://app.client.test/moved';
    site.serve(id, { client_name: 'Weather 2', redirect_uris: [moved] });
    expect((await ask(person, id)).at).toContain('?code=');
    await makeStale(id);
    expect((await ask(person, id)).status).toBe(400);
    const page = await ask(person, id, { redirect_uri: moved });
    expect(page.at).toMatch(/^\/consent\?/);
    expect(textOf(page.html)).toContain('Weather 2');
    expect((await clientOf(id))?.name).toBe('Weather 2');
    // Issued tokens keep working: it is the same app, as its host proves.
    expect((await refresh(id, tokens.refresh_token)).status).toBe(200);
    const allowed = await person.decide(page, 'allow');
    expect((await redeem(id, allowed, moved)).status).toBe(200);
    expect((await ask(person, id, { redirect_uri: moved })).at).toContain('?code=');
    const events = await (await prisma()).auditEvent.findMany({
      where: { clientId: id, type: 'client.updated' },
    });
    expect(events.map(({ actor, detail }) => [actor, detail])).toEqual([
      ['system', '{"document":["name","redirectUris"]}'],
    ]);
  });

  test('keeps an admin’s settings of the client', async () => {
    const { id, person } = await newInUse();
    await (await prisma()).client.update({ where: { id }, data: { requireSecondFactor: true } });
    site.serve(id, { client_name: 'Weather 3', redirect_uris: [callback] });
    await makeStale(id);
    await ask(person, id);
    expect(await clientOf(id)).toMatchObject({ name: 'Weather 3', requireSecondFactor: true });
  });

  test('needs no new consent where only unused members changed', async () => {
    const { id, person } = await newInUse();
    const members = {
      client_name: 'Weather',
      redirect_uris: [callback],
      logo_uri: 'https://x.test/',
    };
    site.serve(id, members);
    await makeStale(id);
    expect((await ask(person, id)).at).toContain('?code=');
    expect(site.asked(id)).toBe(2);
    expect((await ask(person, id)).at).toContain('?code=');
    expect(site.asked(id)).toBe(2);
  });

  test('is requested with If-None-Match, and 304 extends it', async () => {
    const { id, person } = await newInUse({ ETag: '"v1"' });
    let sent: string | undefined;
    site.serve(id, (request, response) => {
      sent = request.headers['if-none-match'];
      response.writeHead(304, { 'Cache-Control': 'max-age=7200' }).end();
    });
    await makeStale(id);
    expect((await ask(person, id)).at).toContain('?code=');
    expect(sent).toBe('"v1"');
    const row = await (await prisma()).clientIntroduction.findUnique({ where: { clientId: id } });
    expect(row?.etag).toBe('"v1"');
    expect(Number(row?.staleAt) - Number(row?.fetchedAt)).toBe(7_200_000);
  });

  test('is kept as long as its Cache-Control says, between a minute and a day', async () => {
    const ids = ['max-age=1', 'max-age=99999999', 'no-store'].map((value) =>
      newDocument({}, { 'Cache-Control': value }),
    );
    const person = await newPerson(server);
    const lives = [];
    for (const id of ids) {
      await person.goThrough(await ask(person, id));
      const row = await (await prisma()).clientIntroduction.findUnique({ where: { clientId: id } });
      lives.push((Number(row?.staleAt) - Number(row?.fetchedAt)) / 1000);
    }
    expect(lives).toEqual([60, 86_400, 60]);
  });
});

describe('keys in a client document (RFC 7591 section 2)', () => {
  const app = {
    client_name: 'Weather',
    redirect_uris: [callback],
    token_endpoint_auth_method: 'private_key_jwt',
  };
  /** The members of a document with this key. */
  const members = ({ jwk }: SigningKey) => ({ ...app, jwks: { keys: [jwk] } });
  /** The members of a document with a new jwks_uri that serves this key. */
  function membersAt({ jwk }: SigningKey) {
    const jwks_uri = site.id(newHost(), '/jwks.json');
    site.serve(jwks_uri, { keys: [jwk] });
    return { ...app, jwks_uri };
  }
  /** Headers that let the document be kept for a day. */
  const lasting = { 'Cache-Control': 'max-age=86400', ETag: '"v1"' };
  const proved = async (id: string, key: SigningKey, sent: Record<string, string>, way?: Way) =>
    token(id, { ...byAssertion(await assertionOf({ id }, server, key)), ...sent }, way);
  async function newProved(membersOf: (key: SigningKey) => Record<string, unknown> = members) {
    const key = await newSigningKey();
    const id = newDocument(membersOf(key), lasting);
    const person = await newPerson(server);
    const { code = '' } = answerOf(await person.goThrough(await ask(person, id)));
    const grant = { grant_type: 'authorization_code', code, redirect_uri: callback };
    const { status, body } = await proved(id, key, { ...grant, code_verifier: pkce.verifier });
    expect(status).toBe(200);
    let refresh_token = String(body.refresh_token);
    /** Refreshes with an assertion signed by this key. */
    const refreshBy = async (by: SigningKey, way?: Way) => {
      const answer = await proved(id, by, { grant_type: 'refresh_token', refresh_token }, way);
      if (answer.status === 200) refresh_token = String(answer.body.refresh_token);
      return answer;
    };
    return { id, key, refreshBy };
  }
  const life = async (id: string) => {
    const row = await (await prisma()).clientIntroduction.findUnique({ where: { clientId: id } });
    return (Number(row?.staleAt) - Number(row?.fetchedAt)) / 1000;
  };

  test('a removed key works for at most an hour, without any sign-in', async () => {
    const { id, key, refreshBy } = await newProved();
    expect(await life(id)).toBe(3600);
    const next = await newSigningKey();
    site.serve(id, members(next), lasting);
    expect((await refreshBy(key)).status).toBe(200);
    expect(site.asked(id)).toBe(1);
    await makeStale(id);
    expect(await refreshBy(key)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect((await refreshBy(next)).status).toBe(200);
    expect(site.asked(id)).toBe(2);
  });

  test('a jwks_uri that is changed or removed is used for at most an hour, too', async () => {
    const { id, key, refreshBy } = await newProved(membersAt);
    expect(await life(id)).toBe(3600);
    const next = await newSigningKey();
    site.serve(id, membersAt(next), lasting);
    await makeStale(id);
    expect((await refreshBy(key)).status).toBe(401);
    expect((await refreshBy(next)).status).toBe(200);
    await makeStale(id);
    site.serve(id, (_, response) => response.writeHead(410).end());
    expect((await refreshBy(next)).status).toBe(401);
  });

  describe('a stolen key, when the thief’s network has used up its document requests,', () => {
    /** A server that has not read the document yet, and the thief's address. */
    async function newStolen(more: { fetchedAt?: Date } = {}) {
      const app = await newProved();
      const next = await newSigningKey();
      site.serve(app.id, members(next), lasting);
      await makeStale(app.id, more);
      const { address } = new Person(server);
      await spendReadings(address);
      const at = await server.secondProcess();
      return { ...app, next, owner: { at }, thief: { at, address } };
    }

    test('works within the hour until a request from elsewhere makes the server read the document', async () => {
      const { id, key, next, refreshBy, owner, thief } = await newStolen();
      expect((await refreshBy(key, thief)).status).toBe(200);
      expect(site.asked(id)).toBe(1);
      expect((await refreshBy(next, owner)).status).toBe(200);
      expect(site.asked(id)).toBe(2);
      expect((await refreshBy(key, thief)).status).toBe(401);
    });

    test('no longer works after an hour, and the new key does', async () => {
      const { id, key, next, refreshBy, owner, thief } = await newStolen({
        fetchedAt: new Date(Date.now() - 3_600_000),
      });
      expect(await refreshBy(key, thief)).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
      expect(site.asked(id)).toBe(1);
      expect((await refreshBy(next, owner)).status).toBe(200);
      expect(site.asked(id)).toBe(2);
    });
  });

  test('are used for another hour when the host answers 304', async () => {
    const { id, key, refreshBy } = await newProved();
    await makeStale(id);
    site.serve(id, (_, response) => response.writeHead(304, lasting).end());
    expect((await refreshBy(key)).status).toBe(200);
    expect([site.asked(id), await life(id)]).toEqual([2, 3600]);
  });

  test('are used while the host is down (503), and end with the document (410)', async () => {
    const { id, key, refreshBy } = await newProved();
    await makeStale(id);
    site.serve(id, (_, response) => response.writeHead(503).end());
    expect((await refreshBy(key)).status).toBe(200);
    const gone = await newProved();
    await makeStale(gone.id);
    site.serve(gone.id, (_, response) => response.writeHead(410).end());
    expect(await gone.refreshBy(gone.key)).toMatchObject({ status: 401 });
  });
});

describe('an outage of the host of a client document', () => {
  test('does not affect refreshes and sign-ins of a client in use', async () => {
    const { id, person, tokens } = await newInUse();
    await makeStale(id);
    site.serve(id, (_, response) => response.writeHead(503).end());
    expect((await ask(person, id)).at).toContain('?code=');
    expect((await refresh(id, tokens.refresh_token)).status).toBe(200);
  });

  test('shows a page that asks to try again later when the client is not stored', async () => {
    const id = site.id(newHost());
    site.serve(id, (_, response) => response.writeHead(503).end());
    const page = await ask(new Person(server), id);
    expect(page.status).toBe(400);
    expect(textOf(page.html)).toContain(en['appUnread.title']);
    expect(await lastTrace(new RegExp(id))).toMatchObject({ rule: 'client.document-unreachable' });
  });

  test('is told apart from a removed document (410), which ends authorization requests but no refresh', async () => {
    const { id, person, tokens } = await newInUse();
    await makeStale(id);
    site.serve(id, (_, response) => response.writeHead(410).end());
    const page = await ask(person, id);
    expect(page.status).toBe(400);
    expect((await refresh(id, tokens.refresh_token)).status).toBe(200);
  });
});

describe('a client document that cannot be used', () => {
  const fine = { client_name: 'X', redirect_uris: [callback] };
  test.each<[string, Record<string, unknown>]>([
    ['it names another id', { ...fine, client_id: 'https://other.client.test/app.json' }],
    ['it names no id', { ...fine, client_id: undefined }],
    ['it holds a secret', { ...fine, client_secret: 'x' }],
    ['it holds the end of a secret', { ...fine, client_secret_expires_at: 0 }],
    ['it holds a private key', { ...fine, jwks: { keys: [{ kty: 'OKP', d: 'x' }] } }],
    ['it wants a shared secret', { ...fine, token_endpoint_auth_method: 'client_secret_basic' }],
    ['it wants a signed assertion', { ...fine, token_endpoint_auth_method: 'private_key_jwt' }],
    ['it redirects to a script', { ...fine, redirect_uris: ['javascript:alert(1)'] }],
    ['it redirects to plain http', { ...fine, redirect_uris: ['http://app.client.test/'] }],
    ['it redirects nowhere', { client_name: 'X' }],
    ['it wants another grant', { ...fine, grant_types: ['client_credentials'] }],
  ])('%s', async (_, members) => {
    const id = site.id(newHost());
    site.serve(id, members);
    const page = await ask(new Person(server), id);
    expect([page.at.startsWith('/'), page.status]).toEqual([true, 400]);
    expect(await clientOf(id)).toBeNull();
  });

  test('is in the trace, with what was received and expected', async () => {
    const id = site.id(newHost());
    site.serve(id, { ...fine, client_id: 'https://other.client.test/app.json' });
    await ask(new Person(server), id);
    expect(await lastTrace(new RegExp(id))).toMatchObject({
      rule: 'client.document-invalid',
      received: `${id}: "https://other.client.test/app.json"`,
      expected: JSON.stringify([id]),
    });
  });

  const json = { 'Content-Type': 'application/json' };
  test.each<[string, Parameters<typeof site.serve>[1]]>([
    ['no JSON', (_, response) => response.writeHead(200, json).end('<html>')],
    ['a list', (_, response) => response.writeHead(200, json).end('[]')],
    ['null', (_, response) => response.writeHead(200, json).end('null')],
    ['HTML', (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('{}')],
    [
      'no UTF-8',
      (_, response) => response.writeHead(200, json).end(Buffer.from('{"a":"\xff"}', 'latin1')),
    ],
    [
      'compressed',
      (_, response) => response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end('x'),
    ],
    ['another status', (_, response) => response.writeHead(203, json).end('{}')],
    ['304 that nobody asked for', (_, response) => response.writeHead(304).end()],
    [
      'a redirect, which is not followed',
      (_, response) =>
        response.writeHead(302, { Location: `https://elsewhere.client.test:${site.port}/x` }).end(),
    ],
    [
      'a body without end, which is not read',
      (_, response) => {
        response.writeHead(200, json);
        const more = () => response.write(' '.repeat(65_536), more);
        response.on('close', () => response.destroy());
        more();
      },
    ],
    ['5,121 bytes', (_, response) => response.writeHead(200, json).end(' '.repeat(5121))],
  ])('is refused when the answer is %s', async (_, answer) => {
    const id = site.id(newHost());
    site.serve(id, answer);
    site.serve(site.id('elsewhere.client.test', '/x'), fine);
    const started = Date.now();
    expect((await ask(new Person(server), id)).status).toBe(400);
    expect(Date.now() - started).toBeLessThan(4000);
    expect(site.asked(site.id('elsewhere.client.test', '/x'))).toBe(0);
    expect(await clientOf(id)).toBeNull();
  });

  test('is given up after five seconds when it arrives byte by byte', async () => {
    const id = site.id(newHost());
    let isClosed = false;
    site.serve(id, (_, response) => {
      response.writeHead(200, json);
      const timer = setInterval(() => response.write(' '), 300);
      response.on('close', () => {
        clearInterval(timer);
        isClosed = true;
      });
    });
    expect((await ask(new Person(server), id)).status).toBe(400);
    await vi.waitFor(() => expect(isClosed).toBe(true), 20_000);
  });

  test('is read again after it has been corrected', async () => {
    const id = site.id(newHost());
    site.serve(id, { ...fine, client_secret: 'x' });
    expect((await ask(new Person(server), id)).status).toBe(400);
    site.serve(id, fine);
    await vi.waitFor(
      async () => expect((await ask(new Person(server), id)).at).toMatch(/^\/login/),
      { timeout: 15_000, interval: 500 },
    );
    expect(site.asked(id)).toBe(2);
  });
});

describe('a client_id that is no acceptable document URL, or a host that is not admitted', () => {
  test.each([
    ['plain http', (id: string) => id.replace('https:', 'http:')],
    ['a fragment', (id: string) => `${id}#x`],
    ['a user', (id: string) => id.replace('https://', 'https://u@')],
    ['a user and a password', (id: string) => id.replace('https://', 'https://u:p@')],
    ['a dot segment', (id: string) => id.replace('/app', '/x/../app')],
    ['an encoded dot segment', (id: string) => id.replace('/app', '/x/%2e%2e/app')],
    ['capital letters in the host', (id: string) => id.replace('client.test', 'CLIENT.test')],
    ['a backslash', (id: string) => id.replace('/app', '\\app')],
    ['white space', (id: string) => id.replace('/app', '/ app')],
    ['a trailing dot', (id: string) => id.replace('.test:', '.test.:')],
    ['no path', (id: string) => new URL(id).origin],
    ['1,001 characters', (id: string) => id + 'x'.repeat(1001 - id.length)],
  ])('%s: nothing is fetched', async (_, spoil) => {
    const id = newDocument();
    const page = await ask(new Person(server), spoil(id));
    expect([page.at.startsWith('/'), page.status]).toEqual([true, 400]);
    expect(site.asked(id)).toBe(0);
  });

  test('a host that is not admitted is an unknown client; only the trace names the admitted hosts', async () => {
    const id = 'https://other.example/app.json';
    const page = await ask(new Person(server), id);
    expect(page.status).toBe(400);
    expect(textOf(page.html)).toContain('There is no client with this client_id.');
    expect(page.html).not.toContain('client.test');
    const step = await lastTrace(/other\.example/);
    expect(step).toMatchObject({ rule: 'client.document-host', expected: '["*.client.test"]' });
  });

  test('a blocked host and its subdomains are refused, its tokens too', async () => {
    const { id, person, tokens } = await newInUse();
    const below = site.id(`sub.${new URL(id).hostname}`);
    site.serve(below, { client_name: 'Below', redirect_uris: [callback] });
    const host = new URL(id).hostname;
    await (await prisma()).blockedHost.create({ data: { host, createdAt: new Date() } });
    await admit('*.client.test, other.example');
    expect((await ask(person, id)).status).toBe(400);
    expect((await ask(new Person(server), below)).status).toBe(400);
    expect(await lastTrace(new RegExp(`^sub.${host}`))).toMatchObject({
      rule: 'client.host-blocked',
    });
    const { status, body } = await refresh(id, tokens.refresh_token);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    await admit('*.client.test');
  });

  test('a document with URLs outside its redirect URIs is refused unless its host is listed', async () => {
    const document = { post_logout_redirect_uris: ['https://evil.example/login'] };
    const [listed, any] = [newDocument(document), newDocument(document)];
    expect((await ask(new Person(server), listed)).at).toMatch(/^\/login/);
    await admit('any');
    try {
      const page = await ask(new Person(server), any);
      expect(page.status).toBe(400);
      expect(await lastTrace(/evil\.example/)).toMatchObject({ rule: 'client.document-invalid' });
    } finally {
      await admit('*.client.test');
    }
  });

  test('a document with a URL on a blocked host is refused, on first reading and later', async () => {
    const host = `h${randomBytes(6).toString('hex')}.example`;
    const evil = { post_logout_redirect_uris: [`https://${host}/login`] };
    const used = await newInUse();
    const fresh = newDocument(evil);
    await blockHost(host, { id: 'cli' }, new Date());
    expect((await ask(new Person(server), fresh)).status).toBe(400);
    site.serve(used.id, { client_name: 'Weather', redirect_uris: [callback], ...evil });
    await makeStale(used.id);
    expect((await ask(used.person, used.id)).status).toBe(400);
  });

  test('clients of a host that is no longer admitted are refused until it is admitted again', async () => {
    const { id, person, tokens } = await newInUse();
    const bearer = { Authorization: `Bearer ${tokens.access_token}` };
    const me = () => fetch(`${server.base}/oauth/me`, { headers: bearer });
    expect((await me()).status).toBe(200);
    await admit('other.example');
    try {
      expect((await me()).status).toBe(401);
      const { status, body } = await refresh(id, tokens.refresh_token);
      expect([status, body.error]).toEqual([401, 'invalid_client']);
      const page = await ask(person, id);
      expect([page.status, page.at.startsWith('/')]).toEqual([400, true]);
    } finally {
      await admit('*.client.test');
    }
    expect((await refresh(id, tokens.refresh_token)).status).toBe(200);
  });

  test('a deleted client: 401 invalid_client, and a new authorization request asks for consent', async () => {
    const { id, person, tokens } = await newInUse();
    await (await prisma()).grant.deleteMany({ where: { clientId: id } });
    await (await prisma()).client.delete({ where: { id } });
    await admit('*.client.test');
    const { status, body } = await refresh(id, tokens.refresh_token);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect((await ask(person, id)).at).toMatch(/^\/consent\?/);
  });
});

describe('client_id_metadata_document_supported in the server metadata (section 6)', () => {
  const read = async () =>
    Promise.all(
      ['oauth-authorization-server', 'openid-configuration'].map(async (name) =>
        (await fetch(`${server.base}/.well-known/${name}`)).json(),
      ),
    );

  test('is true while a host is admitted, else absent', async () => {
    for (const metadata of await read()) {
      expect(metadata.client_id_metadata_document_supported).toBe(true);
      expect(metadata.token_endpoint_auth_methods_supported).toContain('none');
    }
    await admit('');
    try {
      for (const metadata of await read())
        expect(metadata.client_id_metadata_document_supported).toBeUndefined();
    } finally {
      await admit('*.client.test');
    }
  });
});

test.skipIf(server.mount === 'next')(
  'requests for many unknown client documents store nothing and are limited (429, 503)',
  async () => {
    const tables = async () => {
      const db = await prisma();
      return [
        await db.client.count(),
        await db.clientIntroduction.count(),
        await db.clientRequest.count(),
      ];
    };
    const before = await tables();
    const revision = await readRevision();
    const hosts = Array.from({ length: 20 }, newHost);
    for (const host of hosts) site.resolves(host, ['127.0.0.1']);
    const outsider = new Person(server);
    const statuses = new Map<number, number>();
    for (let round = 0; round < 40; round += 1) {
      const pages = await Promise.all(
        hosts.map((host, n) =>
          outsider.request(authorizePath(requestOf(site.id(host, `/${round}-${n}.json`)))),
        ),
      );
      for (const { status } of pages) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(await tables()).toEqual(before);
    expect(await readRevision()).toBe(revision);
    expect((statuses.get(429) ?? 0) + (statuses.get(503) ?? 0)).toBeGreaterThan(500);
    expect(statuses.get(400)).toBeLessThanOrEqual(60);
  },
);

test('the request for a client document continues the browser’s trace (traceparent)', async () => {
  const seen: (string | undefined)[] = [];
  const id = site.id(newHost());
  site.serve(id, (request, response) => {
    seen.push(request.headers.traceparent?.toString());
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const members = { client_id: id, client_name: 'Weather', redirect_uris: [callback] };
    response.end(JSON.stringify(members));
  });
  const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const headers = { traceparent: `00-${traceId}-${parentId}-01`, tracestate: 'a=from-outside' };
  const person = new Person(server);
  await person.open(authorizePath(requestOf(id)), { headers });
  expect(seen).toEqual([expect.stringMatching(`^00-${traceId}-[0-9a-f]{16}-01$`)]);
  expect(seen[0]).not.toContain(parentId);
});

test('a network with too many client document requests gets 429 with Retry-After', async () => {
  const person = new Person(server);
  await spendReadings(person.address);
  const id = site.id(newHost());
  site.serve(id, { client_name: 'Weather', redirect_uris: [callback] });
  const ask = () => person.request(authorizePath(requestOf(id)));
  const answer = await ask();
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  const text = textOf(await answer.text());
  expect(text).toContain('Too many new apps were looked up');
  expect(text).toContain('from your network within 15 minutes');
  expect(await lastTrace(new RegExp(id), ask)).toMatchObject({ rule: 'client.too-many-documents' });
  const pushed = await post(server, '/oauth/par', requestOf(id), {
    'X-Forwarded-For': person.address,
  });
  expect([pushed.status, pushed.body.error]).toEqual([429, 'temporarily_unavailable']);
  expect(Number(pushed.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(site.asked(id)).toBe(0);
});
