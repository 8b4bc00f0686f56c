import * as oidc from 'openid-client';
import { expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { allowAt, newPerson } from './visit.ts';

const server = await openServer();

const insecure = { execute: [oidc.allowInsecureRequests] };

test('openid-client: signs in with OpenID Connect, with every check enabled, and signs out', async () => {
  const { user, person } = await newPerson(server);
  const goodbye = 'https://app.example/goodbye';
  const client = await newClient({ postLogoutRedirectUris: [goodbye] });
  const config = await oidc.discovery(
    new URL(server.issuer),
    client.id,
    client.secret,
    undefined,
    insecure,
  );
  oidc.enableNonRepudiationChecks(config);
  const [verifier, state, nonce] = [
    oidc.randomPKCECodeVerifier(),
    oidc.randomState(),
    oidc.randomNonce(),
  ];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: client.redirectUri,
    scope: 'openid profile email offline_access',
    state,
    nonce,
    max_age: '600',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const checks = {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    maxAge: 600,
    idTokenExpected: true,
  };
  const tokens = await oidc.authorizationCodeGrant(config, await allowAt(person, url), checks);
  expect(tokens.claims()?.sub).toBe(user.id);
  expect(await oidc.fetchUserInfo(config, tokens.access_token, user.id)).toMatchObject({
    name: 'Ada Lovelace',
    email: user.email,
  });

  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(await oidc.tokenIntrospection(config, refreshed.access_token)).toMatchObject({
    active: true,
    sub: user.id,
  });
  await oidc.tokenRevocation(config, refreshed.refresh_token ?? '');
  expect(await oidc.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });

  const hint = {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: goodbye,
    state: 'left',
  };
  const { pathname, search } = oidc.buildEndSessionUrl(config, hint);
  expect((await person.open(pathname + search)).at).toBe(`${goodbye}?state=left`);
});

test('openid-client: signs in with OAuth alone', async () => {
  const { user, person } = await newPerson(server);
  const client = await newClient();
  const config = await oidc.discovery(
    new URL(server.issuer),
    client.id,
    client.secret,
    oidc.ClientSecretBasic(client.secret),
    {
      ...insecure,
      algorithm: 'oauth2',
    },
  );
  const state = oidc.randomState();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: client.redirectUri,
    scope: 'profile email',
    state,
  });
  const tokens = await oidc.authorizationCodeGrant(config, await allowAt(person, url), {
    expectedState: state,
  });
  expect(tokens.claims()).toBeUndefined();
  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '', {
    scope: 'email',
  });
  expect(refreshed.scope).toBe('email');
  const info = await oidc.fetchProtectedResource(
    config,
    refreshed.access_token,
    new URL(`${server.issuer}/oauth/me`),
    'GET',
  );
  expect(await info.json()).toMatchObject({ username: user.username });
});
