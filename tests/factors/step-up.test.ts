import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { newApi } from '../support/apis.ts';
import { credentials, post, redeem } from '../support/app.ts';
import {
  ask,
  codeOf,
  newPersonWithPasskey,
  newUserWithApp,
  postAnswer,
} from '../support/factors.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, type Page, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, type TestClient } from '../support/seed.ts';

// RFC 9470: an API wants a stronger or more recent sign-in, and its app asks for it.
const server = await openServer();
const [single, mfa, passkey] = [
  'urn:gatehouse:single',
  'urn:gatehouse:mfa',
  'urn:gatehouse:passkey',
];
const path = (client: TestClient, more: Record<string, string> = {}) =>
  authorizePath({ client_id: client.id, response_type: 'code', scope: 'openid', ...more });
const essential = (...values: string[]) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
});
const newApp = () => newClient({ firstParty: true });

/** What the app learns about the sign-in, from its ID token and by introspection. */
async function told(client: TestClient, page: Page) {
  const { body } = await redeem(server, client, answerOf(page).code ?? '');
  const token = String(body.access_token);
  const asked = await post(server, '/oauth/introspect', { ...credentials(client), token });
  return { idToken: decodeJwt(String(body.id_token)), introspection: asked.body };
}

async function byPasskey(more: Record<string, string>) {
  const client = await newApp();
  const { authenticator } = await newPersonWithPasskey(server, { synced: true });
  const person = new Person(server);
  const page = await person.open(path(client, more));
  const { options, challenge } = await ask(person, page, 'sign-in');
  const answer = authenticator.get(options);
  const end = await postAnswer(person, page, '/login/passkey/submit', answer, challenge);
  return { client, end, person };
}

describe('acr_values (RFC 9470 section 4)', () => {
  test('acr is passkey if asked for, in the ID token and introspection, and mfa otherwise', async () => {
    const { client, end, person } = await byPasskey({ acr_values: passkey });
    const { idToken, introspection } = await told(client, end);
    expect(idToken).toMatchObject({ acr: passkey, amr: ['swk', 'user', 'mfa'] });
    expect(introspection).toMatchObject({ acr: passkey, auth_time: idToken.auth_time });
    // The session continues with its strength unchanged.
    const again = await told(client, await person.open(path(client, { acr_values: passkey })));
    expect(again.idToken.acr).toBe(passkey);
    const plain = await told(client, await person.open(path(client)));
    expect(plain.idToken.acr).toBe(mfa);
    expect(plain.introspection.acr).toBe(mfa);
  });

  test('the first known value of acr_values is enough, and acr is the one asked for', async () => {
    const { client, end } = await byPasskey({ acr_values: `urn:elsewhere:gold ${mfa}` });
    expect((await told(client, end)).idToken.acr).toBe(mfa);
  });

  test('a user who signed in with a password is asked for the passkey', async () => {
    const client = await newApp();
    const { user, person } = await newPersonWithPasskey(server);
    await (await prisma()).session.updateMany({ where: { userId: user.id }, data: { amr: 'pwd' } });
    expect((await told(client, await person.open(path(client)))).idToken.acr).toBe(single);
    const page = await person.open(path(client, { acr_values: passkey }));
    expect(page.at).toMatch(/^\/login\?flow=/);
  });
});

describe('tokens of an API and the sign-in (RFC 9470 section 6)', () => {
  test('a JWT access token has acr and auth_time (section 6.1), also after a refresh', async () => {
    const api = await newApi({ tokenFormat: 'jwt' });
    const { client, end } = await byPasskey({ acr_values: passkey, resource: api.identifier });
    const { body } = await redeem(server, client, answerOf(end).code ?? '');
    const jwt = decodeJwt(String(body.access_token));
    const idToken = decodeJwt(String(body.id_token));
    expect(jwt).toMatchObject({ acr: passkey, auth_time: idToken.auth_time });
    const refreshed = await post(server, '/oauth/token', {
      ...credentials(client),
      grant_type: 'refresh_token',
      refresh_token: String(body.refresh_token),
    });
    expect(decodeJwt(String(refreshed.body.access_token))).toMatchObject({
      acr: passkey,
      auth_time: idToken.auth_time,
    });
  });

  test('introspection of a client credentials token has neither acr nor auth_time', async () => {
    const client = await newClient({ grants: ['client_credentials'], scopes: ['profile'] });
    const sent = { ...credentials(client), grant_type: 'client_credentials' };
    const token = String((await post(server, '/oauth/token', sent)).body.access_token);
    const { body } = await post(server, '/oauth/introspect', { ...credentials(client), token });
    expect(body.active).toBe(true);
    expect([body.acr, body.auth_time]).toEqual([undefined, undefined]);
  });
});

test('max_age leads to a new sign-in, and the tokens have its auth_time (RFC 9470 section 4)', async () => {
  const client = await newApp();
  const person = await newPerson(server);
  const long = Math.floor(Date.now() / 1000) - 3600;
  await (await prisma()).session.updateMany({
    where: { user: { username: person.username } },
    data: { authTime: new Date(long * 1000) },
  });
  expect((await told(client, await person.open(path(client)))).introspection.auth_time).toBe(long);
  const page = await person.open(path(client, { max_age: '60' }));
  expect(page.at).toMatch(/^\/login\?flow=/);
  const { idToken, introspection } = await told(client, await person.signInAt(page));
  expect(idToken.auth_time).toBeGreaterThan(long + 3000);
  expect(introspection.auth_time).toBe(idToken.auth_time);
});

describe('acr as an essential claim (RFC 9470 section 5, OpenID Connect Core section 5.5.1.1)', () => {
  test('passkey: a user without one gets unmet_authentication_requirements after signing in, and no code', async () => {
    const client = await newApp();
    const user = await newUserWithApp();
    const person = new Person(server, user.username);
    const step = await person.signInAt(await person.open(path(client, essential(passkey))));
    expect(step.at).toMatch(/^\/login\/factor\?flow=/);
    const end = await person.submit(step, '/login/factor/submit', { code: codeOf(user.secret) });
    const answer = answerOf(end);
    expect([answer.error, answer.code]).toEqual(['unmet_authentication_requirements', undefined]);
  });

  test('passkey: a user who signs in with one gets the code', async () => {
    const { client, end } = await byPasskey(essential(passkey));
    expect((await told(client, end)).idToken.acr).toBe(passkey);
  });

  test('one of several values is enough', async () => {
    const { client, end } = await byPasskey(essential(passkey, mfa));
    expect((await told(client, end)).idToken.acr).toBe(passkey);
  });

  test('an unknown value is refused before sign-in', async () => {
    const page = await new Person(server).open(path(await newApp(), essential('urn:gold')));
    expect(answerOf(page).error).toBe('unmet_authentication_requirements');
  });
});
