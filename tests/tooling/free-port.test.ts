import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';

// A program that a test starts may listen only seconds after its port was chosen.
test('freePort gives a port below the range from which systems choose ports', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  // The lowest port that Linux, macOS and Windows assign by themselves.
  for (const port of ports) expect(port).toBeLessThan(32_768);
});

test('freePort gives a port on which nothing listens', async () => {
  const taken = new Set<number>();
  const servers = Array.from({ length: 20 }, () => createServer());
  for (const server of servers) {
    const port = await freePort();
    expect(taken).not.toContain(port);
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    taken.add(port);
  }
  for (const server of servers) server.close();
});
