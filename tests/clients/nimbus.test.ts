import { resolve } from 'node:path';
import { exportJWK } from 'jose';
import { expect, test } from 'vitest';
import { exchangeGrant } from '#lib/oauth/grant-types.ts';
import { keySet, newSigningKey, type SigningKey } from '../support/assertions.ts';
import { accessTokenType, newScene } from '../support/exchange.ts';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { converse } from './converse.ts';
import { javaWith } from './java.ts';
import { allowAt, newPerson } from './visit.ts';

// Nimbus' SDK for OAuth 2.0 and OpenID Connect, as a client and as an API.
const server = await openServer();
const classPath = await javaWith(['com.nimbusds:oauth2-oidc-sdk:11.39']);
const program = resolve(import.meta.dirname, 'java/Nimbus.java');

/** The command that starts it as a client with this key. */
async function nimbus(
  what: string,
  clientId: string,
  { privateKey, kid }: SigningKey,
  more: Record<string, string> = {},
) {
  const KEY = JSON.stringify({ ...(await exportJWK(privateKey)), kid });
  const env = { ISSUER: server.issuer, CLIENT_ID: clientId, KEY, ...more };
  return { command: 'java', args: ['-cp', classPath ?? '', program, what], env };
}

test.skipIf(!classPath)(
  'Nimbus: a strong client with PAR, DPoP and required nonces signs in, refreshes and introspects',
  { timeout: 120_000 },
  async () => {
    const { user, person } = await newPerson(server);
    const key = await newSigningKey();
    const { id, redirectUri } = await newClient({
      jwks: keySet(key),
      strong: true,
      requireDpopNonce: true,
    });
    const started = await nimbus('sign-in', id, key, { REDIRECT_URI: redirectUri });
    expect(await converse(started, (url) => allowAt(person, url))).toEqual({
      sub: user.id,
      userinfo: user.id,
      isBound: true,
      stolen: 401,
      hadNonce: true,
    });
  },
);

test.skipIf(!classPath)(
  'Nimbus: an API exchanges its token (RFC 8693), and the next API checks the result',
  { timeout: 120_000 },
  async () => {
    const key = await newSigningKey();
    const grants = ['authorization_code', exchangeGrant];
    const { near, far, token, person } = await newScene(server, {
      near: { jwks: keySet(key), grants },
      farApi: { tokenFormat: 'jwt' },
    });
    const asked = { TOKEN: token, FAR: far.identifier };
    expect(await converse(await nimbus('exchange', near.client.id, key, asked))).toEqual({
      sub: person.user.id,
      actor: near.client.id,
      issuedTokenType: accessTokenType,
      scope: 'read',
      error: 'invalid_target',
    });
  },
);
