import {
  CodeChallengeMethod,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
  OAuth2RequestError,
} from 'arctic';
import { expect, test } from 'vitest';
import { me } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { allowAt, newPerson } from './visit.ts';

const server = await openServer();
const at = (path: string) => `${server.issuer}/oauth/${path}`;

test.each(['confidential', 'public'] as const)(
  'arctic: a %s client signs in, refreshes and revokes',
  async (type) => {
    const { user, person } = await newPerson(server);
    const client = await newClient({ type });
    const app = new OAuth2Client(
      client.id,
      type === 'public' ? null : client.secret,
      client.redirectUri,
    );
    const [state, verifier] = [generateState(), generateCodeVerifier()];
    const scopes = ['openid', 'profile'];
    const url = app.createAuthorizationURLWithPKCE(
      at('authorize'),
      state,
      CodeChallengeMethod.S256,
      verifier,
      scopes,
    );
    const back = await allowAt(person, url);
    expect(back.searchParams.get('state')).toBe(state);
    const tokens = await app.validateAuthorizationCode(
      at('token'),
      back.searchParams.get('code') ?? '',
      verifier,
    );
    expect(tokens.scopes()).toEqual(scopes);
    expect(tokens.idToken()).toMatch(/^ey/);
    const renewed = await app.refreshAccessToken(at('token'), tokens.refreshToken(), []);
    expect((await me(server, renewed.accessToken())).body.username).toBe(user.username);
    await app.revokeToken(at('revoke'), renewed.refreshToken());
    expect((await me(server, renewed.accessToken())).status).toBe(401);
  },
);

test('arctic: reads the error codes of refused requests', async () => {
  const client = await newClient();
  const app = new OAuth2Client(client.id, client.secret, client.redirectUri);
  const wrongCode = app.validateAuthorizationCode(at('token'), 'no-such-code', null);
  await expect(wrongCode).rejects.toMatchObject({
    constructor: OAuth2RequestError,
    code: 'invalid_grant',
  });
  const outsider = new OAuth2Client(client.id, 'wrong', client.redirectUri);
  const wrongSecret = outsider.refreshAccessToken(at('token'), 'no-such-token', []);
  await expect(wrongSecret).rejects.toMatchObject({
    constructor: OAuth2RequestError,
    code: 'invalid_client',
  });
});
