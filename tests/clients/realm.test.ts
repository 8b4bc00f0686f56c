import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { Strategy, type VerifyCallback } from 'passport-openidconnect';
import { expect, test } from 'vitest';
import { readIdTokenHint } from '#lib/identity/signing.ts';
import { moveIn, readArrivals } from '#lib/import/move.ts';
import { updateClient } from '#lib/management/client/clients.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { realmOf, singlePage, webApp } from '../import/realm.ts';
import { actor } from '../management/people.ts';
import { openServer } from '../support/open-server.ts';
import { servePassport } from './passport-app.ts';
import { AppBrowser, allowAt, newPerson } from './visit.ts';

/*
 * A Keycloak realm that was moved here. Third-party clients that were set up for it go on at its
 * addresses, without learning anything about this server.
 */

const server = await openServer();
const by = () => ({ actor, now: new Date() });
const realm = `${server.issuer}/realms/acme`;
const callback = 'https://app.example/callback';

/** Imports clients of the realm, which go on at its addresses. */
async function bring(...clients: object[]): Promise<void> {
  const arrivals = readArrivals({ from: 'keycloak', text: realmOf(clients) });
  const oldIssuer = arrivals.oldIssuer ?? null;
  await moveIn(arrivals, 'keycloak', { leaveOut: false, oldIssuer, agreed: () => true }, by());
}

const insecure = { execute: [oidc.allowInsecureRequests] };
const discover = (issuer: string, id: string, secret: string) =>
  oidc.discovery(new URL(issuer), id, secret, undefined, insecure);

test('Keycloak realm: openid-client continues at its URLs, with every check, until the app is switched over', async () => {
  const attributes = { 'post.logout.redirect.uris': 'https://app.example/bye' };
  await bring(webApp('ledger', { redirectUris: [callback], attributes }));
  const { user, person } = await newPerson(server);
  const secret = String(webApp('ledger').secret);
  const config = await discover(realm, 'ledger', secret);
  oidc.enableNonRepudiationChecks(config);
  const signIn = async (at: oidc.Configuration) => {
    const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), 'n-1'];
    const url = oidc.buildAuthorizationUrl(at, {
      redirect_uri: callback,
      state,
      nonce,
      code_challenge_method: 'S256',
      scope: 'openid profile email roles',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    });
    const back = await allowAt(person, url);
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
    const tokens = oidc.authorizationCodeGrant(at, back, { ...checks, idTokenExpected: true });
    return { back, tokens };
  };
  const { back, tokens: answer } = await signIn(config);
  expect(back.searchParams.get('iss')).toBe(realm);
  const tokens = await answer;
  expect(tokens.claims()).toMatchObject({ iss: realm, sub: user.id, aud: 'ledger' });
  expect(await oidc.fetchUserInfo(config, tokens.access_token, user.id)).toMatchObject({
    name: 'Ada Lovelace',
    email: user.email,
  });
  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(refreshed.claims()?.iss).toBe(realm);
  expect(await oidc.tokenIntrospection(config, refreshed.access_token)).toMatchObject({
    active: true,
    iss: realm,
  });
  await oidc.tokenRevocation(config, refreshed.refresh_token ?? '');
  expect(await oidc.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });
  const { pathname, search } = oidc.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: 'https://app.example/bye',
  });
  expect(pathname).toBe('/realms/acme/protocol/openid-connect/logout');
  expect((await person.open(pathname + search)).at).toBe('https://app.example/bye');

  // If the app is set up for this server before it is switched over, its own library refuses the
  // answer, so it is not misled.
  const anew = await discover(server.issuer, 'ledger', secret);
  await expect((await signIn(anew)).tokens).rejects.toThrow();
  await updateClient('ledger', { oldIssuer: null }, by());
  expect((await (await signIn(anew)).tokens).claims()?.iss).toBe(server.issuer);
  // An ID token with the old issuer is still accepted as ours.
  const hint = await readIdTokenHint(tokens.id_token ?? '', await readRevision(), new Date());
  expect(hint).toMatchObject({ sub: user.id, aud: 'ledger' });
});

test('Keycloak realm: oauth4webapi with a public client, and a device flow', async () => {
  const device = { 'oauth2.device.authorization.grant.enabled': 'true' };
  const attributes = { 'pkce.code.challenge.method': 'S256', ...device };
  await bring(singlePage('tasks', { redirectUris: [callback], attributes }));
  const { user, person } = await newPerson(server);
  const [issuer, options] = [new URL(realm), { [oauth.allowInsecureRequests]: true }];
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...options });
  const as = await oauth.processDiscoveryResponse(issuer, found);
  const client: oauth.Client = { client_id: 'tasks' };
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(as.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    client_id: 'tasks',
    redirect_uri: callback,
    response_type: 'code',
    state: 's',
    scope: 'openid email',
    code_challenge_method: 'S256',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  }).toString();
  const back = oauth.validateAuthResponse(as, client, await allowAt(person, url), 's');
  const none = oauth.None();
  const response = await oauth.authorizationCodeGrantRequest(
    ...([as, client, none, back, callback, verifier, options] as const),
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(as, response, options);
  expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ iss: realm, sub: user.id });
  const asked = new URLSearchParams({ scope: 'openid' });
  const started = await oauth.deviceAuthorizationRequest(as, client, none, asked, options);
  const { verification_uri } = await oauth.processDeviceAuthorizationResponse(as, client, started);
  expect(verification_uri).toBe(`${server.issuer}/device`);
});

test('Keycloak realm: passport-openidconnect with its URLs configured by hand', async () => {
  const { user, person } = await newPerson(server);
  const at = (name: string) => `${realm}/protocol/openid-connect/${name}`;
  const origin = await servePassport(async (callbackURL) => {
    await bring(webApp('notes', { redirectUris: [callbackURL] }));
    const options = {
      issuer: realm,
      authorizationURL: at('auth'),
      tokenURL: at('token'),
      userInfoURL: at('userinfo'),
      clientID: 'notes',
      callbackURL,
      nonce: 'on',
      clientSecret: String(webApp('notes').secret),
      scope: ['profile', 'email'],
      skipUserProfile: false,
    };
    return new Strategy(options, (issuer: string, profile: object, done: VerifyCallback) =>
      done(null, { issuer, ...profile }),
    );
  });
  const response = await new AppBrowser().signIn(person, `${origin}/login`);
  expect(await response.json()).toMatchObject({ issuer: realm, id: user.id });
});

test('Keycloak realm: its URLs serve its own apps only, and end with the last of them', async () => {
  await bring(webApp('wiki', { redirectUris: [callback], serviceAccountsEnabled: true }));
  const other = { redirectUris: [callback], serviceAccountsEnabled: true };
  const arrivals = readArrivals({ from: 'keycloak', text: realmOf([webApp('plain', other)]) });
  await moveIn(arrivals, 'keycloak', { leaveOut: false, agreed: () => true }, by());
  const token = (path: string, id: string, secret = String(webApp(id).secret)) =>
    fetch(`${server.base}${path}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret,
      }),
    });
  expect((await token('/realms/acme', 'wiki')).status).toBe(200);
  const foreign = await token('/realms/acme', 'plain');
  const unknown = await token('/realms/acme', 'nobody', 'x');
  const { request_id: _, error_uri: __, ...said } = await foreign.json();
  expect([foreign.status, said]).toMatchObject([401, { error: 'invalid_client' }]);
  expect((await unknown.json()).error_description).toBe(said.error_description);
  const page = await fetch(
    `${server.base}/realms/acme/protocol/openid-connect/auth?client_id=plain&response_type=code&redirect_uri=${encodeURIComponent(callback)}`,
    { redirect: 'manual' },
  );
  expect([page.status, page.headers.get('location')]).toEqual([400, null]);
  const spellings = [
    '/realms/other',
    '/realms/..',
    '/realms/%61cme',
    '/realms/acme%2f',
    '/realms/acme/..',
    '/auth/realms/acme',
    '/realms/ácme',
    '/Realms/acme',
    '/realms/acme;x',
    '/realms/acme%00',
    `/realms/${'a'.repeat(5000)}`,
  ];
  for (const path of spellings)
    expect([path, (await token(path, 'wiki')).status]).not.toEqual([path, 200]);
  const document = () => fetch(`${realm}/.well-known/openid-configuration`);
  // Neither a header nor a parameter changes the issuer.
  const forged = await fetch(`${server.base}/realms/acme/.well-known/openid-configuration?x=1`, {
    headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
  });
  expect(await forged.json()).toMatchObject({
    issuer: realm,
    jwks_uri: `${realm}/protocol/openid-connect/certs`,
  });
  for (const id of ['ledger', 'tasks', 'notes', 'wiki'])
    await updateClient(id, { oldIssuer: null }, by());
  expect((await document()).status).toBe(404);
  expect((await token('/realms/acme', 'wiki')).status).toBe(404);
});
