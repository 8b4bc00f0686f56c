import { credentials, post } from './app.ts';
import type { TestServer } from './open-server.ts';
import { answerOf, type Person } from './person.ts';
import type { TestClient } from './seed.ts';

/** Parameters, some of them repeated. */
export type Pairs = [string, string][];

/** The `resource` parameters of a request. */
export const named = (...resources: string[]): Pairs =>
  resources.map((value) => ['resource', value]);

/** The code of an authorization request that may name APIs. */
export async function codeFor(person: Person, client: TestClient, more: Pairs): Promise<string> {
  const asking: Pairs = [
    ['client_id', client.id],
    ['response_type', 'code'],
  ];
  const { code, error } = answerOf(await person.authorize([...asking, ...more]));
  if (!code) throw new Error(`No code: ${error}`);
  return code;
}

/** A token request from a client with a secret. */
export const tokenRequest = (
  server: TestServer,
  client: TestClient,
  params: Record<string, string>,
  more: Pairs = [],
) =>
  post(server, '/oauth/token', [...Object.entries({ ...credentials(client), ...params }), ...more]);

/** What introspection tells a client about a token. */
export async function introspect(server: TestServer, client: TestClient, token: unknown) {
  const params = { ...credentials(client), token: String(token) };
  return (await post(server, '/oauth/introspect', params)).body;
}

/** The status and the error code. */
export const outcome = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body.error,
];
