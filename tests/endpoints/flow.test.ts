import { expect, test } from 'vitest';
import { me, redeem, refresh } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, Person } from '../support/person.ts';
import { newClient, newPkce, newUser } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const server = await openServer();
const second = await server.secondProcess();

test('the code flow end to end: sign-in, consent, tokens, user information and refresh', async () => {
  const user = await newUser({ name: 'Ada Lovelace' });
  const client = await newClient();
  const person = new Person(server, user.username);

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
    iss: server.issuer,
  });

  const first = await redeem(server, client, answer.code ?? '');
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'profile email',
    refresh_token: expect.any(String),
  });
  const info = await me(server, String(first.body.access_token));
  expect(info.body).toMatchObject({
    sub: user.id,
    username: user.username,
    email: user.email,
    name: 'Ada Lovelace',
  });

  const second = await refresh(server, String(first.body.refresh_token));
  expect(second.status).toBe(200);
  expect((await me(server, String(second.body.access_token))).status).toBe(200);
});

test('the code flow of a public client with PKCE', async () => {
  const user = await newUser();
  const client = await newClient({ type: 'public' });
  const { verifier, challenge } = newPkce();
  const code = await new Person(server, user.username).code({
    client_id: client.id,
    response_type: 'code',
    ...challenge,
  });
  const tokens = await redeem(server, { ...client, secret: '' }, code, { code_verifier: verifier });
  expect(tokens.status).toBe(200);
  expect((await me(server, String(tokens.body.access_token))).body.username).toBe(user.username);
});

/** Runs this for each of many, twenty at a time. */
async function twentyAtATime<T, R>(many: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
  const some = await Promise.all(many.slice(0, 20).map(run));
  return many.length > 20 ? [...some, ...(await twentyAtATime(many.slice(20), run))] : some;
}

test('of 200 codes that one person has open at one app, in two processes, none is lost', {
  timeout: 180_000,
}, async () => {
  const user = await newUser();
  const client = await newClient();
  const params = { client_id: client.id, response_type: 'code', scope: 'profile' };
  // On a busy machine two hundred flows take longer than a code lives.
  await set('CODE_TTL', '600');
  const browsers = [new Person(server, user.username), new Person(second, user.username)];
  for (const browser of browsers) await redeem(server, client, await browser.code(params));
  const flows = browsers.flatMap((browser) => Array.from({ length: 100 }, () => browser));
  const codes = await twentyAtATime(flows, (browser) => browser.code(params));
  const tokens = await twentyAtATime(codes.reverse(), (code) => redeem(server, client, code));
  await set('CODE_TTL', null);
  expect(tokens.filter(({ status }) => status !== 200)).toEqual([]);
});
