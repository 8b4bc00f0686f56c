import { describe, expect, test } from 'vitest';
import { en } from '#lib/messages/compiled/en.ts';
import { withdrawScope } from '#lib/store/withdrawals.ts';
import { changeApi, newApi } from '../support/apis.ts';
import { credentials, me, post } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, type Page } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { type ClientOptions, newClient, type TestClient } from '../support/seed.ts';
import {
  codeFor as codeAt,
  introspect as introspectAt,
  named,
  outcome,
  type Pairs,
  tokenRequest,
} from '../support/target.ts';
import { changeAuthorization, readToken } from '../support/tokens.ts';
import { stepOf } from '../support/traces.ts';

const gatehouse = await openServer();
const person = await newPerson(gatehouse);

const ask = (client: TestClient, more: Pairs) =>
  person.authorize([['client_id', client.id], ['response_type', 'code'], ...more]);
/** The parameters that the client receives at its redirect URI. */
const answered = (page: Page) => answerOf(page);

const codeFor = (client: TestClient, more: Pairs) => codeAt(person, client, more);
const redeem = (client: TestClient, code: string, more: Pairs = []) =>
  tokenRequest(gatehouse, client, { grant_type: 'authorization_code', code }, more);
const refresh = (client: TestClient, token: unknown, more: Pairs = []) =>
  tokenRequest(
    gatehouse,
    client,
    { grant_type: 'refresh_token', refresh_token: String(token) },
    more,
  );
const forItself = (client: TestClient, more: Pairs = []) =>
  tokenRequest(gatehouse, client, { grant_type: 'client_credentials' }, more);
const introspect = (client: TestClient, token: unknown) => introspectAt(gatehouse, client, token);
const inactive = { active: false };

/** Two APIs with one scope each, and a client with a code for both. */
async function forTwo(options: ClientOptions = {}, scope = 'profile read write') {
  const client = await newClient(options);
  const one = await newApi({ scopes: ['read'] });
  const other = await newApi({ scopes: ['write'] });
  const code = await codeFor(client, [
    ['scope', scope],
    ...named(one.identifier, other.identifier),
  ]);
  return { client, one, other, code };
}

describe('resource in the authorization request (RFC 8707 section 2)', () => {
  test('gives a token with the API as audience, and its scopes beside the server’s', async () => {
    const client = await newClient();
    const api = await newApi({ scopes: ['read', 'write'] });
    const code = await codeFor(client, [['scope', 'profile read'], ...named(api.identifier)]);
    const { body } = await redeem(client, code);
    expect(body.scope).toBe('profile read');
    expect(await introspect(client, body.access_token)).toMatchObject({
      active: true,
      aud: api.identifier,
      scope: 'profile read',
    });
  });

  test('is matched in another spelling, and the audience is the API’s identifier', async () => {
    const client = await newClient();
    const api = await newApi();
    const sent = `${api.identifier.replace('https://api', 'HTTPS://API')}/`;
    const { body } = await redeem(client, await codeFor(client, named(sent)));
    expect(await introspect(client, body.access_token)).toMatchObject({ aud: api.identifier });
  });

  test('without scope requests the default scopes, and none of the API', async () => {
    const client = await newClient();
    const api = await newApi({ scopes: ['read'] });
    const { body } = await redeem(client, await codeFor(client, named(api.identifier)));
    expect(body.scope).toBe('profile email');
  });

  test('works for a client that may request no scope of the server', async () => {
    const client = await newClient({ scopes: [] });
    const api = await newApi({ scopes: ['read'] });
    const nothing = await redeem(client, await codeFor(client, named(api.identifier)));
    expect([nothing.status, nothing.body.scope]).toEqual([200, '']);
    const answer = await redeem(
      client,
      await codeFor(client, [['scope', 'read'], ...named(api.identifier)]),
    );
    expect(answer.body.scope).toBe('read');
  });

  test('does not make scopes of another API known', async () => {
    const client = await newClient();
    const asked = await newApi({ scopes: ['read'] });
    const other = await newApi({ scopes: ['write'] });
    const code = await codeFor(client, [['scope', 'read write'], ...named(asked.identifier)]);
    expect((await redeem(client, code)).body.scope).toBe('read');
    const alone = answered(await ask(client, [['scope', 'write'], ...named(asked.identifier)]));
    expect(alone.error).toBe('invalid_scope');
    expect(answered(await ask(client, [['scope', 'write']])).error).toBe('invalid_scope');
    expect(other.identifier).not.toBe(asked.identifier);
  });

  test('does not replace a scope of the server by an API’s of the same name', async () => {
    const client = await newClient({ scopes: ['profile'] });
    const api = await newApi({ scopes: ['email', 'groups'] });
    const answer = answered(await ask(client, [['scope', 'email'], ...named(api.identifier)]));
    expect(answer.error).toBe('invalid_scope');
  });

  test.each([
    ['no address', 'nonsense'],
    ['a relative one', '/mcp'],
    ['a fragment', 'https://api.example/mcp#part'],
    ['an empty fragment', 'https://api.example/mcp#'],
    ['white space', 'https://api.example/m cp'],
    ['no text', 'https://api.example/\u00e4'],
    ['far too long', `https://api.example/${'a'.repeat(2000)}`],
  ])('that is %s is invalid_target', async (_, resource) => {
    const client = await newClient();
    const answer = answered(await ask(client, [['state', 'S'], ...named(resource)]));
    expect([answer.error, answer.state]).toEqual(['invalid_target', 'S']);
  });

  test('sent more than ten times is invalid_target', async () => {
    const many = Array.from({ length: 11 }, (_, index) => `https://api.example/${index}`);
    const client = await newClient();
    expect(answered(await ask(client, named(...many))).error).toBe('invalid_target');
    expect(answered(await ask(client, named(...many.slice(1)))).code).toBeDefined();
  });

  test('for an API with listed clients is invalid_target for any other client', async () => {
    const client = await newClient();
    const outsider = await newClient();
    const api = await newApi({ access: 'listed', askedBy: [client.id] });
    expect(answered(await ask(client, named(api.identifier))).code).toBeDefined();
    expect(answered(await ask(outsider, named(api.identifier))).error).toBe('invalid_target');
  });

  test('that is unknown is ignored, and noted in the trace', async () => {
    const client = await newClient();
    const path = authorizePath([
      ['client_id', client.id],
      ['response_type', 'code'],
      ...named('https://unknown.example/mcp'),
    ]);
    const step = await stepOf(await person.request(path));
    expect(step).toMatchObject({
      outcome: 'consent',
      notes: [{ rule: 'resource.ignored', received: 'https://unknown.example/mcp', expected: [] }],
      rule: null,
      code: null,
    });
    const { body } = await redeem(
      client,
      await codeFor(client, named('https://unknown.example/mcp')),
      named('https://unknown.example/mcp'),
    );
    expect(await introspect(client, body.access_token)).not.toHaveProperty('aud');
    expect((await me(gatehouse, String(body.access_token))).status).toBe(200);
  });

  test('can be repeated in a POST', async () => {
    const client = await newClient();
    const one = await newApi();
    const other = await newApi();
    const body = new URLSearchParams([
      ['client_id', client.id],
      ['response_type', 'code'],
      ...named(one.identifier, other.identifier),
    ]).toString();
    const page = await person.open('/oauth/authorize', { method: 'POST', body });
    const { code = '' } = answered(await person.goThrough(page));
    const answer = await redeem(client, code);
    expect(await introspect(client, answer.body.access_token)).toMatchObject({
      aud: [one.identifier, other.identifier],
    });
  });
});

describe('consent for an API (resource)', () => {
  test('names the API and its scopes in words, is remembered, and marks new scopes', async () => {
    const client = await newClient();
    const api = await newApi({ name: 'Notes & <b>Co</b>', scopes: ['read', 'write'] });
    const asking = (scope: string): Pairs => [['scope', scope], ...named(api.identifier)];
    const open = (scope: string) =>
      person.open(
        authorizePath([['client_id', client.id], ['response_type', 'code'], ...asking(scope)]),
      );
    const page = await open('read');
    const said = textOf(page.html);
    expect(said).toContain('In Notes & <b>Co</b>');
    expect(said).toContain('May read');
    expect(said).not.toContain('May write');
    await person.decide(page, 'allow');
    expect((await open('read')).at).toMatch(/^https:/);
    const more = await open('read write');
    expect(more.at).toMatch(/^\/consent/);
    const [before, added] = textOf(more.html).split(en['consent.scopesBefore']).reverse();
    expect(added).toContain('May write');
    expect(added).not.toContain('May read');
    expect(before).toContain('May read');
  });

  test('for one API does not count for another with the same scope', async () => {
    const client = await newClient();
    const one = await newApi({ scopes: ['read'] });
    const other = await newApi({ scopes: ['read'] });
    await codeFor(client, [['scope', 'read'], ...named(one.identifier)]);
    const silent = answered(
      await ask(client, [['scope', 'read'], ['prompt', 'none'], ...named(other.identifier)]),
    );
    expect(silent.error).toBe('consent_required');
  });

  test('the sealed field “seen” of one API’s consent page is refused for another', async () => {
    const client = await newClient();
    const one = await newApi();
    const other = await newApi();
    const open = (identifier: string) =>
      person.open(
        authorizePath([['client_id', client.id], ['response_type', 'code'], ...named(identifier)]),
      );
    const first = await open(one.identifier);
    const second = await open(other.identifier);
    const { seen = '' } =
      first.forms.find(({ action }) => action === '/consent/submit')?.fields ?? {};
    const page = await person.submit(second, '/consent/submit', { decision: 'allow', seen });
    expect(page.at).toMatch(/^\/consent/);
  });

  test('withdrawing a scope of an API, or the API, ends only the tokens that carry it', async () => {
    const client = await newClient();
    const api = await newApi({ scopes: ['read', 'write'] });
    const tokens = async (more: Pairs) =>
      (await redeem(client, await codeFor(client, more))).body.access_token;
    const plain = await tokens([['scope', 'profile']]);
    const reading = await tokens([['scope', 'read'], ...named(api.identifier)]);
    const writing = await tokens([['scope', 'read write'], ...named(api.identifier)]);
    const page = `/account/apps/${client.id}`;
    const withdraw = async (scope: string) => {
      const at = await person.open(page);
      const form = at.forms.find(({ fields }) => fields.scope === scope);
      expect(form, textOf(at.html)).toBeDefined();
      await person.submit({ ...at, forms: form ? [form] : [] }, '/account/apps/submit');
    };
    const live = () =>
      Promise.all([plain, reading, writing].map(async (t) => (await introspect(client, t)).active));
    await withdraw(`${api.identifier}#write`);
    expect(await live()).toEqual([true, true, false]);
    await withdraw(api.identifier);
    expect(await live()).toEqual([true, false, false]);
    const grant = await (await prisma()).grant.findFirstOrThrow({ where: { clientId: client.id } });
    expect(grant.scopes).toBe('profile');
  });

  test('withdrawing a scope with # in its name does not end tokens with the part before it', async () => {
    const client = await newClient();
    const api = await newApi({ scopes: ['files', 'files#write'] });
    const tokens = async (scope: string) =>
      (await redeem(client, await codeFor(client, [['scope', scope], ...named(api.identifier)])))
        .body.access_token;
    const reading = await tokens('files');
    const writing = await tokens('files files#write');
    const word = `${api.identifier}#files#write`;
    expect(await withdrawScope(person.user.id, client.id, word, new Date())).toBe('scope');
    expect((await introspect(client, reading)).active).toBe(true);
    expect(await introspect(client, writing)).toEqual(inactive);
  });
});

describe('resource in the token request (RFC 8707 section 2.2)', () => {
  test('selects from the granted APIs: a token for those, with their scopes and the server’s', async () => {
    const { client, one, other, code } = await forTwo();
    const first = await redeem(client, code, named(one.identifier));
    expect(first.body.scope).toBe('profile read');
    expect(await introspect(client, first.body.access_token)).toMatchObject({
      aud: one.identifier,
      scope: 'profile read',
    });
    const second = await refresh(client, first.body.refresh_token, named(other.identifier));
    expect(await introspect(client, second.body.access_token)).toMatchObject({
      aud: other.identifier,
      scope: 'profile write',
    });
    const all = await refresh(client, second.body.refresh_token);
    expect(await introspect(client, all.body.access_token)).toMatchObject({
      aud: [one.identifier, other.identifier],
      scope: 'profile read write',
    });
    const narrow = await refresh(client, all.body.refresh_token, [
      ['scope', 'read write'],
      ...named(one.identifier),
    ]);
    expect(narrow.body.scope).toBe('read');
  });

  test('for another API than was granted is invalid_target, and consumes nothing', async () => {
    const client = await newClient();
    const granted = await newApi();
    const swapped = await newApi();
    const code = await codeFor(client, named(granted.identifier));
    for (const wrong of [
      [swapped.identifier],
      [granted.identifier, swapped.identifier],
      ['https://unknown.example'],
      ['no address'],
    ]) {
      expect(outcome(await redeem(client, code, named(...wrong)))).toEqual([400, 'invalid_target']);
    }
    const { body } = await redeem(client, code, named(granted.identifier));
    for (const wrong of [swapped.identifier, 'https://unknown.example'])
      expect(outcome(await refresh(client, body.refresh_token, named(wrong)))).toEqual([
        400,
        'invalid_target',
      ]);
    expect((await refresh(client, body.refresh_token)).status).toBe(200);
  });

  test('where none was granted is invalid_target', async () => {
    const client = await newClient();
    const api = await newApi();
    const code = await codeFor(client, []);
    expect(outcome(await redeem(client, code, named(api.identifier)))).toEqual([
      400,
      'invalid_target',
    ]);
    const { body } = await redeem(client, code);
    expect(outcome(await refresh(client, body.refresh_token, named(api.identifier)))).toEqual([
      400,
      'invalid_target',
    ]);
  });

  test('a repeated refresh gets the same tokens, and with another resource invalid_grant', async () => {
    const { client, one, other, code } = await forTwo();
    const { refresh_token: old } = (await redeem(client, code)).body;
    const first = await refresh(client, old, named(one.identifier));
    const again = await refresh(client, old, named(one.identifier));
    expect([again.status, again.body.access_token]).toEqual([200, first.body.access_token]);
    for (const different of [named(other.identifier), [], named(one.identifier, other.identifier)])
      expect(outcome(await refresh(client, old, different as Pairs))).toEqual([
        400,
        'invalid_grant',
      ]);
    expect((await refresh(client, first.body.refresh_token)).status).toBe(200);
  });

  test('an API that was deleted, or is closed to the client, gets no token', async () => {
    const { client, one, other, code } = await forTwo();
    const { body } = await redeem(client, code);
    await changeApi(other.id, { access: 'listed' });
    const left = await refresh(client, body.refresh_token);
    expect(await introspect(client, left.body.access_token)).toMatchObject({
      aud: one.identifier,
      scope: 'profile read',
    });
    expect(await introspect(client, body.access_token)).toMatchObject({ aud: one.identifier });
    await changeApi(one.id, null);
    expect(await introspect(client, left.body.access_token)).toEqual(inactive);
    expect(outcome(await refresh(client, left.body.refresh_token))).toEqual([
      400,
      'invalid_target',
    ]);
    expect((await me(gatehouse, String(left.body.access_token))).status).toBe(403);
  });

  test('twenty refreshes for two APIs at the same time: all successes get the same token', async () => {
    const { client, one, other, code } = await forTwo();
    const { refresh_token: old } = (await redeem(client, code)).body;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        refresh(client, old, named(index % 2 ? one.identifier : other.identifier)),
      ),
    );
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeGreaterThan(0);
    expect(new Set(good.map(({ body }) => body.access_token)).size).toBe(1);
  });

  test('the shortest token lifetime of the APIs counts', async () => {
    const client = await newClient();
    const short = await newApi({ accessTokenTtl: 60 });
    const long = await newApi({ accessTokenTtl: 5000 });
    const code = await codeFor(client, named(short.identifier, long.identifier));
    const { body } = await redeem(client, code);
    expect(body.expires_in).toBe(60);
    const alone = await refresh(client, body.refresh_token, named(long.identifier));
    expect(alone.body.expires_in).toBe(5000);
  });

  test('any other repeated parameter is invalid_request', async () => {
    const { client, code } = await forTwo();
    const twice = await redeem(client, code, [
      ['scope', 'a'],
      ['scope', 'b'],
    ]);
    expect(outcome(twice)).toEqual([400, 'invalid_request']);
  });
});

describe('resource with client_credentials', () => {
  test('gives a token for the API, with the requested scopes of the API', async () => {
    const client = await newClient({ grants: ['client_credentials'], redirectUris: [] });
    const api = await newApi({ scopes: ['read'], accessTokenTtl: 90 });
    const { body } = await forItself(client, [['scope', 'read'], ...named(api.identifier)]);
    expect(body).toMatchObject({ scope: 'read', expires_in: 90 });
    expect(await introspect(client, body.access_token)).toMatchObject({
      active: true,
      aud: api.identifier,
      scope: 'read',
      sub: client.id,
    });
    const wide = await forItself(client, [['scope', 'read email'], ...named(api.identifier)]);
    expect(outcome(wide)).toEqual([400, 'invalid_scope']);
  });

  test('for an API that lists other clients is invalid_target', async () => {
    const client = await newClient({ grants: ['client_credentials'], redirectUris: [] });
    const api = await newApi({ access: 'listed' });
    expect(outcome(await forItself(client, named(api.identifier)))).toEqual([
      400,
      'invalid_target',
    ]);
  });

  test('that is unknown is ignored, and noted in the trace', async () => {
    const client = await newClient({ grants: ['client_credentials'], redirectUris: [] });
    const answer = await forItself(client, named('https://unknown.example'));
    expect(answer.status).toBe(200);
    expect(await stepOf(answer)).toMatchObject({
      outcome: 'done',
      notes: [{ rule: 'resource.ignored' }],
    });
  });
});

describe('an access token for an API (resource)', () => {
  test('gives no user information unless the scope openid was granted', async () => {
    const client = await newClient();
    const api = await newApi();
    const tokenWith = async (scope: string) => {
      const code = await codeFor(client, [['scope', scope], ...named(api.identifier)]);
      return (await redeem(client, code)).body.access_token;
    };
    const answer = await me(gatehouse, String(await tokenWith('profile email')));
    expect(outcome(answer)).toEqual([403, 'insufficient_scope']);
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect(await stepOf(answer)).toMatchObject({
      rule: 'access-token.other-audience',
      received: api.identifier,
    });
    expect((await me(gatehouse, String(await tokenWith('openid')))).status).toBe(200);
  });

  test('is introspected only by its own API’s servers, and is inactive after revocation', async () => {
    const client = await newClient();
    const server = await newClient();
    const elsewhere = await newClient();
    const general = await newClient({ resourceServer: true });
    const api = await newApi({ servedBy: [server.id], scopes: ['read'] });
    await newApi({ servedBy: [elsewhere.id] });
    const code = await codeFor(client, [['scope', 'read'], ...named(api.identifier)]);
    const { body } = await redeem(client, code);
    const seen = await introspect(server, body.access_token);
    expect(seen).toMatchObject({
      active: true,
      aud: api.identifier,
      scope: 'read',
      client_id: client.id,
      sub: person.user.id,
    });
    for (const foreign of [elsewhere, general])
      expect(await introspect(foreign, body.access_token)).toEqual(inactive);
    expect(await introspect(server, body.refresh_token)).toEqual(inactive);
    await post(gatehouse, '/oauth/revoke', {
      ...credentials(client),
      token: String(body.access_token),
    });
    expect(await introspect(server, body.access_token)).toEqual(inactive);
  });

  test('a client that serves an API cannot introspect tokens without an API', async () => {
    const client = await newClient();
    const both = await newClient({ resourceServer: true });
    const general = await newClient({ resourceServer: true });
    await newApi({ servedBy: [both.id] });
    const { body } = await redeem(client, await codeFor(client, []));
    expect(await introspect(both, body.access_token)).toEqual(inactive);
    expect(await introspect(general, body.access_token)).toMatchObject({ active: true });
  });

  test('the trace of an inactive introspection has the reason', async () => {
    const client = await newClient();
    const outsider = await newClient();
    const api = await newApi();
    const { body } = await redeem(client, await codeFor(client, named(api.identifier)));
    const answer = await post(gatehouse, '/oauth/introspect', {
      ...credentials(outsider),
      token: String(body.access_token),
    });
    expect(answer.body).toEqual(inactive);
    expect(await stepOf(answer)).toMatchObject({
      step: 'introspect',
      rule: 'introspection.foreign',
      received: `a token for ${api.identifier}`,
    });
  });
});

test('without resource the access token has no audience in it', async () => {
  const client = await newClient();
  await newApi({ access: 'anyone' });
  const { body } = await redeem(client, await codeFor(client, [['scope', 'profile email']]));
  expect(String(body.access_token)).toHaveLength(74);
  expect((await readToken(String(body.access_token))).detail).toBe('');
  const narrow = await refresh(client, body.refresh_token, [['scope', 'email']]);
  expect((await readToken(String(narrow.body.access_token))).detail).toBe('email');
});

test('the metadata lists the APIs that any client may ask for, and no other (RFC 9728 section 4)', async () => {
  const open = await newApi({ access: 'anyone' });
  const closed = await newApi();
  const address = `${gatehouse.base}/.well-known/oauth-authorization-server`;
  const { protected_resources: listed } = (await (await fetch(address)).json()) as {
    protected_resources: string[];
  };
  expect(listed).toContain(open.identifier);
  expect(listed).not.toContain(closed.identifier);
});

test('a refresh token for an API keeps its audience after years without rotation', async () => {
  const client = await newClient();
  const api = await newApi();
  const { body } = await redeem(client, await codeFor(client, named(api.identifier)));
  await changeAuthorization(String(body.refresh_token), { rotatedAt: new Date(0) });
  const next = await refresh(client, body.refresh_token);
  expect(await introspect(client, next.body.access_token)).toMatchObject({ aud: api.identifier });
});
