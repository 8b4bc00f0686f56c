import { createInterface } from 'node:readline';
import { keysOfClient } from '#lib/registration/key-sets.ts';

/*
 * Asks for the keys of clients as a server does, at a given time. Each line of the input names an
 * address, a key, a time and the client's origin. Each line of the output lists the keys that were
 * found.
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
