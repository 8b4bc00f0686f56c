import { expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';
import { answerOf, Person } from '../support/person.ts';
import { newClient } from '../support/seed.ts';
import { asking, signIn } from './sign-in.ts';

const server = await openServer();

/** A form on another site. Its post sends no SameSite=Lax cookies. */
function postFromElsewhere(params: Record<string, string>): Promise<Response> {
  return fetch(`${server.base}/oauth/authorize`, {
    method: 'POST',
    body: new URLSearchParams(params),
    headers: { Origin: 'https://client.example', 'Sec-Fetch-Site': 'cross-site' },
    redirect: 'manual',
  });
}

test('an authorization request by POST uses the session, though the cross-site POST has no cookies', async () => {
  const { person, client } = await signIn(server);
  const posted = await postFromElsewhere(asking(client, { state: 'by post', prompt: 'none' }));
  expect(posted.status).toBe(303);
  expect(posted.headers.getSetCookie()).toEqual([]);
  const page = await person.open(posted.headers.get('location') ?? '');
  expect(answerOf(page)).toMatchObject({ code: expect.any(String), state: 'by post' });
});

test('an authorization request by POST goes through sign-in and consent', async () => {
  const { user } = await signIn(server);
  const person = new Person(server, user.username);
  const client = await newClient();
  const posted = await postFromElsewhere(asking(client));
  expect(
    answerOf(await person.goThrough(await person.open(posted.headers.get('location') ?? ''))),
  ).toHaveProperty('code');
});

test('an authorization request by POST is bound to the first browser that takes it up', async () => {
  const { person } = await signIn(server);
  const posted = await postFromElsewhere(asking(await newClient()));
  const page = await person.open(posted.headers.get('location') ?? '');
  expect(page.at).toMatch(/^\/consent\?flow=/);
  const outsider = await new Person(server).open(page.at);
  expect(outsider.status).toBe(400);
});

test('an invalid authorization request by POST is refused like one by GET', async () => {
  const client = await newClient();
  const refused = await postFromElsewhere(asking(client, { response_type: 'token', state: 's' }));
  expect(refused.status).toBe(303);
  expect(refused.headers.get('location')).toContain('error=unsupported_response_type');
  expect(
    (await postFromElsewhere({ ...asking(client), redirect_uri: 'https://evil.example/' })).status,
  ).toBe(400);
});
