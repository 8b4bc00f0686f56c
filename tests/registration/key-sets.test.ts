import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import type { ClientOrigin } from '#lib/oauth/client.ts';
import { keySet, newSigningKey, type SigningKey } from '../support/assertions.ts';
import { createDatabase } from '../support/database.ts';
import { openDocumentSite } from '../support/document-site.ts';
import { sharedEnv } from '../support/shared-env.ts';

/* A jwks_uri over time: how long its keys are believed, and what happens when they change. */

const site = await openDocumentSite();
const key = await newSigningKey();
const next = await newSigningKey();
const guess = await newSigningKey();
const databaseUrl = await createDatabase('sqlite');
const asking = spawn(process.execPath, ['tests/support/keys-at.ts'], {
  env: {
    ...process.env,
    ...sharedEnv,
    ...site.env,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'silent',
  },
  stdio: ['pipe', 'pipe', 'inherit'],
});
const waiting = new Map<number, (found: unknown) => void>();
createInterface({ input: asking.stdout }).on('line', (line) => {
  const { number, found } = JSON.parse(line);
  waiting.get(number)?.(found);
});
afterAll(() => asking.stdin.end());

let asks = 0;
/** The ids of the keys that are found this many seconds after the start, or why there are none. */
function keysAt(
  uri: string,
  seconds: number,
  kid = key.kid,
  origin: ClientOrigin = 'admin',
): Promise<unknown> {
  asks += 1;
  const number = asks;
  const at = Date.UTC(2026, 10, 26, 12) + seconds * 1000;
  return new Promise((found) => {
    waiting.set(number, found);
    asking.stdin.write(`${JSON.stringify({ number, uri, kid, at, origin })}\n`);
  });
}
const newUri = () => site.id(`k${randomBytes(6).toString('hex')}.client.test`, '/jwks');
function serve(uri: string, keys: SigningKey[], cache = 'max-age=600', body = keySet(...keys)) {
  site.serve(uri, (_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': cache })
      .end(body),
  );
}

test('a jwks_uri is fetched again when its max-age is over', async () => {
  const uri = newUri();
  serve(uri, [key]);
  expect(await keysAt(uri, 0)).toEqual([key.kid]);
  expect(await keysAt(uri, 599)).toEqual([key.kid]);
  expect(site.asked(uri)).toBe(1);
  serve(uri, [next]);
  // The key that its client withdrew is gone.
  expect(await keysAt(uri, 600)).toEqual([next.kid]);
  expect(site.asked(uri)).toBe(2);
});

test('a jwks_uri is cached for an hour at most, whatever its max-age', async () => {
  const uri = newUri();
  serve(uri, [key], 'max-age=999999');
  expect(await keysAt(uri, 0)).toEqual([key.kid]);
  serve(uri, [next]);
  expect(await keysAt(uri, 3599)).toEqual([key.kid]);
  expect(await keysAt(uri, 3600)).toEqual([next.kid]);
});

test('an unknown kid makes a jwks_uri be fetched again, at most once in half a minute', async () => {
  const uri = newUri();
  serve(uri, [key]);
  await keysAt(uri, 0);
  for (const seconds of [1, 15, 29])
    expect(await keysAt(uri, seconds, guess.kid)).toEqual([key.kid]);
  expect(site.asked(uri)).toBe(1);
  serve(uri, [key, next]);
  expect(await keysAt(uri, 30, next.kid)).toEqual([key.kid, next.kid]);
  expect(site.asked(uri)).toBe(2);
});

test('concurrent requests fetch a jwks_uri only once', async () => {
  const uri = newUri();
  serve(uri, [key]);
  const found = await Promise.all(Array.from({ length: 8 }, () => keysAt(uri, 0)));
  expect(found).toEqual(found.map(() => [key.kid]));
  expect(site.asked(uri)).toBe(1);
});

test('while a jwks_uri fails, its keys are used for an hour, and it is fetched at most twice a minute', async () => {
  const uri = newUri();
  serve(uri, [key]);
  await keysAt(uri, 0);
  site.serve(uri, (_, response) => response.writeHead(500).end());
  expect(await keysAt(uri, 600)).toEqual([key.kid]);
  expect(await keysAt(uri, 629)).toEqual([key.kid]);
  expect(site.asked(uri)).toBe(2);
  expect(await keysAt(uri, 3599)).toEqual([key.kid]);
  expect(await keysAt(uri, 3600)).toBe('status 500');
  serve(uri, [key]);
  expect(await keysAt(uri, 3628)).toBe('status 500');
  expect(await keysAt(uri, 3629)).toEqual([key.kid]);
});

test.each([
  ['a private key', JSON.stringify({ keys: [key.jwk, { ...next.jwk, d: 'AAAA' }] })],
  ['nothing that signs', JSON.stringify({ keys: [{ kty: 'oct', kid: key.kid, k: 'AAAA' }] })],
  ['no set', '[]'],
])(
  'a jwks_uri that starts to return %s has no keys, not even the previous ones',
  async (_, body) => {
    const uri = newUri();
    serve(uri, [key]);
    await keysAt(uri, 0);
    serve(uri, [], 'max-age=600', body);
    expect(await keysAt(uri, 600)).toEqual(expect.any(String));
    site.serve(uri, (_, response) => response.writeHead(500).end());
    expect(await keysAt(uri, 660)).toBe('status 500');
    serve(uri, [key]);
    expect(await keysAt(uri, 700)).toEqual([key.kid]);
  },
);

test('fetches of key sets for unverified clients do not use up the limit for an admin’s client', async () => {
  const host = `k${randomBytes(6).toString('hex')}.client.test`;
  const ask = async (path: string, origin: ClientOrigin) => {
    const uri = site.id(host, path);
    serve(uri, [key]);
    return keysAt(uri, 0, key.kid, origin);
  };
  for (let count = 0; count < 30; count += 1)
    expect(await ask(`/${count}`, 'registration')).toEqual([key.kid]);
  expect(await ask('/31', 'registration')).toBe('too many key sets are being fetched');
  expect(await ask('/32', 'admin')).toEqual([key.kid]);
});

test('a clock that was set back does not prevent the fetch of a jwks_uri', async () => {
  const uri = newUri();
  serve(uri, [key]);
  await keysAt(uri, 7200);
  serve(uri, [key, next]);
  expect(await keysAt(uri, 0, next.kid)).toEqual([key.kid, next.kid]);
});
