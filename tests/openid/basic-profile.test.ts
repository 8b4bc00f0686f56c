import { expect, test } from 'vitest';
import { basic, me, post, redeem } from '../support/app.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newVisitor, Person } from '../support/person.ts';
import { newClient } from '../support/seed.ts';
import { changeAuthorization, remade } from '../support/tokens.ts';
import { asking, readIdToken, signIn } from './sign-in.ts';

// What the OpenID Foundation's suite requires of a basic provider and no other file here tests.
const server = await openServer();

test('a request without response_type is refused', async () => {
  const client = await newClient();
  const page = await new Person(server).open(
    `/oauth/authorize?client_id=${client.id}&scope=openid&state=s`,
  );
  expect(answerOf(page)).toMatchObject({ error: 'invalid_request', state: 's' });
});

test('a code that is redeemed twice within 30 seconds is refused, and its tokens are revoked', async () => {
  const client = await newClient();
  const code = await (await newVisitor(server)).code(asking(client));
  const { body } = await redeem(server, client, code);
  const again = await redeem(server, client, code);
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
  expect((await me(server, String(body.access_token))).status).toBe(401);
});

test('a code that is redeemed again after 30 seconds is refused, and its tokens are revoked', async () => {
  const client = await newClient();
  const code = await (await newVisitor(server)).code(asking(client));
  const { body } = await redeem(server, client, code);
  await changeAuthorization(code, { redeemedAt: new Date(Date.now() - 60_000) });
  const old = await remade(code, { expiresAt: new Date(Date.now() - 31_000) });
  expect((await redeem(server, client, old)).body.error).toBe('invalid_grant');
  expect((await me(server, String(body.access_token))).status).toBe(401);
});

test('a redirect URI that is not registered gets an error page of this server, not a redirect', async () => {
  const client = await newClient({
    redirectUris: ['https://app.example/cb', 'https://app.example/cb?with=query'],
  });
  const wrong = [
    'https://app.example/other',
    'https://app.example/cb?extra=1',
    'https://app.example/cb?with=other',
    '',
  ];
  for (const redirect_uri of wrong) {
    const page = await new Person(server).open(authorizePath(asking(client, { redirect_uri })));
    expect([page.status, page.at.startsWith('/oauth/authorize')], redirect_uri).toEqual([
      400,
      true,
    ]);
  }
  const right = await (await newVisitor(server)).authorize(
    asking(client, { redirect_uri: 'https://app.example/cb?with=query' }),
  );
  expect(right.at).toMatch(/^https:\/\/app\.example\/cb\?with=query&code=/);
});

test('the error pages for client_id and redirect_uri have texts that differ', async () => {
  const client = await newClient();
  const pages: Record<string, string>[] = [
    { client_id: 'nobody' },
    { redirect_uri: 'https://evil.example/' },
    { redirect_uri: 'javascript:alert(1)' },
  ];
  const words = await Promise.all(
    pages.map(async (params) => {
      const { status, html } = await new Person(server).open(authorizePath(asking(client, params)));
      expect(status).toBe(400);
      return /<dd><bdi[^>]*>([^<]+)<\/bdi>/.exec(html)?.[1];
    }),
  );
  expect(new Set(words).size).toBeGreaterThanOrEqual(2);
  expect(words).not.toContain(undefined);
});

test.each(['client_secret_basic', 'client_secret_post'])(
  'a code is redeemed with %s',
  async (method) => {
    const client = await newClient();
    const code = await (await newVisitor(server)).code(
      asking(client, { redirect_uri: client.redirectUri }),
    );
    const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
    const answer =
      method === 'client_secret_basic'
        ? await post(server, '/oauth/token', form, basic(client))
        : await redeem(server, client, code, { redirect_uri: client.redirectUri });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await readIdToken(server, client, String(answer.body.id_token))).payload.aud).toBe(
      client.id,
    );
  },
);

test('sub in the ID token and in the user information is the same', async () => {
  const { client, tokens } = await signIn(server);
  const { sub } = (await readIdToken(server, client, tokens.id_token)).payload;
  expect((await me(server, tokens.access_token)).body.sub).toBe(sub);
});

test('an installed app may use any port of the loopback address, and consent is asked for each time (RFC 8252)', async () => {
  const client = await newClient({ type: 'public', redirectUris: ['http://127.0.0.1/cb'] });
  const { person } = await signIn(server);
  const pkce = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
  const asked = asking(client, { redirect_uri: 'http://127.0.0.1:51004/cb', ...pkce });
  expect((await person.authorize(asked)).at).toMatch(/^http:\/\/127\.0\.0\.1:51004\/cb\?code=/);
  expect((await person.open(authorizePath(asked))).at).toMatch(/^\/consent\?flow=/);
  const silent = await person.open(authorizePath({ ...asked, prompt: 'none' }));
  expect(answerOf(silent)).toMatchObject({ error: 'consent_required' });
});

test('an installed app may use a redirect URI with its own scheme (RFC 8252)', async () => {
  const client = await newClient({ type: 'public', redirectUris: ['com.example.app:/cb'] });
  const pkce = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
  expect((await (await newVisitor(server)).authorize(asking(client, pkce))).at).toMatch(
    /^com\.example\.app:\/cb\?code=/,
  );
});
