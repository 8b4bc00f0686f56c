import * as oidc from 'openid-client';
import { expect, test } from 'vitest';
import { newApi } from '../support/apis.ts';
import { basic, credentials, me, post, readAnswer, redeem, refresh } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, Person } from '../support/person.ts';
import { type ClientOptions, newClient, newPkce, newUser } from '../support/seed.ts';
import { asking } from './sign-in.ts';

// OAuth 2.1 and RFC 9700, on a server with the strict profile.
const server = await openServer({ SECURITY_PROFILE: 'strict' });

async function tokensOf(options: ClientOptions = {}) {
  const user = await newUser();
  const client = await newClient(options);
  const { verifier, challenge } = newPkce();
  const person = new Person(server, user.username);
  const code = await person.code(
    asking(client, { redirect_uri: client.redirectUri, ...challenge }),
  );
  const answer = await redeem(server, client, code, { code_verifier: verifier });
  return {
    client,
    access: String(answer.body.access_token),
    refreshToken: String(answer.body.refresh_token),
  };
}

test('strict: multipart/form-data is refused (section 4)', async () => {
  const { client, refreshToken } = await tokensOf();
  const body = new FormData();
  const sent = { grant_type: 'refresh_token', refresh_token: refreshToken, ...credentials(client) };
  for (const [name, value] of Object.entries(sent)) body.set(name, value);
  const answer = await readAnswer(
    await fetch(`${server.base}/oauth/token`, { method: 'POST', body }),
  );
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  expect((await refresh(server, refreshToken, credentials(client))).status).toBe(200);
});

test('strict: openid-client signs in', async () => {
  const user = await newUser();
  const client = await newClient();
  const execute = [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks];
  const config = await oidc.discovery(new URL(server.issuer), client.id, client.secret, undefined, {
    execute,
  });
  const [pkceCodeVerifier, expectedState] = [oidc.randomPKCECodeVerifier(), oidc.randomState()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: client.redirectUri,
    scope: 'openid',
    state: expectedState,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const person = new Person(server, user.username);
  const page = await person.goThrough(await person.open(url.pathname + url.search));
  const tokens = await oidc.authorizationCodeGrant(config, new URL(page.at), {
    pkceCodeVerifier,
    expectedState,
  });
  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(await oidc.fetchUserInfo(config, refreshed.access_token, user.id)).toMatchObject({
    sub: user.id,
  });
});

test('strict: every client must use PKCE', async () => {
  const client = await newClient();
  const page = await new Person(server).open(
    authorizePath(asking(client, { redirect_uri: client.redirectUri })),
  );
  expect(answerOf(page)).toMatchObject({ error: 'invalid_request' });
});

test('strict: redirect_uri must be sent, and registered', async () => {
  const { challenge } = newPkce();
  const unnamed = await new Person(server).open(
    authorizePath(asking(await newClient(), challenge)),
  );
  expect([unnamed.status, unnamed.at.startsWith('/oauth/authorize')]).toEqual([400, true]);
  const without = await newClient({ redirectUris: [] });
  const redirect_uri = 'https://anywhere.example/cb';
  const unregistered = await new Person(server).open(
    authorizePath(asking(without, { redirect_uri, ...challenge })),
  );
  expect([unregistered.status, unregistered.at.startsWith('/oauth/authorize')]).toEqual([
    400,
    true,
  ]);
});

test('strict: a confidential client must authenticate to refresh, and a public one gets a new refresh token', async () => {
  const { client, refreshToken } = await tokensOf();
  expect((await refresh(server, refreshToken)).body.error).toBe('invalid_client');
  expect((await refresh(server, refreshToken, { client_id: client.id })).body.error).toBe(
    'invalid_client',
  );
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  expect((await post(server, '/oauth/token', form, basic(client))).status).toBe(200);
  const open = await tokensOf({ type: 'public' });
  const rotated = await refresh(server, open.refreshToken, { client_id: open.client.id });
  expect(rotated.body.refresh_token).not.toBe(open.refreshToken);
});

test('strict: no token is taken from a URL', async () => {
  const { client, access, refreshToken } = await tokensOf();
  const inUrl = await post(
    server,
    `/oauth/token?grant_type=refresh_token&refresh_token=${refreshToken}`,
    {},
    basic(client),
  );
  expect([inUrl.status, inUrl.body.error]).toEqual([400, 'invalid_request']);
  const asked = await readAnswer(await fetch(`${server.base}/oauth/me?access_token=${access}`));
  expect([asked.status, asked.body.error]).toEqual([400, 'invalid_request']);
  expect((await me(server, access)).status).toBe(200);
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  expect((await post(server, '/oauth/token', form, basic(client))).status).toBe(200);
});

test('strict: a used refresh token that comes again later revokes its whole family', async () => {
  const { client, refreshToken } = await tokensOf();
  const turn = (token: string) =>
    post(
      server,
      '/oauth/token',
      { grant_type: 'refresh_token', refresh_token: token },
      basic(client),
    );
  const second = String((await turn(refreshToken)).body.refresh_token);
  const third = (await turn(second)).body;
  expect((await turn(refreshToken)).body.error).toBe('invalid_grant');
  expect((await turn(String(third.refresh_token))).body.error).toBe('invalid_grant');
  expect((await me(server, String(third.access_token))).status).toBe(401);
});

test('strict: neither the implicit nor the password grant exists', async () => {
  const client = await newClient();
  const page = await new Person(server).open(
    authorizePath(asking(client, { redirect_uri: client.redirectUri, response_type: 'token' })),
  );
  expect(answerOf(page)).toMatchObject({ error: 'unsupported_response_type' });
  const form = { grant_type: 'password', username: 'ada', password: 'x' };
  expect((await post(server, '/oauth/token', form, basic(client))).body.error).toBe(
    'unsupported_grant_type',
  );
});

test('strict and fapi: a server with a public http issuer does not start', async () => {
  for (const profile of ['strict', 'fapi']) {
    const start = server.another(
      { SECURITY_PROFILE: profile, ISSUER: 'http://id.example.com' },
      'direct',
    );
    await expect(start).rejects.toThrow(
      `Gatehouse cannot start: ISSUER is "http://id.example.com", and SECURITY_PROFILE=${profile} allows http on this machine alone (localhost): set ISSUER=https://id.example.com.`,
    );
  }
});

test('strict: an unknown resource is refused', async () => {
  const client = await newClient({ grants: ['authorization_code', 'client_credentials'] });
  const api = await newApi();
  const resource = 'https://unknown.example';
  const ask = (value: string) =>
    new Person(server).open(
      authorizePath(
        asking(client, {
          ...newPkce().challenge,
          redirect_uri: client.redirectUri,
          resource: value,
        }),
      ),
    );
  expect(answerOf(await ask(resource)).error).toBe('invalid_target');
  expect((await ask(api.identifier)).at).toMatch(/^\/login/);
  const params = { grant_type: 'client_credentials', resource };
  expect((await post(server, '/oauth/token', params, basic(client))).body.error).toBe(
    'invalid_target',
  );
});
