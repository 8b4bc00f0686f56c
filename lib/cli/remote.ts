import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';
import { prefixes } from '../oauth/secrets.ts';
import { readTextFile } from '../settings/text-file.ts';

/** A server on which commands run through its API, with the API key. */
export type Remote = { api: string; key: string };

let remote: Remote | null = null;

/** The server on which the commands of this process run; null for this machine. */
export const remoteServer = (): Remote | null => remote;

/** Reads `--server` and `--key-file`. @throws Error whose message is one sentence */
export function chooseServer({ server, keyFile }: { server?: string; keyFile?: string }): void {
  remote = null;
  if (server === undefined && keyFile === undefined) return;
  if (server === undefined || keyFile === undefined)
    throw new Error('--server and --key-file belong together.');
  remote = { api: `${addressOf(server)}/api/v1`, key: readKey(keyFile) };
}

function addressOf(server: string): string {
  const url = URL.parse(server);
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (!url || !isSafe || url.username || url.password || url.search || url.hash)
    throw new Error('--server takes the address of a server, with https.');
  return url.href.replace(/\/$/, '');
}

function readKey(file: string): string {
  const path = resolve(process.env.INIT_CWD ?? '.', file);
  if ((statSync(path).mode & 0o077) !== 0)
    throw new Error(`Others may read ${file}. Run chmod 600 ${file} first.`);
  const key = readTextFile(path).trim();
  if (key.startsWith(prefixes.apiKey) && /^[\w-]+$/.test(key)) return key;
  throw new Error(`${file} has no API key. One begins with ${prefixes.apiKey}.`);
}

/** One API call: its method and path, and the values for its query or body. */
type Line = { method: string; path: string; said: Record<string, unknown> };

/** A refusal by another server, in the words of its problem document. */
export class RefusedThere extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(reasonOf(status, text));
    this.status = status;
  }
}

/**
 * Calls the API and returns its answer.
 * @throws RefusedThere, or Error if the server cannot be reached
 */
export async function callRemote(line: Line, { api, key }: Remote): Promise<unknown> {
  const { method, path, said } = line;
  const reads = method === 'GET';
  const query = reads ? queryOf(said) : '';
  const hasBody = !reads && method !== 'DELETE';
  const response = await fetch(`${api}${path}${query}`, {
    method,
    // A redirect must not carry the key to another server.
    redirect: 'error',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(said) } : {}),
  }).catch((error: Error) => {
    throw new Error(
      `${api} cannot be reached: ${(error.cause as Error)?.message ?? error.message}`,
    );
  });
  const text = await response.text();
  if (!response.ok) throw new RefusedThere(response.status, text);
  return JSON.parse(text, (_, value) => (isMoment(value) ? new Date(value) : value));
}

function queryOf(said: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(said))
    for (const one of [value].flat()) if (one !== undefined) query.append(name, String(one));
  return query.size > 0 ? `?${query}` : '';
}

function reasonOf(status: number, text: string): string {
  try {
    const { detail, request_id: id } = JSON.parse(text) as { detail: string; request_id: string };
    return `${detail} (${status}, request ${id})`;
  } catch {
    return `The server answered ${status}, and not as its API does.`;
  }
}

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
