import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Instance } from './instance.ts';

/** The way in for the demo's admin; the token is gone once it was used. */
export type Door = { token: string | null; cookie: string };

/** A door, and the link that opens it, of something that listens on that port. */
export function newDoor(
  { adminCookie: cookie }: Pick<Instance, 'adminCookie'>,
  port: number,
): { door: Door; adminLink: string } {
  const token = randomBytes(24).toString('base64url');
  // Cookies know no ports: one that is set here is the server's too, whose name is localhost as well.
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
