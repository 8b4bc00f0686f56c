import dns from 'node:dns';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, expect, test } from 'vitest';
import { FetchFailed, fetchDocument } from '#lib/http/outgoing.ts';

/** A server on the internal network, which may never receive anything here. */
let heard = 0;
const inside = createServer((socket) => {
  heard += 1;
  socket.destroy();
});
await once(inside.listen(0, '127.0.0.1'), 'listening');
const { port } = inside.address() as AddressInfo;
afterAll(() => inside.close());

const { lookup } = dns;
afterEach(() => {
  dns.lookup = lookup;
  syncBuiltinESMExports();
});

/**
 * Makes names resolve to these addresses, one list per lookup. Returns a function that counts
 * lookups.
 */
function resolveTo(...answers: string[][]): () => number {
  let times = 0;
  const answer = (_host: string, _options: object, done: (...found: unknown[]) => void) => {
    const now = answers[Math.min(times, answers.length - 1)] ?? [];
    times += 1;
    const found = now.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    done(null, found);
  };
  dns.lookup = answer as unknown as typeof dns.lookup;
  syncBuiltinESMExports();
  return () => times;
}

const refused = /public.*CLIENT_DOCUMENTS_FROM_PRIVATE_ADDRESSES/;

test.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '0',
  '10.0.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::7f00:1]',
  '[fe80::1]',
  '[fd00::1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:1::1]',
])('no client document is fetched from %s, or from a host resolving to it', async (spelling) => {
  await expect(fetchDocument(`https://${spelling}:${port}/x`, null)).rejects.toThrow(refused);
  const { hostname } = new URL(`https://${spelling}/`);
  const lookUps = resolveTo([hostname.replace(/[[\]]/g, '')]);
  await expect(fetchDocument(`https://app.example:${port}/x`, null)).rejects.toThrow(refused);
  expect([lookUps(), heard]).toEqual([1, 0]);
});

// No network has this address, so a connection to it fails immediately.
const elsewhere = '4000::1';

test('a client document: the host is resolved once, and the checked address is called (DNS rebinding)', async () => {
  const lookUps = resolveTo([elsewhere], ['127.0.0.1']);
  const failure = fetchDocument(`https://app.example:${port}/x`, null);
  await expect(failure).rejects.toThrow(FetchFailed);
  await expect(failure).rejects.not.toThrow(refused);
  expect([lookUps(), heard]).toEqual([1, 0]);
});

test('a client document: private addresses among those of a host are not called', async () => {
  resolveTo(['127.0.0.1', elsewhere, '::1']);
  await expect(fetchDocument(`https://app.example:${port}/x`, null)).rejects.toThrow(FetchFailed);
  expect(heard).toBe(0);
});

test('a client document is fetched by https only', async () => {
  await expect(fetchDocument(`http://127.0.0.1:${port}/x`, null)).rejects.toThrow(/https/);
  expect(heard).toBe(0);
});
