import { expect, test } from 'vitest';
import { offeredLocales } from '#lib/messages/locales.ts';
import { clientFields } from '#lib/oauth/client.ts';
import { deviceGrant, exchangeGrant, jwtBearerGrant } from '#lib/oauth/grant-types.ts';
import { newApi } from '../support/apis.ts';
import { basic, credentials, me, post, readAnswer, redeem, refresh } from '../support/app.ts';
import { assertionOf, byAssertion, keySet, newSigningKey } from '../support/assertions.ts';
import { askTokens, decideOn, newDeviceClient, startDevice } from '../support/devices.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newVisitor, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newPkce, newUser, type TestClient } from '../support/seed.ts';
import { introspect } from '../support/target.ts';
import { everyClaim } from './every-claim.ts';
import { asking, openIdTokens, readIdToken, signIn } from './sign-in.ts';

const server = await openServer();
/** An API that anyone may ask for. */
const openApi = await newApi({ access: 'anyone' });
const documentAt = (name: string) => fetch(`${server.base}/.well-known/${name}`);
const document = (await (await documentAt('openid-configuration')).json()) as Record<
  string,
  unknown
>;
const path = (address: unknown) => String(address).slice(server.issuer.length);

/** Posts with the client's credentials, sent in one of the ways that a document may advertise. */
async function postAs(
  client: TestClient,
  method: string,
  to: string,
  params: Record<string, string>,
) {
  if (method === 'private_key_jwt')
    return post(server, to, { ...params, ...byAssertion(await assertionOf(client, server, key)) });
  if (method === 'client_secret_basic') return post(server, to, params, basic(client));
  return post(server, to, {
    ...params,
    ...(method === 'none' ? { client_id: client.id } : credentials(client)),
  });
}

/** A client for an authentication method, with its own tokens. */
async function clientFor(method: string) {
  const type = method === 'none' ? 'public' : 'confidential';
  const jwks = method === 'private_key_jwt' ? keySet(key) : null;
  const client = await newClient({ type, jwks });
  const { verifier, challenge } = newPkce();
  const code = await (await newVisitor(server)).code(asking(client, challenge));
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier };
  return { client, answer: await postAs(client, method, path(document.token_endpoint), form) };
}

const isEndpoint = (expected: string) => async (value: unknown) =>
  expect(value).toBe(server.issuer + expected);
const listed = (value: unknown) => value as string[];
const key = await newSigningKey();
/**
 * Each algorithm signs assertions for the token endpoint; the other endpoints check them in the
 * same way.
 */
const signing = async (value: unknown) => {
  for (const alg of listed(value)) {
    const own = await newSigningKey(alg);
    const client = await newClient({ jwks: keySet(own), grants: ['client_credentials'] });
    const proof = byAssertion(await assertionOf(client, server, own));
    const asked = { grant_type: 'client_credentials', ...proof };
    expect((await post(server, '/oauth/token', asked)).status, alg).toBe(200);
  }
};

/** A use for each member of the document. A member that is missing here fails. */
const uses: Record<string, (value: unknown) => Promise<unknown>> = {
  issuer: async (value) => expect(value).toBe(server.issuer),
  authorization_endpoint: isEndpoint('/oauth/authorize'),
  token_endpoint: isEndpoint('/oauth/token'),
  pushed_authorization_request_endpoint: isEndpoint('/oauth/par'),
  require_pushed_authorization_requests: async (value) => expect(value).toBe(false),
  userinfo_endpoint: async (value) => {
    const { tokens, user } = await signIn(server);
    const answer = await fetch(server.base + path(value), {
      headers: { Authorization: `Bearer ${tokens.access_token}` },
    });
    expect((await readAnswer(answer)).body.sub).toBe(user.id);
  },
  revocation_endpoint: isEndpoint('/oauth/revoke'),
  introspection_endpoint: isEndpoint('/oauth/introspect'),
  end_session_endpoint: async (value) => {
    const { person, tokens } = await signIn(server);
    expect((await person.open(`${path(value)}?id_token_hint=${tokens.id_token}`)).at).toBe(
      '/logout/done',
    );
    expect((await person.open('/account')).at).toMatch(/^\/login/);
  },
  jwks_uri: async (value) => {
    const { keys } = (await (await fetch(server.base + path(value))).json()) as {
      keys: { alg: string }[];
    };
    expect([...new Set(keys.map((key) => key.alg))].sort()).toEqual(
      listed(document.id_token_signing_alg_values_supported).toSorted(),
    );
  },
  scopes_supported: async (value) => {
    const scope = listed(value).join(' ');
    expect(
      (await openIdTokens(server, await newVisitor(server), await newClient(), { scope })).scope,
    ).toBe(scope);
  },
  response_types_supported: async (value) => {
    expect(value).toEqual(['code']);
    for (const response_type of ['token', 'id_token', 'code id_token', 'code token', 'none']) {
      const page = await new Person(server).open(
        authorizePath(asking(await newClient(), { response_type })),
      );
      expect(answerOf(page)).toMatchObject({ error: 'unsupported_response_type' });
    }
  },
  response_modes_supported: async (value) => {
    expect(listed(value).toSorted()).toEqual(['form_post', 'fragment', 'query']);
    for (const response_mode of listed(value)) {
      const page = await (await newVisitor(server)).authorize(
        asking(await newClient(), { response_mode }),
      );
      const answered: Record<string, string | null | undefined> = {
        query: page.at.startsWith('/') ? undefined : answerOf(page).code,
        fragment: new URLSearchParams(page.at.split('#')[1]).get('code'),
        form_post: page.forms[0]?.fields.code,
      };
      expect(answered[response_mode]).toMatch(/^gh_code_/);
    }
  },
  device_authorization_endpoint: async (value) => {
    await isEndpoint('/oauth/device_authorization')(value);
    const user = await newUser();
    const client = await newDeviceClient();
    const person = new Person(server, user.username);
    await person.signIn();
    const started = await startDevice(server, client);
    await decideOn(person, started);
    expect((await askTokens(server, client, started)).status).toBe(200);
  },
  grant_types_supported: async (value) => {
    expect(listed(value).toSorted()).toEqual([
      'authorization_code',
      'client_credentials',
      'refresh_token',
      deviceGrant,
      jwtBearerGrant,
      exchangeGrant,
    ]);
    const { tokens } = await signIn(server);
    expect((await refresh(server, tokens.refresh_token)).status).toBe(200);
    const machine = await newClient({ grants: ['client_credentials'] });
    const answer = await post(server, '/oauth/token', {
      ...credentials(machine),
      grant_type: 'client_credentials',
    });
    expect(answer.status).toBe(200);
    const api = await newClient({ grants: [exchangeGrant, jwtBearerGrant] });
    for (const [grant_type, error] of [
      [exchangeGrant, 'invalid_request'],
      [jwtBearerGrant, 'invalid_grant'],
    ] as const) {
      const nothing = { assertion: 'none', subject_token: 'none', resource: openApi.identifier };
      const type = { subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' };
      const refused = { ...credentials(api), grant_type, ...nothing, ...type };
      expect((await post(server, '/oauth/token', refused)).body.error, grant_type).toBe(error);
    }
  },
  authorization_grant_profiles_supported: async (value) =>
    expect(value).toEqual(['urn:ietf:params:oauth:grant-profile:id-jag']),
  identity_chaining_requested_token_types_supported: async (value) => {
    const audience = 'https://other.example';
    const client = await newClient({
      grants: ['authorization_code', 'refresh_token', exchangeGrant],
      identityFor: { [audience]: 'app-there' },
    });
    for (const requested_token_type of listed(value)) {
      const tokens = await openIdTokens(server, await newVisitor(server), client);
      const answer = await post(server, '/oauth/token', {
        ...credentials(client),
        grant_type: exchangeGrant,
        requested_token_type,
        audience,
        subject_token: String(tokens.id_token),
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      });
      expect(answer.body.issued_token_type).toBe(requested_token_type);
    }
  },
  token_endpoint_auth_methods_supported: async (value) => {
    for (const method of listed(value))
      expect((await clientFor(method)).answer.status, method).toBe(200);
  },
  revocation_endpoint_auth_methods_supported: async (value) => {
    for (const method of listed(value)) {
      const { client, answer } = await clientFor(method);
      const token = String(answer.body.access_token);
      expect(
        (await postAs(client, method, path(document.revocation_endpoint), { token })).status,
        method,
      ).toBe(200);
      expect((await me(server, token)).status, method).toBe(401);
    }
  },
  introspection_endpoint_auth_methods_supported: async (value) => {
    for (const method of listed(value)) {
      const { client, answer } = await clientFor(method);
      const token = String(answer.body.access_token);
      const told = await postAs(client, method, path(document.introspection_endpoint), { token });
      expect(told.body.active, method).toBe(true);
    }
  },
  token_endpoint_auth_signing_alg_values_supported: signing,
  dpop_signing_alg_values_supported: signing,
  revocation_endpoint_auth_signing_alg_values_supported: signing,
  introspection_endpoint_auth_signing_alg_values_supported: signing,
  code_challenge_methods_supported: async (value) => {
    expect(value).toEqual(['S256']);
    expect((await clientFor('none')).answer.status).toBe(200);
  },
  authorization_response_iss_parameter_supported: async (value) => {
    expect(value).toBe(true);
    const page = await (await newVisitor(server)).authorize(asking(await newClient()));
    expect(answerOf(page).iss).toBe(document.issuer);
  },
  subject_types_supported: async (value) => {
    expect(value).toEqual(['public', 'pairwise']);
    const person = await newVisitor(server);
    const one = await newClient();
    const two = await newClient();
    const apart = await newClient({ subjectType: 'pairwise' });
    const subject = async (client: TestClient) =>
      (await readIdToken(server, client, (await openIdTokens(server, person, client)).id_token))
        .payload.sub;
    expect(await subject(one)).toBe(await subject(two));
    expect(await subject(apart)).not.toBe(await subject(one));
  },
  id_token_signing_alg_values_supported: async (value) => {
    expect(listed(value).toSorted()).toEqual(clientFields.idTokenAlg.of.toSorted());
    for (const idTokenAlg of clientFields.idTokenAlg.of) {
      const { client, tokens } = await signIn(server, { idTokenAlg });
      expect((await readIdToken(server, client, tokens.id_token)).protectedHeader.alg).toBe(
        idTokenAlg,
      );
    }
  },
  prompt_values_supported: async (value) => {
    for (const prompt of listed(value)) {
      const page = await new Person(server).open(
        authorizePath(asking(await newClient(), { prompt })),
      );
      if (prompt === 'none') expect(answerOf(page).error).toBe('login_required');
      else expect(page.at, prompt).toMatch(/^\/login\?flow=/);
    }
  },
  acr_values_supported: async (value) => {
    const { user, person, client, tokens } = await signIn(server);
    const acrOf = async (idToken: string) =>
      (await readIdToken(server, client, idToken)).payload.acr;
    const seen = [await acrOf(tokens.id_token)];
    await (await prisma()).session.updateMany({
      where: { userId: user.id },
      data: { amr: 'pwd otp mfa' },
    });
    seen.push(await acrOf((await openIdTokens(server, person, client)).id_token));
    await (await prisma()).session.updateMany({
      where: { userId: user.id },
      data: { amr: 'swk user mfa' },
    });
    const asked = { acr_values: 'urn:gatehouse:passkey' };
    seen.push(await acrOf((await openIdTokens(server, person, client, asked)).id_token));
    expect(seen.sort()).toEqual(listed(value).toSorted());
  },
  claim_types_supported: async (value) => expect(value).toEqual(['normal']),
  claims_supported: async (value) => {
    const picture = 'https://ada.example/ada.png';
    const user = await newUser({ name: 'Ada Lovelace', picture, claims: everyClaim });
    const client = await newClient();
    const asked = { scope: 'openid profile email address phone groups', nonce: 'n' };
    const tokens = await openIdTokens(server, new Person(server, user.username), client, asked);
    const { payload } = await readIdToken(server, client, tokens.id_token);
    const told = new Set([
      ...Object.keys(payload),
      ...Object.keys((await me(server, tokens.access_token)).body),
    ]);
    expect([...told].filter((name) => name !== 'at_hash').sort()).toEqual(listed(value).toSorted());
  },
  ui_locales_supported: async (value) => {
    expect(value).toEqual(offeredLocales);
    for (const uiLocales of listed(value)) {
      const page = await (await newVisitor(server)).open(
        authorizePath({ ...asking(await newClient()), ui_locales: uiLocales }),
      );
      expect(page.html).toContain(`<html lang="${uiLocales}" dir="`);
    }
  },
  claims_parameter_supported: async (value) => {
    expect(value).toBe(true);
    const { tokens } = await signIn(
      server,
      {},
      { claims: JSON.stringify({ userinfo: { name: null } }) },
    );
    expect((await me(server, tokens.access_token)).body.name).toBe('Ada Lovelace');
  },
  request_parameter_supported: async (value) => expect(value).toBe(false),
  request_uri_parameter_supported: async (value) => expect(value).toBe(false),
  backchannel_logout_supported: async (value) => expect(value).toBe(true),
  backchannel_logout_session_supported: async (value) => {
    expect(value).toBe(true);
    const { client, tokens } = await signIn(server);
    expect((await readIdToken(server, client, tokens.id_token)).payload.sid).toEqual(
      expect.any(String),
    );
  },
  protected_resources: async (value) => {
    expect(listed(value)).toContain(openApi.identifier);
    const client = await newClient();
    const resource = openApi.identifier;
    const { access_token: token } = await openIdTokens(server, await newVisitor(server), client, {
      resource,
    });
    expect(await introspect(server, client, token)).toMatchObject({ aud: resource });
  },
  service_documentation: async (value) =>
    expect((await fetch(server.base + path(value))).status).toBe(200),
};

test.each(Object.entries(document))('the metadata is right about %s', async (name, value) => {
  const use = uses[name];
  if (!use) throw new Error(`${name} is advertised, and no test uses it.`);
  await use(value);
});

test('the metadata has every member that the standards require', () => {
  const required = [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'jwks_uri',
    'response_types_supported',
    'subject_types_supported',
    'id_token_signing_alg_values_supported',
  ];
  for (const name of required) expect(document).toHaveProperty(name);
});

test('both metadata URLs give the same document, cacheable, to scripts of any origin', async () => {
  const one = await documentAt('openid-configuration');
  const other = await documentAt('oauth-authorization-server');
  expect(await other.json()).toEqual(await one.json());
  for (const { headers } of [one, other]) {
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  }
});

test('the issuer of the metadata ignores X-Forwarded-Host, X-Forwarded-Proto and Forwarded', async () => {
  const headers = {
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'https',
    Forwarded: 'host=evil.example',
  };
  const answer = await fetch(`${server.base}/.well-known/openid-configuration`, { headers });
  expect(((await answer.json()) as { issuer: string }).issuer).toBe(server.issuer);
});

test('an authorization request without optional parameters gives a code that can be redeemed', async () => {
  const client = await newClient();
  const code = await (await newVisitor(server)).code({
    client_id: client.id,
    response_type: 'code',
  });
  expect((await redeem(server, client, code)).body.token_type).toBe('Bearer');
});
