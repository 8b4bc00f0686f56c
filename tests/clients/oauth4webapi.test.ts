import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { clientFields } from '#lib/oauth/client.ts';
import { write } from '#lib/store/engine/database.ts';
import { decideOn, newDeviceClient } from '../support/devices.ts';
import { openServer } from '../support/open-server.ts';
import { newClient, type TestClient } from '../support/seed.ts';
import { allowAt, newPerson } from './visit.ts';

const server = await openServer();
const insecure = { [oauth.allowInsecureRequests]: true };

async function discover(algorithm: 'oidc' | 'oauth2'): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(server.issuer);
  return oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm, ...insecure }),
  );
}

async function authorizationUrl(
  as: oauth.AuthorizationServer,
  client: TestClient,
  params: Record<string, string>,
) {
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(as.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    client_id: client.id,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...params,
  }).toString();
  return { url, verifier };
}

test.each(clientFields.idTokenAlg.of)(
  'oauth4webapi: signs in with OpenID Connect, tokens signed with %s',
  async (alg) => {
    const { user, person } = await newPerson(server);
    const testClient = await newClient({ idTokenAlg: alg });
    const client: oauth.Client = {
      client_id: testClient.id,
      id_token_signed_response_alg: alg,
      require_auth_time: true,
    };
    const as = await discover('oidc');
    const [state, expectedNonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const asked = { scope: 'openid profile', state, nonce: expectedNonce };
    const { url, verifier } = await authorizationUrl(as, testClient, asked);
    const answer = oauth.validateAuthResponse(as, client, await allowAt(person, url), state);

    const secret = oauth.ClientSecretBasic(testClient.secret);
    const redirectUri = testClient.redirectUri;
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      secret,
      answer,
      redirectUri,
      verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
      expectedNonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(as, response, insecure);
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({
      sub: user.id,
      aud: testClient.id,
    });

    const info = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
    expect(await oauth.processUserInfoResponse(as, client, user.id, info)).toMatchObject({
      sub: user.id,
      name: 'Ada Lovelace',
    });
    const again = await oauth.refreshTokenGrantRequest(
      as,
      client,
      secret,
      tokens.refresh_token ?? '',
      insecure,
    );
    const refreshed = await oauth.processRefreshTokenResponse(as, client, again);
    const asking = await oauth.introspectionRequest(
      as,
      client,
      secret,
      refreshed.access_token,
      insecure,
    );
    expect(await oauth.processIntrospectionResponse(as, client, asking)).toMatchObject({
      active: true,
      sub: user.id,
    });
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, secret, refreshed.access_token, insecure),
    );
  },
);

test('oauth4webapi: a public client signs in with OAuth alone', async () => {
  const { person } = await newPerson(server);
  const testClient = await newClient({ type: 'public' });
  const client: oauth.Client = { client_id: testClient.id };
  const as = await discover('oauth2');
  const { url, verifier } = await authorizationUrl(as, testClient, { scope: 'profile email' });
  const answer = oauth.validateAuthResponse(
    as,
    client,
    await allowAt(person, url),
    oauth.expectNoState,
  );
  const redirectUri = testClient.redirectUri;
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    answer,
    redirectUri,
    verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
  const again = await oauth.refreshTokenGrantRequest(
    as,
    client,
    oauth.None(),
    tokens.refresh_token ?? '',
    insecure,
  );
  const refreshed = await oauth.processRefreshTokenResponse(as, client, again);
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
  const secret = oauth.None();
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, secret, refreshed.refresh_token ?? '', insecure),
  );
});

test('oauth4webapi: a service gets a token by client credentials', async () => {
  const testClient = await newClient({ grants: ['client_credentials'], redirectUris: [] });
  const client: oauth.Client = { client_id: testClient.id };
  const as = await discover('oauth2');
  const secret = oauth.ClientSecretPost(testClient.secret);
  const response = await oauth.clientCredentialsGrantRequest(as, client, secret, {}, insecure);
  const tokens = await oauth.processClientCredentialsResponse(as, client, response);
  expect(tokens.token_type).toBe('bearer');
  expect(tokens.refresh_token).toBeUndefined();
});

test('oauth4webapi: device flow with pending, slow_down and tokens', async () => {
  const { user, person } = await newPerson(server);
  await person.signIn();
  const client: oauth.Client = { client_id: (await newDeviceClient()).id };
  const as = await discover('oidc');
  const params = new URLSearchParams({ scope: 'openid email' });
  const started = await oauth.processDeviceAuthorizationResponse(
    as,
    client,
    await oauth.deviceAuthorizationRequest(as, client, oauth.None(), params, insecure),
  );
  const ask = async () =>
    oauth.processDeviceCodeResponse(
      as,
      client,
      await oauth.deviceCodeGrantRequest(as, client, oauth.None(), started.device_code, insecure),
    );
  await expect(ask()).rejects.toMatchObject({ error: 'authorization_pending', status: 400 });
  await expect(ask()).rejects.toMatchObject({ error: 'slow_down', status: 400 });
  await decideOn(person, started);
  // As if it had waited.
  await write('UPDATE device_authorizations SET asked_at = NULL WHERE client_id = $1', [
    client.client_id,
  ]);
  const tokens = await ask();
  expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: user.id });
  expect(tokens.refresh_token).toMatch(/^gh_rt_/);
});
