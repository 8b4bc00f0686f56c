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
import { type House, openHouse } from '../support/house.ts';
import { textOf } from '../support/html.ts';
import { answerOf, authorizePath, newPerson, type Page, Person } from '../support/person.ts';
import { newPkce } from '../support/pkce.ts';
import { prisma } from '../support/prisma.ts';
import { set } from '../support/settings.ts';

const site = await openDocumentSite();
const house = await openHouse(site.env);
/** Goes by what a server on the Internet goes by: no private address, and the ports of listed hosts only. */
const outside = await house.another({
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
/** By which server a request goes, and from which network. */
type Way = { at?: House; address?: string };
const token = (id: string, more: Record<string, string>, { at = house, address }: Way = {}) =>
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
/** @param again sent at each look: of what others send in a second, so many traces of unknown apps are kept */
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

/** A document that nothing is wrong with. */
function newDocument(members: Record<string, unknown> = {}, headers?: Record<string, string>) {
  const id = site.id(newHost());
  site.serve(id, { client_name: 'Weather', redirect_uris: [callback], ...members }, headers);
  return id;
}

/** A client that somebody uses already, with its tokens. */
async function newInUse(headers?: Record<string, string>) {
  const id = newDocument({}, headers);
  const person = await newPerson(house);
  const { status, body } = await redeem(id, await person.goThrough(await ask(person, id)));
  expect(status).toBe(200);
  return { id, person, tokens: body as Tokens };
}

/** Makes what is stored of a document old enough to be read again. */
async function makeStale(id: string, more: { fetchedAt?: Date } = {}) {
  const past = new Date(Date.now() - 60_000);
  await (await prisma()).clientIntroduction.update({
    where: { clientId: id },
    data: { staleAt: past, ...more },
  });
}

/** Has as much read for a network as one may in 15 minutes. */
async function spendReadings(address: string) {
  for (let count = 0; count < mostForNetwork; count += 1) {
    const place = await reserveFetch(newHost(), { address, isShared: false }, new Date());
    if (place && 'giveBack' in place) place.giveBack();
  }
}

describe('a client whose id is the address of its document (section 3)', () => {
  test('signs people in; its row is written when somebody allows it, and not before', async () => {
    const id = newDocument({ client_uri: 'https://weather.example/' });
    const person = await newPerson(house);
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
    // Allowed once: nobody is asked again, and the document isn't read again either.
    expect((await ask(person, id)).at).toContain(`${callback}?code=`);
    expect(site.asked(id)).toBe(1);
  });

  test('has its pages in the dashboard and in the account of who uses it, whatever stands in its id', async () => {
    const id = site.id(newHost(), '/a/b%20c.json?version=1&x=%2F');
    site.serve(id, { client_name: 'Odd address', redirect_uris: [callback] });
    const person = await newPerson(house);
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

  test('stores nothing when nobody allows it', async () => {
    const id = newDocument();
    const person = await newPerson(house);
    const page = await person.decide(await ask(person, id), 'deny');
    expect(answerOf(page).error).toBe('access_denied');
    expect(await clientOf(id)).toBeNull();
  });

  test('is stored once when two people are the first at the same time', async () => {
    const id = newDocument();
    const people = await Promise.all([newPerson(house), newPerson(house), newPerson(house)]);
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

  test('Claude Code’s document lets any port of localhost in (RFC 8252 7.3)', async () => {
    const id = site.id(newHost(), '/oauth/claude-code-client-metadata');
    site.serve(id, {
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    const person = await newPerson(house);
    const redirect_uri = `http://localhost:${20_000 + Math.floor(Math.random() * 20_000)}/callback`;
    const page = await person.goThrough(await ask(person, id, { redirect_uri }));
    expect(page.at).toContain(`${redirect_uri}?code=`);
    expect((await redeem(id, page, redirect_uri)).status).toBe(200);
    const other = await ask(person, id, { redirect_uri: 'http://localhost:1/elsewhere' });
    expect(other.status).toBe(400);
  });

  test('ChatGPT’s way of naming several methods comes down to its keys', async () => {
    const key = await newSigningKey();
    const host = newHost();
    const [id, jwks_uri] = [site.id(host), site.id(host, '/jwks.json')];
    const redirect = `https://${host}/callback`;
    site.serve(id, {
      ...{ client_name: 'Weather', redirect_uris: [redirect], jwks_uri },
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    });
    site.serve(jwks_uri, { keys: [key.jwk] });
    const person = await newPerson(house);
    const page = await person.goThrough(await ask(person, id, { redirect_uri: redirect }));
    const redeemed = await token(id, {
      ...byAssertion(await assertionOf({ id }, house, key)),
      grant_type: 'authorization_code',
      code: answerOf(page).code ?? '',
      redirect_uri: redirect,
      code_verifier: pkce.verifier,
    });
    expect(redeemed.status).toBe(200);
    const refresh_token = String(redeemed.body.refresh_token);
    expect((await refresh(id, refresh_token)).body.error).toBe('invalid_client');
  });

  test('is not found by the token endpoint before anybody allowed it, and nothing is fetched for it', async () => {
    const id = newDocument();
    const { status, body } = await refresh(id, 'gh_rt_x');
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect(site.asked(id)).toBe(0);
  });

  test('hears of no error by redirect while any host may come, before the person has allowed it (RFC 9700 4.11)', async () => {
    const id = newDocument();
    const silent = { prompt: 'none' };
    const outsider = new Person(house);
    expect(answerOf(await ask(outsider, id, silent)).error).toBe('login_required');
    await admit('any');
    try {
      const page = await ask(outsider, id, silent);
      expect([page.at.startsWith('/'), page.status]).toEqual([true, 400]);
      const person = await newPerson(house);
      await redeem(id, await person.goThrough(await ask(person, id)));
      // One person may have made it up and agreed to it: that says nothing to others.
      for (const other of [outsider, await newPerson(house)])
        expect((await ask(other, id, silent)).status).toBe(400);
      expect(answerOf(await ask(person, id, silent)).code).toBeTruthy();
    } finally {
      await admit('*.client.test');
    }
  });
});

describe('on a server for strong apps alone', () => {
  const require = (value: string | null) => set('REQUIRE_STRONG_CLIENTS', value);
  beforeAll(() => require('on'));
  afterAll(() => require(null));

  test('one that could not work is told so at once, and one with a key is let in', async () => {
    const weak = newDocument();
    const page = await ask(new Person(house), weak);
    expect([page.status, textOf(page.html)]).toEqual([400, expect.stringContaining('by a key')]);
    expect((await lastTrace(new RegExp(new URL(weak).hostname))).rule).toBe(
      'client.document-invalid',
    );
    const { jwk } = await newSigningKey();
    const byKey = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } };
    // It gets as far as the next rule: requests are pushed.
    const next = await ask(new Person(house), newDocument(byKey));
    expect(textOf(next.html)).not.toContain('by a key');
  });
});

describe('a document at a port', () => {
  const reasonOf = async (id: string) => {
    const page = await ask(new Person(outside), id);
    expect(page.status).toBe(400);
    return (await lastTrace(new RegExp(new URL(id).hostname))).rule;
  };

  test('is asked for where its host is listed by name, and not where any host may come', async () => {
    const listed = newDocument();
    expect(await reasonOf(listed)).toBe('client.document-unreachable');
    await admit('any');
    try {
      const id = newDocument();
      expect(await reasonOf(id)).toBe('client.document-invalid');
      expect(textOf((await ask(new Person(outside), id)).html)).toContain('names a port');
      // At 443 nothing of ours listens: the host is looked up, and not let in for its address.
      const usual = id.replace(/:\d+/, '');
      expect((await ask(new Person(outside), usual)).status).toBe(400);
      await vi.waitFor(async () => {
        const rules = (
          await (await prisma()).traceStep.findMany({ where: { received: usual } })
        ).map(({ rule }) => rule);
        expect(rules).not.toContain('client.document-invalid');
      });
    } finally {
      await admit('*.client.test');
    }
  });
});

describe('a document that changes', () => {
  test('asks everybody again, and takes back the addresses it no longer holds', async () => {
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
    // What was issued goes on: the app is the same, by proof of its host.
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

  test('keeps what an admin decided about the client', async () => {
    const { id, person } = await newInUse();
    await (await prisma()).client.update({ where: { id }, data: { requireSecondFactor: true } });
    site.serve(id, { client_name: 'Weather 3', redirect_uris: [callback] });
    await makeStale(id);
    await ask(person, id);
    expect(await clientOf(id)).toMatchObject({ name: 'Weather 3', requireSecondFactor: true });
  });

  test('asks nobody when nothing of it matters here', async () => {
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

  test('is asked for with its ETag, and 304 is enough', async () => {
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

  test('may say for how long it holds, from a minute to a day', async () => {
    const ids = ['max-age=1', 'max-age=99999999', 'no-store'].map((value) =>
      newDocument({}, { 'Cache-Control': value }),
    );
    const person = await newPerson(house);
    const lives = [];
    for (const id of ids) {
      await person.goThrough(await ask(person, id));
      const row = await (await prisma()).clientIntroduction.findUnique({ where: { clientId: id } });
      lives.push((Number(row?.staleAt) - Number(row?.fetchedAt)) / 1000);
    }
    expect(lives).toEqual([60, 86_400, 60]);
  });
});

describe('keys in a document (RFC 7591 section 2)', () => {
  const app = {
    client_name: 'Weather',
    redirect_uris: [callback],
    token_endpoint_auth_method: 'private_key_jwt',
  };
  /** A document with this key. */
  const members = ({ jwk }: SigningKey) => ({ ...app, jwks: { keys: [jwk] } });
  /** One with a new address at which this key is. */
  function membersAt({ jwk }: SigningKey) {
    const jwks_uri = site.id(newHost(), '/jwks.json');
    site.serve(jwks_uri, { keys: [jwk] });
    return { ...app, jwks_uri };
  }
  /** Says that it holds for a day. */
  const lasting = { 'Cache-Control': 'max-age=86400', ETag: '"v1"' };
  const proved = async (id: string, key: SigningKey, sent: Record<string, string>, way?: Way) =>
    token(id, { ...byAssertion(await assertionOf({ id }, house, key)), ...sent }, way);
  async function newProved(membersOf: (key: SigningKey) => Record<string, unknown> = members) {
    const key = await newSigningKey();
    const id = newDocument(membersOf(key), lasting);
    const person = await newPerson(house);
    const { code = '' } = answerOf(await person.goThrough(await ask(person, id)));
    const grant = { grant_type: 'authorization_code', code, redirect_uri: callback };
    const { status, body } = await proved(id, key, { ...grant, code_verifier: pkce.verifier });
    expect(status).toBe(200);
    let refresh_token = String(body.refresh_token);
    /** Refreshes with a proof by a key. */
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

  test('one that is taken out works no longer than an hour, without any sign-in', async () => {
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

  test('an address of them that moves or is taken away is good no longer than an hour either', async () => {
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

  describe('whoever stole one has used up what their network may have read', () => {
    /** A server that has not read the document, and where the thief is. */
    async function newStolen(more: { fetchedAt?: Date } = {}) {
      const [app, next] = [await newProved(), await newSigningKey()];
      site.serve(app.id, members(next), lasting);
      await makeStale(app.id, more);
      const { address } = new Person(house);
      await spendReadings(address);
      const at = await house.twin();
      return { ...app, next, owner: { at }, thief: { at, address } };
    }

    test('within the hour it works until the next from elsewhere, for whom the document is read at once', async () => {
      const { id, key, next, refreshBy, owner, thief } = await newStolen();
      expect((await refreshBy(key, thief)).status).toBe(200);
      expect(site.asked(id)).toBe(1);
      expect((await refreshBy(next, owner)).status).toBe(200);
      expect(site.asked(id)).toBe(2);
      expect((await refreshBy(key, thief)).status).toBe(401);
    });

    test('after an hour it works no longer, and the new one does', async () => {
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

  test('are believed for another hour where its host says that nothing has changed', async () => {
    const { id, key, refreshBy } = await newProved();
    await makeStale(id);
    site.serve(id, (_, response) => response.writeHead(304, lasting).end());
    expect((await refreshBy(key)).status).toBe(200);
    expect([site.asked(id), await life(id)]).toEqual([2, 3600]);
  });

  test('go on while its host is away, and end with the document', async () => {
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

describe('an outage of the host', () => {
  test('ends no refresh and no sign-in of a client in use', async () => {
    const { id, person, tokens } = await newInUse();
    await makeStale(id);
    site.serve(id, (_, response) => response.writeHead(503).end());
    expect((await ask(person, id)).at).toContain('?code=');
    expect((await refresh(id, tokens.refresh_token)).status).toBe(200);
  });

  test('shows a page that asks to try again later when nothing is stored', async () => {
    const id = site.id(newHost());
    site.serve(id, (_, response) => response.writeHead(503).end());
    const page = await ask(new Person(house), id);
    expect(page.status).toBe(400);
    expect(textOf(page.html)).toContain(en['appUnread.title']);
    expect(await lastTrace(new RegExp(id))).toMatchObject({ rule: 'client.document-unreachable' });
  });

  test('is told apart from a document that was taken away', async () => {
    const { id, person, tokens } = await newInUse();
    await makeStale(id);
    site.serve(id, (_, response) => response.writeHead(410).end());
    const page = await ask(person, id);
    expect(page.status).toBe(400);
    expect((await refresh(id, tokens.refresh_token)).status).toBe(200);
  });
});

describe('a document that cannot be used', () => {
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
    const page = await ask(new Person(house), id);
    expect([page.at.startsWith('/'), page.status]).toEqual([true, 400]);
    expect(await clientOf(id)).toBeNull();
  });

  test('the trace says what it says, and what was expected', async () => {
    const id = site.id(newHost());
    site.serve(id, { ...fine, client_id: 'https://other.client.test/app.json' });
    await ask(new Person(house), id);
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
  ])('the answer is %s', async (_, answer) => {
    const id = site.id(newHost());
    site.serve(id, answer);
    site.serve(site.id('elsewhere.client.test', '/x'), fine);
    const started = Date.now();
    expect((await ask(new Person(house), id)).status).toBe(400);
    expect(Date.now() - started).toBeLessThan(4000);
    expect(site.asked(site.id('elsewhere.client.test', '/x'))).toBe(0);
    expect(await clientOf(id)).toBeNull();
  });

  test('the answer comes byte by byte: after five seconds in all it is given up', async () => {
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
    expect((await ask(new Person(house), id)).status).toBe(400);
    await vi.waitFor(() => expect(isClosed).toBe(true), 20_000);
  });

  test('its maker fixes it, and it is read again', async () => {
    const id = site.id(newHost());
    site.serve(id, { ...fine, client_secret: 'x' });
    expect((await ask(new Person(house), id)).status).toBe(400);
    site.serve(id, fine);
    await vi.waitFor(
      async () => expect((await ask(new Person(house), id)).at).toMatch(/^\/login/),
      { timeout: 15_000, interval: 500 },
    );
    expect(site.asked(id)).toBe(2);
  });
});

describe('what is no address of a document, or not of a host that may come', () => {
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
    const page = await ask(new Person(house), spoil(id));
    expect([page.at.startsWith('/'), page.status]).toEqual([true, 400]);
    expect(site.asked(id)).toBe(0);
  });

  test('another host is an unknown client to outsiders; the trace says which hosts may come', async () => {
    const id = 'https://other.example/app.json';
    const page = await ask(new Person(house), id);
    expect(page.status).toBe(400);
    expect(textOf(page.html)).toContain('There is no client with this client_id.');
    expect(page.html).not.toContain('client.test');
    const step = await lastTrace(/other\.example/);
    expect(step).toMatchObject({ rule: 'client.document-host', expected: '["*.client.test"]' });
  });

  test('a host that is blocked, and all below it', async () => {
    const { id, person, tokens } = await newInUse();
    const below = site.id(`sub.${new URL(id).hostname}`);
    site.serve(below, { client_name: 'Below', redirect_uris: [callback] });
    const host = new URL(id).hostname;
    await (await prisma()).blockedHost.create({ data: { host, createdAt: new Date() } });
    await admit('*.client.test, other.example');
    expect((await ask(person, id)).status).toBe(400);
    expect((await ask(new Person(house), below)).status).toBe(400);
    expect(await lastTrace(new RegExp(`^sub.${host}`))).toMatchObject({
      rule: 'client.host-blocked',
    });
    const { status, body } = await refresh(id, tokens.refresh_token);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    await admit('*.client.test');
  });

  test('an address that leads elsewhere than its redirect URIs, unless its host is listed', async () => {
    const document = { post_logout_redirect_uris: ['https://evil.example/login'] };
    const [listed, any] = [newDocument(document), newDocument(document)];
    expect((await ask(new Person(house), listed)).at).toMatch(/^\/login/);
    await admit('any');
    try {
      const page = await ask(new Person(house), any);
      expect(page.status).toBe(400);
      expect(await lastTrace(/evil\.example/)).toMatchObject({ rule: 'client.document-invalid' });
    } finally {
      await admit('*.client.test');
    }
  });

  test('a blocked host in any of its addresses, read now or again', async () => {
    const host = `h${randomBytes(6).toString('hex')}.example`;
    const evil = { post_logout_redirect_uris: [`https://${host}/login`] };
    const [used, fresh] = [await newInUse(), newDocument(evil)];
    await blockHost(host, { id: 'cli' }, new Date());
    expect((await ask(new Person(house), fresh)).status).toBe(400);
    site.serve(used.id, { client_name: 'Weather', redirect_uris: [callback], ...evil });
    await makeStale(used.id);
    expect((await ask(used.person, used.id)).status).toBe(400);
  });

  test('a host that may no longer come: its clients are as if they were not there', async () => {
    const { id, person, tokens } = await newInUse();
    const bearer = { Authorization: `Bearer ${tokens.access_token}` };
    const me = () => fetch(`${house.base}/oauth/me`, { headers: bearer });
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

  test('a client that was removed: 401 invalid_client, and it may register itself again', async () => {
    const { id, person, tokens } = await newInUse();
    await (await prisma()).grant.deleteMany({ where: { clientId: id } });
    await (await prisma()).client.delete({ where: { id } });
    await admit('*.client.test');
    const { status, body } = await refresh(id, tokens.refresh_token);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect((await ask(person, id)).at).toMatch(/^\/consent\?/);
  });
});

describe('the metadata of this server (section 6)', () => {
  const read = async () =>
    Promise.all(
      ['oauth-authorization-server', 'openid-configuration'].map(async (name) =>
        (await fetch(`${house.base}/.well-known/${name}`)).json(),
      ),
    );

  test('says that documents are read, while some host may come', async () => {
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

test.skipIf(house.mount === 'next')(
  'requests of many clients leave no row behind and are fetched within bounds',
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
    const outsider = new Person(house);
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

test('the trace that a browser’s request is part of goes on at the host of the document', async () => {
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
  const person = new Person(house);
  await person.open(authorizePath(requestOf(id)), { headers });
  expect(seen).toEqual([expect.stringMatching(`^00-${traceId}-[0-9a-f]{16}-01$`)]);
  expect(seen[0]).not.toContain(parentId);
});

test('a network that has documents read without end is told how long to wait (429, Retry-After)', async () => {
  const person = new Person(house);
  await spendReadings(person.address);
  const id = site.id(newHost());
  site.serve(id, { client_name: 'Weather', redirect_uris: [callback] });
  const ask = () => person.request(authorizePath(requestOf(id)));
  const answer = await ask();
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  const text = textOf(await answer.text());
  expect(text).toContain('Too many new apps were looked up');
  expect(text).toContain('as one may in 15 minutes');
  expect(await lastTrace(new RegExp(id), ask)).toMatchObject({ rule: 'client.too-many-documents' });
  const pushed = await post(house, '/oauth/par', requestOf(id), {
    'X-Forwarded-For': person.address,
  });
  expect([pushed.status, pushed.body.error]).toEqual([429, 'temporarily_unavailable']);
  expect(Number(pushed.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(site.asked(id)).toBe(0);
});
