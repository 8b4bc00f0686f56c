import { resolve } from 'node:path';
import { exportJWK } from 'jose';
import { expect, test } from 'vitest';
import { exchangeGrant, jwtBearerGrant } from '#lib/oauth/grant-types.ts';
import { idJagTokenType } from '#lib/oauth/id-jag.ts';
import { clientSigningAlgs } from '#lib/oauth/key-set.ts';
import { newApi } from '../support/apis.ts';
import { keySet, newSigningKey, type SigningKey } from '../support/assertions.ts';
import { openServer } from '../support/open-server.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { newClient, newUser } from '../support/seed.ts';
import { codeFor, introspect, outcome, tokenRequest } from '../support/target.ts';
import { converse } from './converse.ts';
import { pythonWith } from './python.ts';
import { allowAt, newPerson, serveApp } from './visit.ts';

// Authlib as a client that authenticates with a key, and as either end of cross-app access.
const server = await openServer({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });
const python = await pythonWith(['Authlib==1.9.9', 'Flask==3.1.3', 'requests==2.34.2']);

/** The command that starts one of the scripts. */
const authlib = (script: string, env: Record<string, string>, args: string[] = []) => ({
  command: `${python}/python`,
  args: [resolve(import.meta.dirname, 'authlib', script), ...args],
  env,
});

const privateHalf = async ({ privateKey, kid }: SigningKey) =>
  JSON.stringify({ ...(await exportJWK(privateKey)), kid });

test.skipIf(!python).each(clientSigningAlgs.filter((alg) => alg !== 'Ed25519'))(
  'Authlib: PAR, sign-in, refresh, introspection and revocation with private_key_jwt (%s)',
  async (alg) => {
    const { user, person } = await newPerson(server);
    const key = await newSigningKey(alg);
    const { id, redirectUri } = await newClient({
      jwks: keySet(key),
      requirePushedAuthorizationRequests: true,
    });
    const env = { ISSUER: server.issuer, CLIENT_ID: id, REDIRECT_URI: redirectUri, ALG: alg };
    const started = authlib('strong_client.py', { ...env, KEY: await privateHalf(key) });
    expect(await converse(started, (url) => allowAt(person, url))).toEqual({
      sub: user.id,
      userinfo: user.id,
      active: true,
      revoked: 200,
      after: false,
    });
  },
);

const there = 'https://there.example';

test.skipIf(!python)('Authlib: a server accepts an ID-JAG of this server, once', async () => {
  const client = await newClient({
    grants: ['authorization_code', exchangeGrant],
    identityFor: { [there]: 'app-there' },
  });
  const { user, person } = await newPerson(server);
  const code = await codeFor(person, client, [['scope', 'openid']]);
  const { body } = await tokenRequest(server, client, { grant_type: 'authorization_code', code });
  const word = async () => {
    const answer = await tokenRequest(server, client, {
      grant_type: exchangeGrant,
      requested_token_type: idJagTokenType,
      audience: there,
      scope: 'chat.read',
      subject_token: String(body.id_token),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    });
    return String(answer.body.access_token);
  };
  const one = await word();
  const env = {
    ISSUER: server.issuer,
    AUDIENCE: there,
    CLIENT_ID: 'app-there',
    ASSERTIONS: JSON.stringify([one, one, String(body.id_token), await word()]),
  };
  const good = { sub: user.id, scope: 'chat.read' };
  const refused = { error: 'invalid_grant' };
  expect(await converse(authlib('cross_app.py', env, ['receive']))).toEqual({
    given: [good, refused, refused, good],
  });
});

test.skipIf(!python)('Authlib: an ID-JAG that it signed is accepted here, once', async () => {
  const key = await newSigningKey('RS256');
  const origin = await serveApp((at) => (request, response) => {
    const isMetadata = request.url === '/.well-known/openid-configuration';
    const metadata = { issuer: at, jwks_uri: `${at}/keys`, authorization_endpoint: `${at}/a` };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(isMetadata ? JSON.stringify(metadata) : keySet(key));
  });
  const user = await newUser();
  const provider = await newProvider({ issuer: origin, acceptsAssertions: true });
  await giveIdentity(user.id, provider, { issuer: origin, subject: 'somebody' });
  const client = await newClient({ grants: [jwtBearerGrant] });
  const serves = await newClient();
  const api = await newApi({ scopes: ['read'], servedBy: [serves.id] });
  const env = {
    ISSUER: origin,
    AUDIENCE: server.issuer,
    CLIENT_ID: client.id,
    SUB: 'somebody',
    ALG: 'RS256',
    KEY: await privateHalf(key),
    CLAIMS: JSON.stringify({ resource: api.identifier, scope: 'read' }),
  };
  const { assertion } = await converse(authlib('cross_app.py', env, ['sign']));
  const grant = { grant_type: jwtBearerGrant, assertion: String(assertion) };
  const { status, body } = await tokenRequest(server, client, grant);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(await introspect(server, serves, body.access_token)).toMatchObject({
    active: true,
    sub: user.id,
    client_id: client.id,
    scope: 'read',
  });
  expect(outcome(await tokenRequest(server, client, grant))).toEqual([400, 'invalid_grant']);
});
