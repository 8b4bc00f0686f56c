import { exportJWK, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { sign } from '#lib/identity/signing.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';
import { asking, openIdTokens, readIdToken, type SignedIn, signIn } from './sign-in.ts';

const server = await openServer();

const silently = async (
  { person, client }: Pick<SignedIn, 'person' | 'client'>,
  id_token_hint: string,
) => answerOf(await person.open(authorizePath(asking(client, { prompt: 'none', id_token_hint }))));

test('id_token_hint of the signed-in user gives a code with prompt=none', async () => {
  const signedIn = await signIn(server);
  expect(await silently(signedIn, signedIn.tokens.id_token)).toHaveProperty('code');
});

test('id_token_hint may be an expired ID token of this server', async () => {
  const signedIn = await signIn(server);
  const { user, client } = signedIn;
  const claims = {
    iss: server.issuer,
    aud: client.id,
    sub: user.id,
    iat: 1_600_000_000,
    exp: 1_600_003_600,
  };
  const old = await sign(claims, { alg: 'RS256', typ: 'JWT' }, await readRevision(), new Date());
  expect(await silently(signedIn, old)).toHaveProperty('code');
});

test('id_token_hint of another user gives login_required, with prompt=none and after the wrong user signs in', async () => {
  const { person, client } = await signIn(server);
  const other = await signIn(server);
  const hint = (await openIdTokens(server, other.person, client)).id_token;
  expect(await silently({ person, client }, hint)).toMatchObject({ error: 'login_required' });
  const page = await person.open(authorizePath(asking(client, { id_token_hint: hint })));
  expect(page.at).toMatch(/^\/login\?flow=/);
  const third = await newUser();
  expect(answerOf(await person.signInAt(page, third.username))).toMatchObject({
    error: 'login_required',
  });
  const again = await person.open(authorizePath(asking(client, { id_token_hint: hint })));
  expect(answerOf(await person.signInAt(again, other.user.username))).toHaveProperty('code');
});

test('id_token_hint and a sub in claims must name the same user (OpenID Connect Core section 5.5.1)', async () => {
  const { user, client, person, tokens } = await signIn(server);
  const answered = async (value: string) => {
    const claims = JSON.stringify({ id_token: { sub: { value } } });
    const asked = { prompt: 'none', claims, id_token_hint: tokens.id_token };
    return answerOf(await person.open(authorizePath(asking(client, asked))));
  };
  expect(await answered(user.id)).toHaveProperty('code');
  expect(await answered((await newUser()).id)).toMatchObject({ error: 'invalid_request' });
});

test('id_token_hint is refused if it is forged, from another client or issuer, or no ID token', async () => {
  const signedIn = await signIn(server);
  const { client, person, tokens } = signedIn;
  const { protectedHeader, payload } = await readIdToken(server, client, tokens.id_token);
  const { keys } = (await (await fetch(`${server.base}/oauth/jwks`)).json()) as {
    keys: (Record<string, string> & { n: string })[];
  };
  const published = keys.find((key) => key.kid === protectedHeader.kid);
  const own = await generateKeyPair('RS256', { extractable: true });
  const secret = (text: string) => new TextEncoder().encode(text);
  const { privateKey } = own;
  const hs256 = { ...protectedHeader, alg: 'HS256' };
  const [head, body, signature] = tokens.id_token.split('.');
  const forgeries = {
    'alg none': new UnsecuredJWT(payload).encode(),
    'alg none, our kid': `${Buffer.from(JSON.stringify({ ...protectedHeader, alg: 'none' })).toString('base64url')}.${body}.`,
    'HS256 with the published key as the secret': await new SignJWT(payload)
      .setProtectedHeader(hs256)
      .sign(secret(JSON.stringify(published))),
    'HS256 with the modulus as the secret': await new SignJWT(payload)
      .setProtectedHeader(hs256)
      .sign(Buffer.from(published?.n ?? '', 'base64url')),
    'HS256 with the client secret': await new SignJWT(payload)
      .setProtectedHeader(hs256)
      .sign(secret(client.secret)),
    'a key of its own under our kid': await new SignJWT(payload)
      .setProtectedHeader(protectedHeader)
      .sign(privateKey),
    'a key it brings along': await new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', jwk: await exportJWK(own.publicKey) })
      .sign(privateKey),
    'another payload under our signature': `${head}.${Buffer.from(JSON.stringify({ ...payload, sub: 'x' })).toString('base64url')}.${signature}`,
    'an ES256 header over an RS256 signature': await new SignJWT(payload)
      .setProtectedHeader({ ...protectedHeader, alg: 'ES256' })
      .sign(
        await importJWK(
          await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey),
          'ES256',
        ),
      ),
    'of another client': (await openIdTokens(server, person, await newClient())).id_token,
    'of another issuer': await sign(
      { ...payload, iss: 'https://elsewhere.example' },
      { alg: 'RS256', typ: 'JWT' },
      await readRevision(),
      new Date(),
    ),
    'a logout token': await sign(
      payload,
      { alg: 'RS256', typ: 'logout+jwt' },
      await readRevision(),
      new Date(),
    ),
    'an access token': tokens.access_token,
    'no token': 'x.y.z',
  };
  for (const [name, hint] of Object.entries(forgeries)) {
    expect(await silently(signedIn, hint), name).toMatchObject({ error: 'invalid_request' });
  }
});
