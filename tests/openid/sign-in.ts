import { createLocalJWKSet, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose';
import { redeem, type Tokens } from '../support/app.ts';
import type { TestServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import {
  type ClientOptions,
  newClient,
  newUser,
  type TestClient,
  type TestUser,
} from '../support/seed.ts';

export type SignedIn = { user: TestUser; person: Person; client: TestClient; tokens: OpenIdTokens };
export type OpenIdTokens = Tokens & { id_token: string };

/** A person who has signed in at a client with OpenID Connect. */
export async function signIn(
  server: TestServer,
  options: ClientOptions = {},
  params: Record<string, string> = {},
): Promise<SignedIn> {
  const user = await newUser({ name: 'Ada Lovelace' });
  const client = await newClient(options);
  const person = new Person(server, user.username);
  return { user, person, client, tokens: await openIdTokens(server, person, client, params) };
}

/**
 * The tokens of a sign-in at a client. The scope is `openid` unless the parameters set another one.
 */
export async function openIdTokens(
  server: TestServer,
  person: Person,
  client: TestClient,
  params: Record<string, string> = {},
): Promise<OpenIdTokens> {
  const code = await person.code(asking(client, params));
  const { status, body } = await redeem(server, client, code);
  if (status !== 200) throw new Error(`The code was refused: ${JSON.stringify(body)}`);
  return body as OpenIdTokens;
}

/** The parameters of an authorization request. */
export function asking(
  client: TestClient,
  params: Record<string, string> = {},
): Record<string, string> {
  return { client_id: client.id, response_type: 'code', scope: 'openid', ...params };
}

/**
 * An ID token as a client reads it: signature, issuer, audience and time are checked with the
 * published keys.
 */
export async function readIdToken(
  server: TestServer,
  client: TestClient,
  idToken: string,
): Promise<JWTVerifyResult<JWTPayload>> {
  const keys = await (await fetch(`${server.base}/oauth/jwks`)).json();
  return jwtVerify(idToken, createLocalJWKSet(keys), {
    issuer: server.issuer,
    audience: client.id,
    clockTolerance: 2,
  });
}
