import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port that is not in use, below the range that the system assigns to connections and to programs
 * that ask for any port (from 32768 on Linux). A port of that range can be taken again before a
 * program that starts slowly listens on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await canListenAt(port)) return port;
  }
}

async function canListenAt(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  const listens = await once(probe, 'listening').catch(() => null);
  if (!listens) return false;
  probe.close();
  await once(probe, 'close');
  return true;
}
