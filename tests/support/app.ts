import type { TestServer } from './open-server.ts';
import type { Params, Person } from './person.ts';
import { newClient, type TestClient } from './seed.ts';

/** The parts of an answer to a client that tests look at. */
export type Answer = { status: number; headers: Headers; body: Record<string, unknown> };

export type Tokens = {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
  token_type: string;
};

/** Posts a form as a client does, and reads the JSON answer. */
export async function post(
  server: TestServer,
  path: string,
  params: Params,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = new URLSearchParams(params);
  return readAnswer(
    await fetch(server.base + path, { method: 'POST', body, headers, redirect: 'manual' }),
  );
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? JSON.parse(text) : { text },
  };
}

/** Redeems a code, with the client's secret in the body. */
export function redeem(
  server: TestServer,
  client: TestClient,
  code: string,
  more: Record<string, string> = {},
): Promise<Answer> {
  return post(server, '/oauth/token', {
    ...credentials(client),
    grant_type: 'authorization_code',
    code,
    ...more,
  });
}

export function refresh(
  server: TestServer,
  refresh_token: string,
  more: Record<string, string> = {},
): Promise<Answer> {
  return post(server, '/oauth/token', { grant_type: 'refresh_token', refresh_token, ...more });
}

export async function me(server: TestServer, accessToken: string): Promise<Answer> {
  return readAnswer(
    await fetch(`${server.base}/oauth/me`, { headers: { Authorization: `Bearer ${accessToken}` } }),
  );
}

export function credentials(client: TestClient): { client_id: string; client_secret: string } {
  return { client_id: client.id, client_secret: client.secret };
}

export function basic(
  client: TestClient,
  id = client.id,
  secret = client.secret,
): { Authorization: string } {
  const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Goes through a whole flow and returns its tokens. */
export async function tokensOf(
  server: TestServer,
  person: Person,
  client?: TestClient,
  params: Record<string, string> = {},
): Promise<Tokens & { client: TestClient }> {
  const owner = client ?? (await newClient());
  const code = await person.code({ client_id: owner.id, response_type: 'code', ...params });
  const { status, body } = await redeem(server, owner, code);
  if (status !== 200) throw new Error(`The code was refused: ${JSON.stringify(body)}`);
  return { ...(body as Tokens), client: owner };
}
