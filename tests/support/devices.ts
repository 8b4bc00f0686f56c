import { findTarget } from '#app/mounts.ts';
import { nothingKnown } from '#lib/http/message.ts';
import { serve } from '#lib/http/serve.ts';
import { deviceGrant } from '#lib/oauth/grant-types.ts';
import { write } from '#lib/store/engine/database.ts';
import { type Answer, post, type Tokens } from './app.ts';
import type { TestServer } from './open-server.ts';
import type { Page, Person } from './person.ts';
import { type ClientOptions, newClient, type TestClient } from './seed.ts';

/** A client on a device: public, and without redirect URIs. */
export function newDeviceClient(options: ClientOptions = {}): Promise<TestClient> {
  const grants = [deviceGrant, 'refresh_token'];
  return newClient({ type: 'public', grants, redirectUris: [], ...options });
}

/** The answer to a device authorization request (RFC 8628 section 3.2). */
export type Started = {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
};

/** Sends a device authorization request. */
export async function startDevice(
  server: TestServer,
  client: TestClient,
  params: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Started> {
  const asked = { client_id: client.id, ...params };
  const { status, body } = await post(server, '/oauth/device_authorization', asked, headers);
  if (status !== 200) throw new Error(`The device was refused: ${JSON.stringify(body)}`);
  return body as Started;
}

const question = (client: TestClient, device_code: string) => ({
  grant_type: deviceGrant,
  client_id: client.id,
  device_code,
});

/** A device asks for its tokens. */
export function askTokens(
  server: TestServer,
  client: TestClient,
  { device_code }: Pick<Started, 'device_code'>,
): Promise<Answer> {
  return post(server, '/oauth/token', question(client, device_code));
}

/** The same within this process, as if `seconds` had passed. */
export async function askTokensAfter(
  seconds: number,
  client: TestClient,
  { device_code }: Pick<Started, 'device_code'>,
): Promise<Answer> {
  const target = findTarget('/oauth/token', '');
  if (!target) throw new Error('There is no token endpoint.');
  const body = new URLSearchParams(question(client, device_code)).toString();
  const type = 'application/x-www-form-urlencoded';
  const request = {
    method: 'POST',
    path: '/oauth/token',
    query: '',
    id: 'test',
    address: 'test',
    isShared: true,
    header: (name: string) => (name === 'content-type' ? type : undefined),
    repeatsAuthorization: () => false,
    about: nothingKnown(),
    body: async () => Buffer.from(body),
  };
  const answer = await serve(target.mount, request, new Date(Date.now() + seconds * 1000));
  const headers = new Headers(answer.headers as Record<string, string>);
  return { status: answer.status, headers, body: JSON.parse(answer.body ?? '{}') };
}

/** Types a code. Returns the confirmation page, or the page with the field again. */
export async function typeCode(person: Person, user_code: string): Promise<Page> {
  return person.submit(await person.open('/device'), '/device/submit', { user_code });
}

/** Types a device's code and allows or denies it. */
export async function decideOn(
  person: Person,
  { user_code }: Pick<Started, 'user_code'>,
  decision: 'allow' | 'deny' = 'allow',
): Promise<Page> {
  const page = await typeCode(person, user_code);
  return person.submit(page, '/device/confirm/submit', { decision });
}

/** The tokens of a device that was allowed. */
export async function deviceTokens(
  server: TestServer,
  person: Person,
  client: TestClient,
  params: Record<string, string> = {},
): Promise<Tokens & Started> {
  const started = await startDevice(server, client, params);
  await decideOn(person, started);
  const { status, body } = await askTokens(server, client, started);
  if (status !== 200) throw new Error(`The device was refused: ${JSON.stringify(body)}`);
  return { ...started, ...(body as Tokens) };
}

type Filling = { clientId: string; network: string; count: number; now: Date; expires: Date };

/** Stores `count` waiting devices, all older than any device that starts from now on. */
export const fillDevices = ({ clientId, network, count, now, expires }: Filling) =>
  write(
    `INSERT INTO device_authorizations (id, hash, user_code, client_id, scope, "interval", network, created_at, expires_at)
    SELECT $1 || CAST(n AS TEXT), $1 || CAST(n AS TEXT), $1 || CAST(n AS TEXT), CAST($2 AS TEXT), '', 5, CAST($3 AS TEXT),
      CAST($4 AS TIMESTAMPTZ), CAST($5 AS TIMESTAMPTZ)
    FROM (WITH RECURSIVE up(n) AS (SELECT 10001 UNION ALL SELECT n + 1 FROM up WHERE n < ${10_000 + count}) SELECT n FROM up) AS numbers`,
    [`0-${clientId}-${network}-`, clientId, network, now, expires],
  );
