import { exchangeGrant } from '#lib/oauth/grant-types.ts';
import { newApi } from './apis.ts';
import { credentials, post } from './app.ts';
import type { TestServer } from './open-server.ts';
import { newPerson, type Person } from './person.ts';
import { type ClientOptions, newClient, type TestClient } from './seed.ts';
import { codeFor, named, tokenRequest } from './target.ts';

export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

/** An API, and the app that serves it and may exchange tokens. */
type Served = { identifier: string; apiId: string; client: TestClient };

/**
 * Stores an API, with an app that serves it and may exchange tokens for the APIs in `exchangeFor`.
 */
export async function newServed(
  exchangeFor: readonly string[] = [],
  { app = {}, api = {} }: { app?: ClientOptions; api?: Parameters<typeof newApi>[0] } = {},
): Promise<Served> {
  const grants = ['authorization_code', exchangeGrant, 'client_credentials'];
  const client = await newClient({ grants, exchangeFor, ...app });
  const { id, identifier } = await newApi({
    scopes: ['read', 'write'],
    servedBy: [client.id],
    ...api,
  });
  return { identifier, apiId: id, client };
}

export type Scene = {
  person: Person & { user: { id: string; username: string } };
  /** The app that the person signs in to. */
  front: TestClient;
  /** The API that `front` calls; it calls `far`. */
  near: Served;
  far: Served;
  /** The access token that `front` sends to `near`, and the refresh token of `front`. */
  token: string;
  refreshToken: string;
};

type SceneOptions = {
  front?: ClientOptions;
  near?: ClientOptions;
  nearApi?: Parameters<typeof newApi>[0];
  farApi?: Parameters<typeof newApi>[0];
  scope?: string;
};

/** A person who allowed an app to use two APIs, and the app's token for the nearer one. */
export async function newScene(server: TestServer, options: SceneOptions = {}): Promise<Scene> {
  const person = await newPerson(server);
  const far = await newServed([], { api: options.farApi });
  const near = await newServed([far.identifier], { app: options.near, api: options.nearApi });
  const front = await newClient(options.front);
  const asked = [['scope', options.scope ?? 'openid profile read'] as [string, string]];
  const code = await codeFor(person, front, [...asked, ...named(near.identifier, far.identifier)]);
  const { body } = await tokenRequest(
    server,
    front,
    { grant_type: 'authorization_code', code },
    named(near.identifier),
  );
  if (!body.access_token) throw new Error(`No tokens: ${JSON.stringify(body)}`);
  const [token, refreshToken] = [String(body.access_token), String(body.refresh_token)];
  return { person, front, near, far, token, refreshToken };
}

type Exchanging = {
  token: string;
  more?: Record<string, string>;
  headers?: Record<string, string>;
};

/** A client exchanges a token for one for an API. */
export const exchange = (
  server: TestServer,
  client: TestClient,
  resource: string,
  { token, more = {}, headers = {} }: Exchanging,
) =>
  post(
    server,
    '/oauth/token',
    Object.entries({
      ...credentials(client),
      grant_type: exchangeGrant,
      subject_token: token,
      subject_token_type: accessTokenType,
      ...(resource !== '' && { resource }),
      ...more,
    }) as [string, string][],
    headers,
  );
