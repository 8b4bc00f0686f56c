import { type Answer, readAnswer } from './app.ts';
import type { TestServer } from './open-server.ts';
import type { TestClient } from './seed.ts';

/** Registers an app (RFC 7591), as a program at this address does. */
export async function register(
  server: TestServer,
  metadata: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
  const response = await fetch(`${server.base}/oauth/register`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  return readAnswer(response);
}

let addresses = 0;

/** An address that no one else registers from. */
export function newAddress(): { 'X-Forwarded-For': string } {
  addresses += 1;
  return { 'X-Forwarded-For': `198.18.${(addresses >> 8) & 255}.${addresses & 255}` };
}

/** An app that has just registered. */
export async function newRegistered(
  server: TestServer,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = newAddress(),
): Promise<TestClient> {
  const redirect_uris = ['https://app.example/callback'];
  const { status, body } = await register(server, { redirect_uris, ...more }, headers);
  if (status !== 201) throw new Error(`Not registered: ${JSON.stringify(body)}`);
  const { client_id: id, client_secret: secret, redirect_uris: uris } = body;
  return {
    id: String(id),
    secret: String(secret ?? ''),
    redirectUri: String((uris as string[])[0]),
  };
}
