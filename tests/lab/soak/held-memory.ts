import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../support/server.ts';
import { residentOf } from './ground.ts';

/**
 * A server's memory in MiB: before, the most while outsiders kept connections open, and after they
 * left.
 */
export type Held = { what: string; before: number; most: number; after: number };

/** A post that is sent with a complete head and a body that may stay unfinished. */
type Post = { path: string; head?: string[]; body: Buffer };

/**
 * Opens all posts at the same time, waits until the server has read what it accepts, and hangs up.
 */
export async function holdPosts(
  server: Server,
  what: string,
  posts: Post[],
  { holdMs = 4000, restMs = 6000 } = {},
): Promise<Held> {
  const before = residentOf(server);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentOf(server));
  }, 50);
  const sockets = posts.map((post) => open(server.port, post));
  await sleep(holdMs);
  for (const socket of sockets) socket.destroy();
  await sleep(restMs);
  clearInterval(watch);
  return { what, before, most, after: residentOf(server) };
}

function open(port: number, { path, head = [], body }: Post): Socket {
  const socket = connect(port, '127.0.0.1');
  // The server may hang up first.
  socket.on('error', () => {});
  socket.resume();
  const lines = [`POST ${path} HTTP/1.1`, `Host: localhost:${port}`, ...head];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return socket;
}

const megabyte = Buffer.alloc(1024 * 1024, 'x');
const multipart = 'Content-Type: multipart/form-data; boundary=x';

/** Posts that announce 10 MB and send 9 of them, to pages that exist and to one that does not. */
export function unfinishedPosts(count: number): Post[] {
  const paths = ['/login', '/nowhere', '/admin/settings/look', '/'];
  return Array.from({ length: count }, (_, index) => ({
    path: paths[index % paths.length] ?? '/',
    head: [multipart, `Content-Length: ${10 * 1024 * 1024}`],
    body: Buffer.concat(Array.from({ length: 9 }, () => megabyte)),
  }));
}

/** Posts to endpoints that stop before the end of their 64 KiB. */
export function slowBodies(count: number): Post[] {
  const paths = ['/oauth/token', '/login/submit', '/oauth/me', '/oauth/authorize'];
  return Array.from({ length: count }, (_, index) => ({
    path: paths[index % paths.length] ?? '/',
    head: ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 65536'],
    body: megabyte.subarray(0, 60_000),
  }));
}

/** Uploads of 8 MB profile pictures by a signed-in user. */
export function uploads(count: number, cookie: string, origin: string): Post[] {
  const start = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(start), ...Array.from({ length: 8 }, () => megabyte)]);
  const end = Buffer.from('\r\n--x--\r\n');
  return Array.from({ length: count }, () => ({
    path: '/account/picture/submit',
    head: [
      multipart,
      `Content-Length: ${body.length + end.length}`,
      `Cookie: ${cookie}`,
      `Origin: ${origin}`,
    ],
    body: Buffer.concat([body, end]),
  }));
}
