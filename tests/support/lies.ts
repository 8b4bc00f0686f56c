import { request } from 'node:http';
import type { Person } from './person.ts';

/** Everything a request can claim about its target, all of it false. */
const lies = {
  Host: 'evil.example',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Port': '4444',
  Forwarded: 'host=evil.example;proto=https',
  'X-Original-URL': 'https://evil.example/',
  'X-Host': 'evil.example',
};

/**
 * Posts a form with a false `Host`, which `fetch` would not send. Returns the status and location.
 */
export function postLying(
  person: Person,
  action: string,
  { body, headers }: { body: string; headers: Record<string, string> },
): Promise<{ status: number; location: string }> {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const all = {
    ...headers,
    ...lies,
    Cookie: cookie,
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      person.server.base + action,
      { method: 'POST', headers: all },
      (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '' });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
