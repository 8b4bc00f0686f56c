import { AuthorizationCode } from 'simple-oauth2';
import { expect, test } from 'vitest';
import { me } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { allowAt, newPerson } from './visit.ts';

const server = await openServer();

test.each(['header', 'body'] as const)(
  'simple-oauth2: signs in with its credentials in the %s',
  async (authorizationMethod) => {
    const { user, person } = await newPerson(server);
    const client = await newClient();
    const app = new AuthorizationCode({
      client: { id: client.id, secret: client.secret },
      auth: {
        tokenHost: server.issuer,
        tokenPath: '/oauth/token',
        authorizePath: '/oauth/authorize',
        revokePath: '/oauth/revoke',
      },
      options: { authorizationMethod },
    });
    const redirect_uri = client.redirectUri;
    const back = await allowAt(
      person,
      app.authorizeURL({ redirect_uri, scope: 'profile email', state: 's' }),
    );
    expect(back.searchParams.get('state')).toBe('s');
    const token = await app.getToken({ code: back.searchParams.get('code') ?? '', redirect_uri });
    expect((await me(server, String(token.token.access_token))).body.username).toBe(user.username);

    const renewed = await token.refresh();
    expect(renewed.expired()).toBe(false);
    await renewed.revokeAll();
    expect((await me(server, String(renewed.token.access_token))).status).toBe(401);
  },
);
