import { expect, test } from 'vitest';
import { sign } from '#lib/identity/signing.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { credentials, me, post, readAnswer, redeem, refresh } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newVisitor, Person } from '../support/person.ts';
import { newClient, newPkce } from '../support/seed.ts';
import { asking, openIdTokens, readIdToken, signIn } from './sign-in.ts';

const server = await openServer();
const invalidGrant = { error: 'invalid_grant' };

test('PKCE downgrade: a code requested without a challenge is refused with a verifier, and then invalid', async () => {
  const client = await newClient();
  const code = await (await newVisitor(server)).code(asking(client));
  expect(
    (await redeem(server, client, code, { code_verifier: newPkce().verifier })).body,
  ).toMatchObject(invalidGrant);
  expect((await redeem(server, client, code)).body).toMatchObject(invalidGrant);
});

test('PKCE downgrade: a code requested with a challenge is refused without its verifier, and then invalid', async () => {
  const client = await newClient();
  const { verifier, challenge } = newPkce();
  const code = await (await newVisitor(server)).code(asking(client, challenge));
  expect((await redeem(server, client, code)).body).toMatchObject(invalidGrant);
  expect((await redeem(server, client, code, { code_verifier: verifier })).body).toMatchObject(
    invalidGrant,
  );
});

test('PKCE downgrade: code_challenge_method plain or missing, and a malformed challenge, are refused', async () => {
  const client = await newClient();
  const { verifier, challenge } = newPkce();
  const { code_challenge } = challenge;
  const wrong: Record<string, string>[] = [
    { code_challenge: verifier, code_challenge_method: 'plain' },
    { code_challenge },
    { code_challenge_method: 'S256' },
    { code_challenge: `${code_challenge}=`, code_challenge_method: 'S256' },
  ];
  for (const params of wrong) {
    const page = await new Person(server).open(authorizePath(asking(client, params)));
    expect(answerOf(page), JSON.stringify(params)).toMatchObject({ error: 'invalid_request' });
  }
  const open = await newClient({ type: 'public' });
  expect(answerOf(await new Person(server).open(authorizePath(asking(open))))).toMatchObject({
    error: 'invalid_request',
  });
});

test('mix-up: success and error responses both carry iss, the issuer of the metadata', async () => {
  const client = await newClient();
  const person = await newVisitor(server);
  const { issuer } = (await (
    await fetch(`${server.base}/.well-known/oauth-authorization-server`)
  ).json()) as { issuer: string };
  expect(answerOf(await person.authorize(asking(client))).iss).toBe(issuer);
  const denied = await person.open(authorizePath(asking(client, { prompt: 'consent' })));
  expect(answerOf(await person.decide(denied, 'deny'))).toMatchObject({
    error: 'access_denied',
    iss: issuer,
  });
  const posted = await person.authorize(asking(client, { response_mode: 'form_post' }));
  expect(posted.forms[0]?.fields.iss).toBe(issuer);
});

test('mix-up: a client with sendIss off gets no iss in the authorization response', async () => {
  const client = await newClient({ sendIss: false });
  expect(answerOf(await (await newVisitor(server)).authorize(asking(client)))).not.toHaveProperty(
    'iss',
  );
});

test('code injection: with PKCE, a stolen code is refused in another session of the same client', async () => {
  const client = await newClient();
  const [victims, attackers] = [newPkce(), newPkce()];
  const stolen = await (await newVisitor(server)).code(asking(client, victims.challenge));
  expect(
    (await redeem(server, client, stolen, { code_verifier: attackers.verifier })).body,
  ).toMatchObject(invalidGrant);
  expect(
    (await redeem(server, client, stolen, { code_verifier: victims.verifier })).body,
  ).toMatchObject(invalidGrant);
});

test('code injection: the ID token carries the nonce of the authorization request that its code came from', async () => {
  const client = await newClient();
  const tokens = await openIdTokens(server, await newVisitor(server), client, {
    nonce: 'of the victim',
  });
  expect((await readIdToken(server, client, tokens.id_token)).payload.nonce).toBe('of the victim');
});

test('code injection: a code for one redirect URI is refused with another, or with none if none is registered', async () => {
  const client = await newClient({ redirectUris: [] });
  const person = await newVisitor(server);
  const code = () => person.code(asking(client, { redirect_uri: 'https://attacker.example/cb' }));
  const more = { redirect_uri: 'https://app.example/cb' };
  expect((await redeem(server, client, await code(), more)).body).toMatchObject(invalidGrant);
  expect((await redeem(server, client, await code())).body).toMatchObject({
    error: 'invalid_request',
  });
});

test('code injection: a code is refused to another client, and its own client can still redeem it', async () => {
  const client = await newClient();
  const thief = await newClient();
  const code = await (await newVisitor(server)).code(asking(client));
  expect((await redeem(server, thief, code)).body).toMatchObject(invalidGrant);
  expect((await redeem(server, client, code)).status).toBe(200);
});

test('token confusion: user information takes an access token, and no code, refresh token, ID token or secret', async () => {
  const { person, client, tokens } = await signIn(server);
  const code = await person.code(asking(client));
  for (const token of [
    code,
    tokens.refresh_token,
    tokens.id_token,
    client.secret,
    `${tokens.access_token}x`,
  ]) {
    const { status, body } = await me(server, token);
    expect([status, body.error], token).toEqual([401, 'invalid_token']);
  }
  expect((await redeem(server, client, code)).status).toBe(200);
});

test('token confusion: only a code can be redeemed, and only a refresh token refreshed', async () => {
  const { person, client, tokens } = await signIn(server);
  for (const other of [tokens.access_token, tokens.refresh_token, tokens.id_token])
    expect((await redeem(server, client, other)).body).toMatchObject(invalidGrant);
  const code = await person.code(asking(client));
  for (const other of [tokens.access_token, tokens.id_token, code])
    expect((await refresh(server, other)).body).toMatchObject(invalidGrant);
  expect((await me(server, tokens.access_token)).status).toBe(200);
  expect((await redeem(server, client, code)).status).toBe(200);
  expect((await refresh(server, tokens.refresh_token)).status).toBe(200);
});

test('token confusion: a logout token is no id_token_hint, at the authorization and the logout endpoint', async () => {
  const { person, client, tokens } = await signIn(server);
  const { payload } = await readIdToken(server, client, tokens.id_token);
  const logoutToken = await sign(
    payload,
    { alg: 'RS256', typ: 'logout+jwt' },
    await readRevision(),
    new Date(),
  );
  const silent = await person.open(
    authorizePath(asking(client, { prompt: 'none', id_token_hint: logoutToken })),
  );
  expect(answerOf(silent)).toMatchObject({ error: 'invalid_request' });
  expect((await person.open(`/oauth/logout?id_token_hint=${logoutToken}`)).at).toMatch(
    /^\/logout\?request=/,
  );
});

test('token confusion: the refresh token of one client is refused to another client, and stays usable', async () => {
  const { tokens } = await signIn(server);
  const thief = await newClient();
  expect((await refresh(server, tokens.refresh_token, credentials(thief))).body).toMatchObject(
    invalidGrant,
  );
  expect((await refresh(server, tokens.refresh_token)).status).toBe(200);
});

test('client authentication: an ID token as client_assertion is refused', async () => {
  const { client, tokens } = await signIn(server);
  const answer = await post(server, '/oauth/introspect', {
    client_id: client.id,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: tokens.id_token,
    token: tokens.access_token,
  });
  expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
});

test('revoking and refreshing at the same time leaves no token valid', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { client, tokens } = await signIn(server);
    const gone = { ...credentials(client), token: tokens.refresh_token };
    const [revoked, ...refreshed] = await Promise.all([
      post(server, '/oauth/revoke', gone),
      refresh(server, tokens.refresh_token),
      refresh(server, tokens.refresh_token),
    ]);
    expect(revoked.status).toBe(200);
    for (const { status, body } of refreshed) {
      if (status !== 200) expect(body.error).toBe('invalid_grant');
      else expect((await me(server, String(body.access_token))).status, `round ${round}`).toBe(401);
      if (status === 200)
        expect((await refresh(server, String(body.refresh_token))).body.error).toBe(
          'invalid_grant',
        );
    }
    expect((await refresh(server, tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await me(server, tokens.access_token)).status).toBe(401);
  }
});

test('a flow that was begun in another browser is refused at /oauth/continue', async () => {
  const { person } = await signIn(server);
  const attacker = await newVisitor(server);
  const page = await attacker.open(authorizePath(asking(await newClient())));
  const flow = page.at.slice('/login?flow='.length);
  const answer = await readAnswer(await person.request(`/oauth/continue?flow=${flow}`));
  expect(answer.status).toBe(400);
});
