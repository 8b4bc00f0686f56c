import { describe, expect, test } from 'vitest';
import { credentials, post, readAnswer, tokensOf } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, newPerson } from '../support/person.ts';
import { newClient } from '../support/seed.ts';

const server = await openServer();
const person = await newPerson(server);
const client = await newClient();
const request = { client_id: client.id, response_type: 'code' };

// The second path form is `/oauth?=token`; the others are variants that clients produce.
describe.each(['/oauth?=token', '/?oauth=token', '/oauth?oauth=token'])(
  'POST %s is the token endpoint',
  (path) => {
    test('for the authorization code grant', async () => {
      const params = {
        grant_type: 'authorization_code',
        code: await person.code(request),
        ...credentials(client),
      };
      expect(await post(server, path, params)).toMatchObject({
        status: 200,
        body: { token_type: 'Bearer' },
      });
    });

    test('for the refresh grant, in the body and in the query', async () => {
      const { refresh_token } = await tokensOf(server, person, client);
      const first = await post(server, path, { grant_type: 'refresh_token', refresh_token });
      expect(first.status).toBe(200);
      const query = `&grant_type=refresh_token&refresh_token=${first.body.refresh_token}`;
      expect((await post(server, path + query, {})).status).toBe(200);
    });

    test('with the same errors, headers and methods', async () => {
      const answer = await post(server, path, { grant_type: 'nonsense' });
      expect(answer).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      const get = await fetch(server.base + path);
      expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    });

    test('a code in the query is refused here as well, and not consumed', async () => {
      const code = await person.code(request);
      const fields = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        ...credentials(client),
      });
      expect((await post(server, `${path}&${fields}`, {})).body.error).toBe('invalid_request');
      expect((await post(server, path, fields as unknown as Record<string, string>)).status).toBe(
        200,
      );
    });
  },
);

test('the second path of the token endpoint accepts its name after other parameters', async () => {
  const { refresh_token } = await tokensOf(server, person, client);
  expect(
    (
      await post(
        server,
        `/oauth?grant_type=refresh_token&refresh_token=${refresh_token}&=token`,
        {},
      )
    ).status,
  ).toBe(200);
});

test('/?oauth=authorize is the authorization endpoint', async () => {
  const page = await person.open(
    `/?oauth=authorize&${new URLSearchParams({ ...request, state: 'x' })}`,
  );
  if (page.at.startsWith('/consent')) await person.decide(page, 'allow');
  const again = await person.open(
    `/?oauth=authorize&${new URLSearchParams({ ...request, state: 'x' })}`,
  );
  expect(answerOf(again)).toMatchObject({ code: expect.any(String), state: 'x' });
});

test('/?oauth=me is the user information endpoint', async () => {
  const { access_token } = await tokensOf(server, person, client);
  const asked = await fetch(`${server.base}/?oauth=me&access_token=${access_token}`);
  expect((await readAnswer(asked)).body.username).toBe(person.username);
});

test('an unknown endpoint name in the query is 404', async () => {
  for (const path of ['/oauth?=nonsense', '/oauth', '/oauth?oauth=login']) {
    expect((await post(server, path, { grant_type: 'refresh_token' })).status).toBe(404);
  }
});
