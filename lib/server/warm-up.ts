import type { Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds after which a cold server is better than none. */
const patience = 15_000;
/** Milliseconds within which a failing target may recover. */
const recovers = 5000;
const again = 250;
/** What all pages share, and what asks the database. None of them is refused. */
const targets = ['/login', '/oauth/jwks', '/readyz'];

/** This server would answer people with failures. The message names the request that failed. */
export class FailsToAnswer extends Error {}

/**
 * Answers some requests of its own before any other, so that no client waits for what is loaded
 * once: code, database connections, caches. No network is needed.
 * @param host one of our names, for the `Host` header
 * @param isBorne whether a status is tolerated, such as 503 if there is no other server
 * @throws FailsToAnswer if a target keeps being answered with another 5xx
 */
export async function warmUp(
  server: Server,
  host: string,
  isBorne: (status: number) => boolean = () => false,
): Promise<void> {
  let failure: string | null = null;
  const askUntilWell = async (target: string) => {
    const until = performance.now() + recovers;
    for (;;) {
      const status = await askItself(server, host, target);
      if (status < 500 || isBorne(status)) break;
      failure = `Its own first request, GET ${target}, was answered with ${status}; the log says why.`;
      if (performance.now() > until) throw new FailsToAnswer(failure);
      await pause(again);
    }
    failure = null;
  };
  const warm = async () => {
    for (const target of targets) await askUntilWell(target);
    await Promise.all([...targets, ...targets].map((target) => askItself(server, host, target)));
  };
  await Promise.race([warm(), pause(patience, undefined, { ref: false })]);
  if (failure !== null) throw new FailsToAnswer(failure);
}

/** The status of the answer; 0 if there is none. */
async function askItself(server: Server, host: string, target: string): Promise<number> {
  const [near, far] = duplexPair();
  server.emit('connection', far);
  // No `end` yet: Node does not answer a client that closes before its answer is there.
  near.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const answer = await text(near).catch(() => '');
  near.end();
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
}
