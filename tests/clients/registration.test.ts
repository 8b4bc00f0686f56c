import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { beforeEach, expect, test } from 'vitest';
import { createRegistrationToken } from '#lib/management/registration-token/registration-tokens.ts';
import { openServer } from '../support/open-server.ts';
import { set } from '../support/settings.ts';
import { allowAt, newPerson } from './visit.ts';

const server = await openServer({});
const actor = { id: 'cli' };
const redirect = 'https://app.example/callback';

beforeEach(() => set('CLIENT_REGISTRATION', 'open'));

test('openid-client: registers itself, signs in, refreshes and reads the user information', async () => {
  const { user, person } = await newPerson(server);
  const config = await oidc.dynamicClientRegistration(
    new URL(server.issuer),
    {
      client_name: 'A library',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
    },
    undefined,
    { execute: [oidc.allowInsecureRequests] },
  );
  expect(config.clientMetadata()).toMatchObject({
    client_name: 'A library',
    response_types: ['code'],
  });
  const [verifier, state] = [oidc.randomPKCECodeVerifier(), oidc.randomState()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: 'openid profile email offline_access',
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const checks = { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true };
  const tokens = await oidc.authorizationCodeGrant(config, await allowAt(person, url), checks);
  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(await oidc.fetchUserInfo(config, refreshed.access_token, user.id)).toMatchObject({
    email: user.email,
  });
});

test('oauth4webapi: registers a public client with an initial access token, and signs in', async () => {
  await set('CLIENT_REGISTRATION', 'token');
  const insecure = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(server.issuer);
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  );
  const metadata = { redirect_uris: [redirect], token_endpoint_auth_method: 'none' };
  const register = (initialAccessToken?: string) =>
    oauth.dynamicClientRegistrationRequest(as, metadata, {
      ...insecure,
      ...(initialAccessToken && { initialAccessToken }),
    });
  await expect(oauth.processDynamicClientRegistrationResponse(await register())).rejects.toThrow(
    oauth.WWWAuthenticateChallengeError,
  );
  const asked = { name: 'A library', life: '1 hour' };
  const { token } = await createRegistrationToken(asked, actor, new Date());
  const client = await oauth.processDynamicClientRegistrationResponse(await register(token));
  expect(client.client_secret).toBeUndefined();

  const { person } = await newPerson(server);
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const url = new URL(as.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirect,
    response_type: 'code',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const answer = oauth.validateAuthResponse(as, client, await allowAt(person, url), state);
  const none = oauth.None();
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(
      as,
      client,
      none,
      answer,
      redirect,
      verifier,
      insecure,
    ),
  );
  expect(tokens.token_type).toBe('bearer');
  expect(tokens.refresh_token).toBeTruthy();
});
