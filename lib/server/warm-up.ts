import type { Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds after which a cold server is better than none. */
const patience = 15_000;
/** Milliseconds in which what fails may come to itself. */
const recovers = 5000;
const again = 250;
/** A page of Next.js, which loads what all pages share, and what asks the database; nothing that is refused. */
const targets = ['/login', '/oauth/jwks', '/readyz'];

/** A server that would answer people with failures. Its message says which. */
export class FailsToAnswer extends Error {}

/**
 * Answers some requests of its own before anybody else's, so that nobody waits for what is loaded
 * once: code, connections to the database, caches. No network is needed.
 * @param host a name that is ours, for the `Host` header
 * @param isBorne a status that is no reason to end, such as 503 where there is no other server
 * @throws FailsToAnswer if a target is answered with another 5xx, and goes on so
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

/** The status of the answer; 0 for none. */
async function askItself(server: Server, host: string, target: string): Promise<number> {
  const [near, far] = duplexPair();
  server.emit('connection', far);
  // Not `end`: Node answers nothing to who closes before the answer is there.
  near.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const answer = await text(near).catch(() => '');
  near.end();
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
}
