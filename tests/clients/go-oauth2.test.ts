import { expect, test } from 'vitest';
import { basic, post, redeem } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { newClient, newPkce, newUser } from '../support/seed.ts';

// golang.org/x/oauth2 finds out how a server expects the credentials: it sends them in the header
// and, if that is refused, sends the same code again with the credentials in the body.
const server = await openServer();

test('x/oauth2: after refused credentials in the header, the code is still valid with them in the body', async () => {
  const user = await newUser();
  const client = await newClient();
  const code = await new Person(server, user.username).code({
    client_id: client.id,
    response_type: 'code',
  });
  const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
  const refused = await post(
    server,
    '/oauth/token',
    form,
    basic(client, client.id, 'mangled by a proxy'),
  );
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /);
  expect((await redeem(server, client, code, { redirect_uri: client.redirectUri })).status).toBe(
    200,
  );
});

test('x/oauth2: URL-encoded credentials in the header are accepted at the first try', async () => {
  const user = await newUser();
  const client = await newClient();
  const code = await new Person(server, user.username).code({
    client_id: client.id,
    response_type: 'code',
  });
  const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
  expect((await post(server, '/oauth/token', form, basic(client))).status).toBe(200);
});

test('x/oauth2: a public client sends its id with an empty secret in the header', async () => {
  const user = await newUser();
  const client = await newClient({ type: 'public' });
  const { verifier, challenge } = newPkce();
  const code = await new Person(server, user.username).code({
    client_id: client.id,
    response_type: 'code',
    ...challenge,
  });
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  };
  expect((await post(server, '/oauth/token', form, basic(client, client.id, ''))).status).toBe(200);
});
