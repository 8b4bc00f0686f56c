import { createApiKey } from '#lib/management/api-key/keys.ts';
import type { Actor } from '#lib/store/actor.ts';
import { type Answer, readAnswer } from './app.ts';
import type { TestServer } from './open-server.ts';

let made = 0;

/** Makes an API key with these rights and returns its secret. By default the operator makes it. */
export async function keyWith(
  rights: readonly string[],
  { by = { id: 'cli' }, ...more }: { by?: Actor; name?: string; networks?: string[] } = {},
): Promise<string> {
  made += 1;
  const name = `key-${process.pid}-${made}-${Math.random().toString(36).slice(2)}`;
  return (await createApiKey({ name, rights, ...more }, by, new Date())).secret;
}

export type Sent = {
  key?: string;
  json?: unknown;
  /** Sent unchanged, instead of `json`. */
  body?: string;
  headers?: Record<string, string>;
};

/** Calls the API. */
export async function callApi(
  server: TestServer,
  line: string,
  { key, json, body, headers = {} }: Sent = {},
): Promise<Answer> {
  const [method = 'GET', path = ''] = line.split(' ');
  const sent = body ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await fetch(`${server.base}/api/v1${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  return readAnswer(response);
}
