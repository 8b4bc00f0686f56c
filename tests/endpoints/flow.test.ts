import { expect, test } from 'vitest';
import { read } from '#lib/store/engine/database.ts';
import { looksAfter, mostUnredeemed } from '#lib/store/unredeemed-codes.ts';
import { me, redeem, refresh } from '../support/app.ts';
import { openHouse } from '../support/house.ts';
import { answerOf, authorizePath, Person } from '../support/person.ts';
import { newClient, newPkce, newUser } from '../support/seed.ts';

const house = await openHouse();
const second = await house.twin();

test('the code flow end to end: sign-in, consent, tokens, user information and refresh', async () => {
  const [user, client] = [await newUser({ name: 'Ada Lovelace' }), await newClient()];
  const person = new Person(house, user.username);

  const login = await person.open(
    authorizePath({ client_id: client.id, response_type: 'code', state: 'a b&c' }),
  );
  expect(login.at).toMatch(/^\/login\?flow=/);
  const consent = await person.signInAt(login);
  expect(consent.at).toMatch(/^\/consent\?flow=/);
  const answer = answerOf(await person.decide(consent, 'allow'));
  expect(answer).toEqual({
    code: expect.stringMatching(/^gh_code_[\w-]{60,200}$/),
    state: 'a b&c',
    iss: house.issuer,
  });

  const first = await redeem(house, client, answer.code ?? '');
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'profile email',
    refresh_token: expect.any(String),
  });
  const info = await me(house, String(first.body.access_token));
  expect(info.body).toMatchObject({
    sub: user.id,
    username: user.username,
    email: user.email,
    name: 'Ada Lovelace',
  });

  const second = await refresh(house, String(first.body.refresh_token));
  expect(second.status).toBe(200);
  expect((await me(house, String(second.body.access_token))).status).toBe(200);
});

test('the code flow of a public client with PKCE', async () => {
  const [user, client] = [await newUser(), await newClient({ type: 'public' })];
  const { verifier, challenge } = newPkce();
  const code = await new Person(house, user.username).code({
    client_id: client.id,
    response_type: 'code',
    ...challenge,
  });
  const tokens = await redeem(house, { ...client, secret: '' }, code, { code_verifier: verifier });
  expect(tokens.status).toBe(200);
  expect((await me(house, String(tokens.body.access_token))).body.username).toBe(user.username);
});

test('codes that an app never redeems are displaced by newer ones, in every process', async () => {
  const [user, client] = [await newUser(), await newClient()];
  const params = { client_id: client.id, response_type: 'code', scope: 'profile' };
  const codes: string[] = [];
  for (const at of [house, second]) {
    const person = new Person(at, user.username);
    await person.signIn();
    for (let each = 0; each < 80; each += 1) codes.push(await person.code(params));
  }
  const waiting = await read('SELECT id FROM authorizations WHERE client_id = $1', [client.id]);
  expect(waiting.length).toBeLessThan(2 * (mostUnredeemed + looksAfter));
  expect(await redeem(house, client, codes[0] ?? '')).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  expect((await redeem(house, client, codes.at(-1) ?? '')).status).toBe(200);
});
