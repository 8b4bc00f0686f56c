import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';
import { prefixes } from '../oauth/secrets.ts';

/** A server that commands run on by its API, with the key for it. */
export type Remote = { api: string; key: string };

let remote: Remote | null = null;

/** Where the commands of this process run; null: on this machine. */
export const remoteServer = (): Remote | null => remote;

/** Reads `--server` and `--key-file`. @throws Error with one sentence */
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
  const key = readFileSync(path, 'utf8').trim();
  if (key.startsWith(prefixes.apiKey) && /^[\w-]+$/.test(key)) return key;
  throw new Error(`${file} has no API key. One begins with ${prefixes.apiKey}.`);
}

/** What a command says of a call: where it is, and what stands in its query or body. */
type Line = { method: string; path: string; said: Record<string, unknown> };

/** What another server refused, in the words of its problem. */
export class RefusedThere extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(reasonOf(status, text));
    this.status = status;
  }
}

/** Calls the API, and gives what it tells. @throws RefusedThere, or Error where nothing answers */
export async function callRemote(line: Line, { api, key }: Remote): Promise<unknown> {
  const { method, path, said } = line;
  const reads = method === 'GET';
  const query = reads ? queryOf(said) : '';
  const hasBody = !reads && method !== 'DELETE';
  const response = await fetch(`${api}${path}${query}`, {
    method,
    // The key goes to nobody else.
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
