import { expect, test } from 'vitest';
import { read } from '#lib/store/engine/database.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';
import { codeFor, tokenRequest } from '../support/target.ts';

const server = await openServer();

test('a refresh token revoked three times gets the same answer and one audit event (RFC 7009 section 2.2)', async () => {
  const client = await newClient();
  const user = await newUser();
  const person = new Person(server, user.username);
  await person.signIn();
  const grant = { grant_type: 'authorization_code', code: await codeFor(person, client, []) };
  const { body } = await tokenRequest(server, client, grant);
  const token = String(body.refresh_token);
  for (let times = 0; times < 3; times += 1) {
    const fields = { client_id: client.id, client_secret: client.secret, token };
    const answer = await fetch(`${server.base}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
  }
  const events = await read(
    "SELECT id FROM audit_events WHERE type = 'token.revoked' AND client_id = :client",
    { client: client.id },
  );
  expect(events).toHaveLength(1);
});
