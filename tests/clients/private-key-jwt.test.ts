import { auth, PrivateKeyJwtProvider } from '@modelcontextprotocol/client';
import { exportJWK, generateKeyPair } from 'jose';
import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { clientSigningAlgs } from '#lib/oauth/key-set.ts';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { allowAt, newPerson, serveApp } from './visit.ts';

const server = await openServer();
const insecure = { [oauth.allowInsecureRequests]: true };
const issuer = new URL(server.issuer);
const grants = ['authorization_code', 'refresh_token', 'client_credentials'];

async function newKey(alg: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return {
    privateKey,
    publicJwk: await exportJWK(publicKey),
    privateJwk: await exportJWK(privateKey),
  };
}

test.each(clientSigningAlgs)(
  'oauth4webapi: private_key_jwt with %s: sign-in, refresh and introspection',
  async (alg) => {
    const { user, person } = await newPerson(server);
    const { privateKey, publicJwk } = await newKey(alg);
    const jwks = JSON.stringify({ keys: [{ ...publicJwk, kid: 'own' }] });
    const testClient = await newClient({ jwks });
    const client: oauth.Client = { client_id: testClient.id };
    const proof = oauth.PrivateKeyJwt({ key: privateKey, kid: 'own' });
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, insecure),
    );
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      client_id: testClient.id,
      redirect_uri: testClient.redirectUri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const answer = oauth.validateAuthResponse(
      as,
      client,
      await allowAt(person, url),
      oauth.expectNoState,
    );
    const { redirectUri } = testClient;
    const tokens = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(
        as,
        client,
        proof,
        answer,
        redirectUri,
        verifier,
        insecure,
      ),
    );
    expect(oauth.getValidatedIdTokenClaims(tokens)?.sub).toBe(user.id);
    const again = await oauth.refreshTokenGrantRequest(
      as,
      client,
      proof,
      tokens.refresh_token ?? '',
      insecure,
    );
    const refreshed = await oauth.processRefreshTokenResponse(as, client, again);
    const asking = await oauth.introspectionRequest(
      as,
      client,
      proof,
      refreshed.access_token,
      insecure,
    );
    expect(await oauth.processIntrospectionResponse(as, client, asking)).toMatchObject({
      active: true,
    });
  },
);

test('oauth4webapi: PAR with private_key_jwt', async () => {
  const { person } = await newPerson(server);
  const { privateKey, publicJwk } = await newKey('PS256');
  const testClient = await newClient({
    jwks: JSON.stringify({ keys: [publicJwk] }),
    requirePushedAuthorizationRequests: true,
  });
  const client: oauth.Client = { client_id: testClient.id };
  const proof = oauth.PrivateKeyJwt(privateKey);
  const found = await oauth.discoveryRequest(issuer, insecure);
  const as = await oauth.processDiscoveryResponse(issuer, found);
  const verifier = oauth.generateRandomCodeVerifier();
  const asked = new URLSearchParams({
    redirect_uri: testClient.redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const sent = await oauth.pushedAuthorizationRequest(as, client, proof, asked, insecure);
  const pushed = await oauth.processPushedAuthorizationResponse(as, client, sent);
  expect(pushed.expires_in).toBe(60);
  const url = new URL(as.authorization_endpoint ?? '');
  url.searchParams.set('client_id', testClient.id);
  url.searchParams.set('request_uri', pushed.request_uri);
  const back = await allowAt(person, url);
  const answer = oauth.validateAuthResponse(as, client, back, oauth.expectNoState);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    proof,
    answer,
    testClient.redirectUri,
    verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
  expect(tokens.token_type).toBe('bearer');
});

test('@modelcontextprotocol/client: a service authenticates with private_key_jwt', async () => {
  const { publicJwk, privateJwk } = await newKey('ES256');
  const jwks = JSON.stringify({ keys: [publicJwk] });
  const { id } = await newClient({ jwks, grants });
  const serverUrl = await serveApp((origin) => (request, response) => {
    const known = request.url?.startsWith('/.well-known/oauth-protected-resource');
    const metadata = { resource: `${origin}/`, authorization_servers: [server.issuer] };
    response
      .writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(metadata));
  });
  const provider = new PrivateKeyJwtProvider({
    clientId: id,
    privateKey: { ...privateJwk },
    algorithm: 'ES256',
    expectedIssuer: server.issuer,
  });
  expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED');
  expect(provider.tokens()).toMatchObject({ token_type: 'Bearer' });
});
