import { generateKeyPairSync } from 'node:crypto';
import { exportSPKI, importJWK, type JWK } from 'jose';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sealedProviderSecret } from '#lib/identity/upstream/secret.ts';
import { write } from '#lib/store/engine/database.ts';
import type { NewProvider } from '#lib/store/providers.ts';
import { atProvider, newName, newSub, says, verified, type Way } from '../support/at-provider.ts';
import { type Lies, LyingProvider } from '../support/lying-provider.ts';
import { openServer } from '../support/open-server.ts';
import { isSignedIn, type Page, Person } from '../support/person.ts';
import { newUser } from '../support/seed.ts';

/*
 * What the OpenID Foundation's conformance suite requires of a relying party, against the running
 * server. Each test has the name of the suite's module.
 */

const idp = await LyingProvider.open();
const server = await openServer({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });
const at = atProvider(server, idp);
const clientSecret = 'a secret / that has: to be+written otherwise %';

// A server without users shows how to create the first one.
beforeAll(async () => {
  await newUser();
});

// The maximum number of providers is fifty.
afterEach(() => write('DELETE FROM providers', {}));

const failed = 'couldn’t sign you in';
const now = () => Math.floor(Date.now() / 1000);

/** Sends the browser back, by a redirect or by a form that the provider's page posts. */
function comeBack(person: Person, back: string, posted: boolean): Promise<Page> {
  if (!posted) return person.open(back);
  const { pathname, searchParams } = new URL(back, server.issuer);
  const headers = { Origin: idp.issuer, 'Sec-Fetch-Site': 'cross-site' };
  return person.open(pathname, { method: 'POST', body: searchParams.toString(), headers });
}

type Went = { page: Page; person: Person; asked: LyingProvider['asked']; there: URL };

/**
 * The rules for one way of answering: what the provider says signs the person in, or signs no one
 * in.
 */
function rulesFor(posted: boolean, kind: Partial<NewProvider>) {
  const newWay = (changes: Partial<NewProvider> = {}) => at.newWay({ ...kind, ...changes });

  async function go(way: Way, claims: Record<string, unknown>, lies: Lies): Promise<Went> {
    const [person, before] = [new Person(server), idp.asked.length];
    idp.lies = lies;
    const there = await at.begin(person, way);
    const back = there.at.startsWith('/') ? null : idp.answer(there.at, claims);
    const page = back === null ? there : await comeBack(person, back, posted);
    const url = new URL(there.at, server.issuer);
    return { page, person, asked: idp.asked.slice(before), there: url };
  }

  /** Expects that a linked person is signed in. */
  async function signsIn(lies: Lies, way?: Way): Promise<Went> {
    const by = way ?? (await newWay());
    const { subject } = await at.newLinked(by);
    const went = await go(by, { sub: subject }, lies);
    expect(went.page.at).toBe('/account');
    expect(await isSignedIn(went.person)).toBe(true);
    return went;
  }

  /** Expects that no one is signed in, and that user information is not requested. */
  async function refuses(lies: Lies, way?: Way): Promise<Went> {
    const by = way ?? (await newWay());
    const { subject } = await at.newLinked(by);
    const went = await go(by, { sub: subject }, lies);
    says(went.page, failed);
    expect(await isSignedIn(went.person)).toBe(false);
    expect(went.asked.map(({ path }) => path)).not.toContain('/userinfo');
    return went;
  }

  return { newWay, go, signsIn, refuses };
}

const pathsOf = ({ asked }: Went) => asked.map(({ path }) => path);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const apple = {
  kind: 'apple',
  sealedSecret: await sealedProviderSecret.seal(
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ),
  appleTeamId: 'TEAM123456',
  appleKeyId: 'KEY1234567',
} as const;

describe.each<[string, boolean, Partial<NewProvider>]>([
  ['oidcc-client-basic-certification-test-plan', false, {}],
  ['oidcc-client-formpost-basic-certification-test-plan', true, apple],
])('%s', (_, posted, kind) => {
  const { newWay, go, signsIn, refuses } = rulesFor(posted, kind);

  test('oidcc-client-test: a code is redeemed, and user information asked for', async () => {
    const went = await signsIn({});
    expect(went.there.searchParams.get('response_type')).toBe('code');
    expect(went.there.searchParams.get('response_mode')).toBe(posted ? 'form_post' : null);
    expect(pathsOf(went)).toEqual([
      '/.well-known/openid-configuration',
      '/token',
      '/jwks',
      '/userinfo',
    ]);
  });

  test('oidcc-client-test-invalid-iss: an ID token of another issuer is refused', async () => {
    await refuses({ idToken: { iss: 'https://evil.example' } });
    await refuses({ idToken: { iss: `${idp.issuer}/` } });
  });

  test('oidcc-client-test-missing-sub: an ID token without a subject is refused', async () => {
    await refuses({ idToken: { sub: undefined } });
  });

  test('oidcc-client-test-invalid-aud: an ID token for another client is refused', async () => {
    await refuses({ idToken: { aud: 'another' } });
    await refuses({ idToken: { aud: ['another'] } });
  });

  test('oidcc-client-test-missing-iat: an ID token without iat is refused', async () => {
    await refuses({ idToken: { iat: undefined } });
  });

  test('oidcc-client-test-kid-absent-single-jwks: without a kid, the only key of the algorithm counts', async () => {
    await signsIn({ keys: 'without kid', header: { kid: undefined } });
  });

  test('oidcc-client-test-kid-absent-multiple-jwks: without a kid and with several keys, it is refused', async () => {
    await refuses({ keys: 'several without kid', header: { kid: undefined } });
  });

  test('oidcc-client-test-idtoken-sig-rs256: a signature by RS256 is accepted', async () => {
    const way = await newWay();
    const went = await signsIn(
      { discovery: { id_token_signing_alg_values_supported: ['RS256'] } },
      way,
    );
    expect(pathsOf(went)).toContain('/jwks');
  });

  test('oidcc-client-test-idtoken-sig-none: an unsigned ID token is refused, even if the provider offers it', async () => {
    await refuses({ unsigned: true });
    const supported = ['none', 'RS256'];
    await refuses({
      unsigned: true,
      discovery: { id_token_signing_alg_values_supported: supported },
    });
  });

  test('oidcc-client-test-invalid-sig-rs256: a signature by another key is refused', async () => {
    await refuses({ foreignKey: true });
  });

  test('oidcc-client-test-userinfo-invalid-sub: user information with another sub is refused', async () => {
    const way = await newWay({ mayRegister: true });
    const said = verified(`${newName()}@example.com`);
    const went = await go(way, { sub: newSub() }, { userinfo: { sub: 'another', ...said } });
    says(went.page, failed);
    expect(pathsOf(went)).toContain('/userinfo');
    expect(await isSignedIn(went.person)).toBe(false);
  });

  test('oidcc-client-test-nonce-invalid: an ID token with another nonce is refused', async () => {
    const went = await refuses({ idToken: { nonce: 'another' } });
    expect(went.there.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/);
    await refuses({ idToken: { nonce: undefined } });
  });

  test('oidcc-client-test-scope-userinfo-claims: claims of the scopes are read from user information', async () => {
    const way = await newWay({ mayRegister: true });
    const email = `${newName()}@example.com`;
    const went = await go(
      way,
      { sub: newSub() },
      { userinfo: { ...verified(email), name: 'Ada Lovelace' } },
    );
    expect(went.there.searchParams.get('scope')?.split(' ')).toContain('email');
    const asked = went.asked.find(({ path }) => path === '/userinfo');
    expect(asked?.authorization).toMatch(/^Bearer /);
    expect(went.page.at).toMatch(/^\/login\/new/);
    expect(went.page.html).toContain(email);
    expect(went.page.html).toContain('Ada Lovelace');
  });
});

const { newWay, go, signsIn, refuses } = rulesFor(false, {});
const withSecret = async () =>
  newWay({ sealedSecret: await sealedProviderSecret.seal(clientSecret) });
const askedForTokens = (went: Went) => went.asked.find(({ path }) => path === '/token');

describe('client authentication at a provider', () => {
  test('oidcc-client-test-client-secret-basic: id and secret are form-encoded in the header', async () => {
    const went = await signsIn(
      { discovery: { token_endpoint_auth_methods_supported: ['client_secret_basic'] } },
      await withSecret(),
    );
    const asked = askedForTokens(went);
    const [scheme, text = ''] = asked?.authorization.split(' ') ?? [];
    expect(scheme).toBe('Basic');
    const [id, secret] = Buffer.from(text, 'base64').toString().split(':');
    const read = new URLSearchParams(`id=${id}&secret=${secret}`);
    expect([read.get('id'), read.get('secret')]).toEqual(['gatehouse', clientSecret]);
    expect(asked?.body.has('client_secret')).toBe(false);
  });

  test('client_secret_basic is used where the provider names no method (Discovery section 3)', async () => {
    const asked = askedForTokens(await signsIn({}, await withSecret()));
    expect(asked?.authorization).toMatch(/^Basic /);
  });

  test('client_secret_post: in the body where the provider takes nothing else', async () => {
    const went = await signsIn(
      { discovery: { token_endpoint_auth_methods_supported: ['client_secret_post'] } },
      await withSecret(),
    );
    const asked = askedForTokens(went);
    expect(asked?.authorization).toBe('');
    expect(asked?.body.get('client_secret')).toBe(clientSecret);
  });
});

describe('oidcc-client-config-certification-test-plan', () => {
  test('oidcc-client-test-discovery-openid-config: the endpoints are read from the configuration', async () => {
    const went = await signsIn({});
    expect(pathsOf(went)[0]).toBe('/.well-known/openid-configuration');
    expect(went.there.href).toContain(`${idp.issuer}/authorize?`);
  });

  test('oidcc-client-test-discovery-jwks-uri-keys: keys come from its jwks_uri', async () => {
    expect(pathsOf(await signsIn({}))).toContain('/jwks');
    await refuses({ discovery: { jwks_uri: undefined } });
  });

  test('oidcc-client-test-discovery-issuer-mismatch: a configuration of another issuer is refused before a redirect', async () => {
    for (const issuer of ['https://evil.example', `${idp.issuer}/other`, undefined]) {
      const went = await refuses({ discovery: { issuer } });
      expect(pathsOf(went)).toEqual(['/.well-known/openid-configuration']);
    }
  });

  test('oidcc-client-test-signing-key-rotation-just-before-signing: keys changed since discovery are used', async () => {
    const way = await newWay();
    const { subject } = await at.newLinked(way);
    const person = new Person(server);
    idp.lies = {};
    const there = await at.begin(person, way);
    idp.changeKeys();
    expect((await at.comeBack(person, there, { sub: subject })).at).toBe('/account');
  });

  test('oidcc-client-test-signing-key-rotation: keys changed since the last sign-in are used immediately', async () => {
    const way = await newWay();
    await signsIn({}, way);
    idp.changeKeys();
    expect(pathsOf(await signsIn({}, way))).toContain('/jwks');
    expect(pathsOf(await signsIn({}, way))).not.toContain('/jwks');
    await refuses({ header: { kid: 'unknown' } }, way);
  });
});

describe('oidcc-client-test-plan: more modules for the code flow', () => {
  test('oidcc-client-test-missing-aud: an ID token without an audience is refused', async () => {
    await refuses({ idToken: { aud: undefined } });
    await refuses({ idToken: { aud: [] } });
  });

  test('oidcc-client-test-invalid-sig-es256: a signature by ES256 with another key is refused', async () => {
    const discovery = { id_token_signing_alg_values_supported: ['ES256'] };
    const header = { alg: 'ES256' };
    await signsIn({ discovery, header });
    await refuses({ discovery, header, foreignKey: true });
  });

  test('oidcc-client-test-invalid-sig-hs256: HS256 with the client secret or the public key is refused', async () => {
    const discovery = { id_token_signing_alg_values_supported: ['HS256', 'RS256'] };
    const jwk = await idp.publicKey('RS256');
    const pem = await exportSPKI((await importJWK(jwk as JWK, 'RS256')) as CryptoKey);
    for (const secret of [clientSecret, pem, JSON.stringify(jwk)]) {
      await refuses({ discovery, secret }, await withSecret());
      await refuses({ secret, header: { kid: jwk.kid } }, await withSecret());
    }
  });

  test('oidcc-client-test-userinfo-bearer-header: the access token is in the header', async () => {
    const asked = (await signsIn({})).asked.find(({ path }) => path === '/userinfo');
    expect(asked?.authorization).toMatch(/^Bearer .+/);
    expect(asked?.body.size).toBe(0);
  });

  test('an ID token by an algorithm that the provider does not list is refused', async () => {
    await refuses({ header: { alg: 'ES256' } });
  });
});

describe('fapi2-security-profile-final-client-test-plan: modules for every client', () => {
  const answers = async (lies: Lies['answer'] & object) => refuses({ answer: lies });

  test('fapi2-security-profile-final-client-test-valid-aud-as-array: a list with this client alone is accepted', async () => {
    await signsIn({ idToken: { aud: ['gatehouse'] } });
  });

  test('fapi2-security-profile-final-client-test-invalid-secondary-aud: a list with another client is refused', async () => {
    await refuses({ idToken: { aud: ['gatehouse', 'another'] } });
    await refuses({ idToken: { aud: ['gatehouse', 'another'], azp: 'another' } });
  });

  test('fapi2-security-profile-final-client-test-invalid-expired-exp: an expired ID token is refused', async () => {
    await refuses({ idToken: { iat: now() - 900, exp: now() - 600 } });
  });

  test('fapi2-security-profile-final-client-test-invalid-missing-exp: an ID token without exp is refused', async () => {
    await refuses({ idToken: { exp: undefined } });
  });

  test('fapi2-security-profile-final-client-test-invalid-missing-iss: an ID token without iss is refused', async () => {
    await refuses({ idToken: { iss: undefined } });
  });

  test('fapi2-security-profile-final-client-test-invalid-missing-nonce: an ID token without a nonce is refused', async () => {
    await refuses({ idToken: { nonce: undefined } });
  });

  test('fapi2-security-profile-final-client-test-invalid-authorization-response-iss: another iss redeems nothing', async () => {
    const went = await answers({ iss: 'https://evil.example' });
    expect(pathsOf(went)).not.toContain('/token');
    const quiet = { authorization_response_iss_parameter_supported: undefined };
    await refuses({ discovery: quiet, answer: { iss: 'https://evil.example' } });
  });

  test('fapi2-security-profile-final-client-test-remove-authorization-response-iss: a missing announced iss redeems nothing', async () => {
    expect(pathsOf(await answers({ iss: undefined }))).not.toContain('/token');
    const quiet = { authorization_response_iss_parameter_supported: undefined };
    await signsIn({ discovery: quiet, answer: { iss: undefined } });
  });

  test.each([
    [
      'fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-state-fails',
      'another',
    ],
    [
      'fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-missing-state-fails',
      undefined,
    ],
  ])('%s: nothing is redeemed', async (_, state) => {
    const way = await newWay();
    const { subject } = await at.newLinked(way);
    const went = await go(way, { sub: subject }, { answer: { state } });
    says(went.page, 'That sign-in is over, or began in another browser.');
    expect(pathsOf(went)).not.toContain('/token');
    expect(await isSignedIn(went.person)).toBe(false);
  });

  test('fapi2-security-profile-final-client-test-token-endpoint-response-without-expires_in: the user is signed in', async () => {
    await signsIn({ tokens: { expires_in: undefined } });
  });

  test('fapi2-security-profile-final-client-test-token-type-case-insensitivity: bEaReR is accepted as Bearer', async () => {
    await signsIn({ tokens: { token_type: 'bEaReR' } });
    await refuses({ tokens: { token_type: 'mac' } });
  });
});

describe('oidcc-client-back-channel-logout-rp-basic', () => {
  const event = 'http://schemas.openid.net/event/backchannel-logout';
  const events = { [event]: {} };

  async function signedIn() {
    const way = await newWay();
    const { subject } = await at.newLinked(way);
    const sid = newSub();
    const { person } = await go(way, { sub: subject, sid }, {});
    expect(await isSignedIn(person)).toBe(true);
    return { way, person, subject, sid };
  }

  const send = ({ slug }: Way, token: string) =>
    new Person(server).request(`/login/with/${slug}/ended`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }).toString(),
    });

  /**
   * Expects that an otherwise valid token with this change ends nothing (section 2.6) and is
   * answered with 400 (section 2.8).
   */
  async function endsNothing(claims: Record<string, unknown>, lies: Lies = {}): Promise<void> {
    const { way, person, subject, sid } = await signedIn();
    const token = await idp.logoutToken({ sub: subject, sid, events, ...claims }, lies);
    const answer = await send(way, token);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(await isSignedIn(person)).toBe(true);
  }

  test('oidcc-client-test-rp-backchannel-rpinitlogout: the session ends, and the answer is 200', async () => {
    const { way, person, subject, sid } = await signedIn();
    const answer = await send(way, await idp.logoutToken({ sub: subject, sid, events }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(await isSignedIn(person)).toBe(false);
  });

  test('oidcc-client-test-rp-backchannel-rpinitlogout-alg-none: an unsigned token ends nothing', async () => {
    await endsNothing({}, { unsigned: true });
  });

  test('oidcc-client-test-rp-backchannel-rpinitlogout-no-event: a token without the event ends nothing', async () => {
    await endsNothing({ events: undefined });
    await endsNothing({ events: {} });
  });

  test('oidcc-client-test-rp-backchannel-rpinitlogout-with-nonce: a token with a nonce ends nothing', async () => {
    await endsNothing({ nonce: 'x' });
  });

  test('oidcc-client-test-rp-backchannel-rpinitlogout-wrong-alg: an algorithm not listed by the provider ends nothing', async () => {
    await endsNothing({}, { header: { alg: 'ES256' } });
    await endsNothing({}, { secret: clientSecret });
  });

  test('oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud: a token for another client ends nothing', async () => {
    await endsNothing({ aud: 'another' });
  });

  test('oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event: a token with another event ends nothing', async () => {
    await endsNothing({ events: { 'http://schemas.openid.net/event/other': {} } });
    await endsNothing({ events: { [event]: null } });
  });

  test('oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss: a token of another issuer ends nothing', async () => {
    await endsNothing({ iss: 'https://evil.example' });
  });
});
