import { auth, DpopSession, PrivateKeyJwtProvider, withDpop } from '@modelcontextprotocol/client';
import { generateKeyPair, generateProof } from 'dpop';
import { exportJWK } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { expect, test } from 'vitest';
import { dpopAlgs } from '#lib/oauth/dpop.ts';
import { post } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { allowAt, newPerson, serveApp } from './visit.ts';

const server = await openServer();
const insecure = { [oauth.allowInsecureRequests]: true };
const issuer = new URL(server.issuer);

test.each(dpopAlgs.filter((alg) => alg !== 'EdDSA'))(
  'oauth4webapi: DPoP with %s for a public app: sign-in, refresh and user information, with required nonces',
  async (alg) => {
    const { user, person } = await newPerson(server);
    const testClient = await newClient({
      type: 'public',
      dpopBoundAccessTokens: true,
      requireDpopNonce: true,
    });
    const client: oauth.Client = { client_id: testClient.id };
    const found = await oauth.discoveryRequest(issuer, insecure);
    const as = await oauth.processDiscoveryResponse(issuer, found);
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair(alg));
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      client_id: testClient.id,
      redirect_uri: testClient.redirectUri,
      response_type: 'code',
      scope: 'openid profile',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      dpop_jkt: await DPoP.calculateThumbprint(),
    }).toString();
    const at = await allowAt(person, url);
    const answer = oauth.validateAuthResponse(as, client, at, oauth.expectNoState);
    const redeem = () =>
      oauth.authorizationCodeGrantRequest(
        as,
        client,
        oauth.None(),
        answer,
        testClient.redirectUri,
        verifier,
        { DPoP, ...insecure },
      );
    const read = async (ask: () => Promise<Response>) =>
      oauth.processAuthorizationCodeResponse(as, client, await ask());
    const tokens = await read(redeem).catch(async (error: unknown) => {
      expect(oauth.isDPoPNonceError(error)).toBe(true);
      return read(redeem);
    });
    expect(tokens.token_type).toBe('dpop');
    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token ?? '', {
        DPoP,
        ...insecure,
      }),
    );
    const told = await oauth.userInfoRequest(as, client, refreshed.access_token, {
      DPoP,
      ...insecure,
    });
    expect(await oauth.processUserInfoResponse(as, client, user.id, told)).toMatchObject({
      sub: user.id,
    });
  },
);

test('openid-client: PAR by private_key_jwt, DPoP-bound tokens, refresh and user information', async () => {
  const { user, person } = await newPerson(server);
  const { publicKey, privateKey } = await oauth.generateKeyPair('PS256');
  const testClient = await newClient({
    jwks: JSON.stringify({ keys: [await exportJWK(publicKey)] }),
    requirePushedAuthorizationRequests: true,
    dpopBoundAccessTokens: true,
  });
  const proof = openid.PrivateKeyJwt(privateKey);
  const config = await openid.discovery(issuer, testClient.id, undefined, proof, {
    execute: [openid.allowInsecureRequests],
  });
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'));
  const verifier = openid.randomPKCECodeVerifier();
  const asked = {
    redirect_uri: testClient.redirectUri,
    scope: 'openid profile',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  const url = await openid.buildAuthorizationUrlWithPAR(config, asked, { DPoP });
  const at = await allowAt(person, url);
  const tokens = await openid.authorizationCodeGrant(
    config,
    at,
    { pkceCodeVerifier: verifier },
    undefined,
    { DPoP },
  );
  expect(tokens.token_type).toBe('dpop');
  const again = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, {
    DPoP,
  });
  const told = await openid.fetchUserInfo(config, again.access_token, user.id, { DPoP });
  expect(told.sub).toBe(user.id);
});

test('dpop (npm): its proofs are accepted here', async () => {
  const client = await newClient({ grants: ['client_credentials'], scopes: ['profile'] });
  const keyPair = await generateKeyPair('ES256');
  const sent = {
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
  };
  const DPoP = await generateProof(keyPair, `${server.issuer}/oauth/token`, 'POST');
  const { status, body } = await post(server, '/oauth/token', sent, { DPoP });
  expect([status, body.token_type]).toEqual([200, 'DPoP']);
});

test('@modelcontextprotocol/client: a service gets a DPoP-bound token, with a required nonce', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const { id } = await newClient({
    jwks: JSON.stringify({ keys: [await exportJWK(publicKey)] }),
    grants: ['client_credentials'],
    scopes: ['profile'],
    strong: true,
    requireDpopNonce: true,
  });
  const serverUrl = await serveApp((origin) => (request, response) => {
    const known = request.url?.startsWith('/.well-known/oauth-protected-resource');
    const metadata = { resource: `${origin}/`, authorization_servers: [server.issuer] };
    response
      .writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(metadata));
  });
  const session = await DpopSession.create();
  const provider = Object.assign(
    new PrivateKeyJwtProvider({
      clientId: id,
      privateKey: { ...(await exportJWK(privateKey)) },
      algorithm: 'ES256',
      expectedIssuer: server.issuer,
    }),
    { dpop: () => session },
  );
  expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED');
  const tokens = provider.tokens();
  expect(tokens).toMatchObject({ token_type: 'DPoP' });
  const ask = withDpop(session, () => tokens?.access_token)(fetch);
  // The server accepts the proof, but the token belongs to no person.
  expect((await ask(`${server.issuer}/oauth/me`)).status).toBe(403);
});
