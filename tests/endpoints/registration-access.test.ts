import { beforeAll, describe, expect, test } from 'vitest';
import { deleteClient, disableClient, updateClient } from '#lib/management/client/clients.ts';
import { blockHost } from '#lib/management/host/hosts.ts';
import { findClient } from '#lib/store/clients.ts';
import { readAnswer } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newPerson } from '../support/person.ts';
import { newAddress, register } from '../support/registering.ts';
import { set } from '../support/settings.ts';

const server = await openServer({});
const actor = { id: 'cli' };
const unique = () => `app-${Math.random().toString(36).slice(2)}.example`;

beforeAll(() => set('CLIENT_REGISTRATION', 'open'));

/** An app with every address that it can register. */
async function registered(more: Record<string, unknown> = {}, host = unique()) {
  const metadata = {
    redirect_uris: [`https://${host}/cb`],
    initiate_login_uri: `https://${host}/start?tenant=1`,
    backchannel_logout_uri: `https://${host}/sign-out`,
    backchannel_logout_session_required: true,
    ...more,
  };
  const { status, body } = await register(server, metadata, newAddress());
  return { status, body, metadata, id: String(body.client_id), host };
}

const at = (id: string) => `${server.base}/oauth/register?client_id=${encodeURIComponent(id)}`;
async function readAt(
  address: string,
  token?: unknown,
  from: Record<string, string> = newAddress(),
) {
  const headers = token === undefined ? from : { ...from, Authorization: `Bearer ${token}` };
  return readAnswer(await fetch(address, { headers }));
}

/** A person allows the app, which stores it. */
async function store(id: string): Promise<void> {
  const person = await newPerson(server);
  const asked = { client_id: id, response_type: 'code', scope: 'profile' };
  await person.decide(await person.open(authorizePath(asked)), 'allow');
  expect(await findClient(id)).not.toBeNull();
}

describe('client metadata for sign-in and sign-out (RFC 7591 section 2)', () => {
  test('initiate_login_uri and the back-channel logout members are answered, and stored', async () => {
    const { status, body, metadata, id } = await registered();
    expect([status, body]).toMatchObject([201, metadata]);
    await store(id);
    expect(await findClient(id)).toMatchObject({
      initiateLoginUri: metadata.initiate_login_uri,
      backchannelLogoutUri: metadata.backchannel_logout_uri,
    });
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['http', { initiate_login_uri: 'http://app.example/start' }, /must start with https/],
    ['http here', { initiate_login_uri: 'http://localhost/start' }, /must start with https/],
    ['what is added', { initiate_login_uri: 'https://app.example/?iss=x' }, /Leave out iss/],
    ['no address', { initiate_login_uri: 'javascript:alert(1)' }, /scheme/],
    ['no text', { backchannel_logout_uri: ['https://app.example/'] }, /must be an address/],
    ['far too long', { backchannel_logout_uri: `https://app.example/${'x'.repeat(9000)}` }, /500/],
    ['a fragment', { backchannel_logout_uri: 'https://app.example/#x' }, /fragment/],
    ['user information', { backchannel_logout_uri: 'https://a:b@app.example/' }, /password/],
    ['a dot at its end', { backchannel_logout_uri: 'https://app.example./' }, /ends with a dot/],
    ['a number', { backchannel_logout_session_required: 1 }, /true or false/],
    ['keys twice', { jwks: { keys: [] }, jwks_uri: 'https://app.example/keys' }, /exclude each/],
    ['another subject', { subject_type: 'ephemeral' }, /public or pairwise/],
    ['encryption', { id_token_encrypted_response_alg: 'RSA-OAEP' }, /does not encrypt/],
    ['its method', { id_token_encrypted_response_enc: 'A128GCM' }, /does not encrypt/],
    ['encrypted facts', { userinfo_encrypted_response_alg: 'RSA-OAEP' }, /does not encrypt/],
  ])('a refusal has a sentence with the reason: %s %j', async (_, members, sentence) => {
    const sent = { redirect_uris: ['https://app.example/cb'], ...members };
    const { status, body } = await register(server, sent, newAddress());
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
    expect(body.error_description).toMatch(sentence);
  });

  test('default values and null are accepted', async () => {
    const plain = { subject_type: 'public', jwks: null, jwks_uri: 'https://app.example/keys' };
    expect((await registered({ ...plain, id_token_encrypted_response_alg: null })).status).toBe(
      201,
    );
  });

  test.each([
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://10.0.0.7/x',
  ])(
    'a backchannel_logout_uri at a private address is refused: %s',
    async (backchannel_logout_uri) => {
      const redirect_uris = [new URL('/cb', backchannel_logout_uri).href];
      const sent = { redirect_uris, backchannel_logout_uri };
      const { status, body } = await register(server, sent, newAddress());
      expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
      expect(body.error_description).toContain('no private addresses');
    },
  );

  test.each(['initiate_login_uri', 'backchannel_logout_uri'])(
    '%s must be at the host of the redirect URIs or below it, and not blocked',
    async (name) => {
      const elsewhere = await registered({ [name]: 'https://evil.example/x' });
      expect([elsewhere.status, elsewhere.body.error]).toEqual([400, 'invalid_redirect_uri']);
      const host = unique();
      const { id, status } = await registered({ [name]: `HTTPS://Sub.${host}:443/x` }, host);
      expect(status).toBe(201);
      await store(id);
      await blockHost(`sub.${host}`, actor, new Date());
      expect((await registered({ [name]: `https://SUB.${host}/x` }, host)).status).toBe(400);
      expect(await findClient(id)).toBeNull();
    },
  );
});

describe('reading a client at the client configuration endpoint (RFC 7592 section 2.1)', () => {
  test('answers with what is registered, without the secret, before and after the first consent', async () => {
    const { body, id } = await registered();
    const { client_secret: _, client_secret_expires_at: __, ...said } = body;
    expect(said).toMatchObject({
      registration_client_uri: `${server.issuer}/oauth/register?client_id=${id}`,
      registration_access_token: expect.stringMatching(/^gh_ra_[\w-]{43}$/),
    });
    for (const step of [async () => {}, () => store(id)]) {
      await step();
      const answer = await readAt(at(id), body.registration_access_token);
      expect([answer.status, answer.body]).toEqual([200, said]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
    await updateClient(id, { name: 'Renamed', idTokenAlg: 'ES256' }, { actor, now: new Date() });
    expect((await readAt(at(id), body.registration_access_token)).body).toMatchObject({
      client_name: 'Renamed',
      id_token_signed_response_alg: 'ES256',
    });
  });

  test('is 401 with a challenge for a wrong token, client_id or way of sending it', async () => {
    const one = await registered();
    const other = await registered();
    const token = String(one.body.registration_access_token);
    for (const answer of [
      await readAt(at(other.id), token),
      await readAt(at(one.id), other.body.registration_access_token),
      await readAt(at(one.id), `${token}x`),
      await readAt(at(one.id), 'gh_ra_'),
      await readAt(at(one.id)),
      await readAt(at(`${one.id}x`), token),
      await readAt(at('nobody'), token),
      await readAt(`${server.base}/oauth/register`, token),
      await readAt(at(one.id), one.body.client_secret),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
      expect(JSON.stringify(answer.body)).not.toContain('redirect_uris');
    }
    const inAddress = await readAt(`${at(one.id)}&access_token=${token}`);
    expect([inAddress.status, inAddress.body.error]).toEqual([400, 'invalid_request']);
    const twice = await readAt(`${at(one.id)}&client_id=${one.id}`, token);
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request']);
  });

  test('is 401 once the app is disabled, deleted or at a blocked host', async () => {
    const ends: ((id: string, host: string) => Promise<unknown>)[] = [
      (id) => disableClient(id, actor, new Date()),
      (id) => deleteClient(id, actor, new Date()),
      (_, host) => blockHost(host, actor, new Date()),
    ];
    for (const end of ends) {
      const { id, host, body } = await registered();
      await store(id);
      expect((await readAt(at(id), body.registration_access_token)).status).toBe(200);
      await end(id, host);
      const answer = await readAt(at(id), body.registration_access_token);
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token']);
    }
  });

  test('changing and deleting (PUT, DELETE) is 405 with Allow', async () => {
    const { id, body } = await registered();
    for (const method of ['PUT', 'DELETE']) {
      const headers = { Authorization: `Bearer ${body.registration_access_token}` };
      const answer = await fetch(at(id), { method, headers });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toMatch(/GET.*POST|POST.*GET/);
      await answer.body?.cancel();
    }
  });

  test.skipIf(server.mount === 'next')(
    'counts towards the limit of registrations per address',
    async () => {
      const from = newAddress();
      let refused = 0;
      for (let each = 0; each < 62; each += 1) {
        const { status, headers } = await readAt(at('nobody'), 'gh_ra_x', from);
        if (status !== 429) continue;
        refused += 1;
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(refused).toBe(2);
      const { status } = await register(server, { redirect_uris: ['https://a.example/cb'] }, from);
      expect(status).toBe(429);
    },
  );
});
