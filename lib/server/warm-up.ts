import type { Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds after which a cold server is better than none. */
const patience = 15_000;
/** A page of Next.js, which loads what all pages share, and what asks the database; nothing that is refused. */
const targets = ['/login', '/oauth/jwks', '/readyz'];

/**
 * Answers some requests of its own before anybody else's, so that nobody waits for what is loaded
 * once: code, connections to the database, caches. No network is needed.
 * @param host a name that is ours, for the `Host` header
 */
export async function warmUp(server: Server, host: string): Promise<void> {
  const warm = (async () => {
    for (const target of targets) await askItself(server, host, target);
    await Promise.all([...targets, ...targets].map((target) => askItself(server, host, target)));
  })();
  await Promise.race([warm, pause(patience, undefined, { ref: false })]).catch(() => {});
}

async function askItself(server: Server, host: string, target: string): Promise<void> {
  const [near, far] = duplexPair();
  server.emit('connection', far);
  near.end(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await text(near);
}
