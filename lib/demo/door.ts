import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Instance } from './instance.ts';

/** The sign-in link of the demo's admin; the token is null once it has been used. */
export type Door = { token: string | null; cookie: string };

/** Makes a sign-in link that works at the server on this port. */
export function newDoor(
  { adminCookie: cookie }: Pick<Instance, 'adminCookie'>,
  port: number,
): { door: Door; adminLink: string } {
  const token = randomBytes(24).toString('base64url');
  // Cookies ignore ports: one set here is also sent to the server, whose host name is localhost
  // too.
  return { door: { token, cookie }, adminLink: `http://localhost:${port}/admin?token=${token}` };
}

export function openDoor(door: Door, url: URL, server: string, response: ServerResponse): void {
  if (door.token === null || url.searchParams.get('token') !== door.token) {
    response.writeHead(410, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end('This link has been used. The terminal shows a username and password as well.');
    return;
  }
  door.token = null;
  response.setHeader('Set-Cookie', door.cookie);
  redirect(response, `${server}/admin`);
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location }).end();
}
