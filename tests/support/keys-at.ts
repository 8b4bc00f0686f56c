import { createInterface } from 'node:readline';
import { keysOfClient } from '#lib/registration/key-sets.ts';

/*
 * Asks for the keys of a client as a server does, at whatever time it is told: each line of its input names
 * an address, a key, a moment and who made the client, and each line of its output the keys that were found.
 */
const asker = { id: 'test', address: '127.0.0.1', isShared: false };

for await (const line of createInterface({ input: process.stdin })) {
  const { number, uri, kid, at, origin } = JSON.parse(line);
  const client = { origin, jwks: null, jwksUri: uri } as never;
  void keysOfClient(client, kid, asker, new Date(at)).then((found) => {
    const told = 'keys' in found ? found.keys.map((key) => key.kid) : found.fault.facts.received;
    console.log(JSON.stringify({ number, found: told }));
  });
}
process.exit(0);
