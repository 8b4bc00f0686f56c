import { beforeEach, expect, test } from 'vitest';
import {
  longestRegisteredId,
  newRegisteredId,
  readRegisteredId,
} from '#lib/registration/registered-id.ts';
import { workOn } from '../support/work-on.ts';

const [one, other, third] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)];
const now = new Date('2026-03-01T12:34:56.789Z');
const metadata = {
  client_name: 'Ängström “App” 日本 😀',
  redirect_uris: ['http://localhost/callback', 'https://app.example/cb?x=1'],
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['authorization_code'],
};

/** Makes this process a server with this secret, and perhaps a previous one. */
function withSecret(current: string, previous?: string): void {
  workOn('file:/nowhere.db');
  process.env.SERVER_SECRET = current;
  process.env.SERVER_SECRET_PREVIOUS = previous ?? '';
}
const newId = (said: Record<string, unknown> = metadata, byToken = false): string =>
  newRegisteredId(said, byToken, now) ?? expect.fail('The id is too long.');

beforeEach(() => withSecret(one));

test('a registered client id contains the metadata, the time and whether a token was used', () => {
  const id = newId();
  expect(id).toMatch(/^gh_dyn_[\w-]+$/);
  expect(id.length).toBeLessThan(260);
  const { secret, ...said } = readRegisteredId(id) ?? expect.fail();
  expect(said).toEqual({ metadata, registeredAt: now, byToken: false });
  expect(secret).toMatch(/^gh_cs_[\w-]{43}$/);
  expect(readRegisteredId(newId(metadata, true))?.byToken).toBe(true);
});

test('registering the same metadata at the same time gives different client ids and secrets', () => {
  const ids = Array.from({ length: 50 }, () => newId());
  expect(new Set(ids).size).toBe(50);
  expect(new Set(ids.map((id) => readRegisteredId(id)?.secret)).size).toBe(50);
});

test('a registered client id that was altered anywhere is not accepted', () => {
  const id = newId();
  const { length } = 'gh_dyn_';
  for (let at = length; at < id.length; at += 1)
    for (const put of ['A', 'B', '_', '', 'AA', '=', '+', ' ']) {
      const altered = id.slice(0, at) + put + id.slice(at + 1);
      if (altered !== id) expect(readRegisteredId(altered), altered).toBeNull();
    }
  for (const cut of [1, 2, 20, 60, id.length - length]) {
    expect(readRegisteredId(id.slice(0, -cut))).toBeNull();
    expect(readRegisteredId(`gh_dyn_${id.slice(length + cut)}`)).toBeNull();
  }
  const spellings = [
    `${id}=`,
    `${id}\n`,
    ` ${id}`,
    id.toUpperCase(),
    `${id}A`,
    id.replace('_', '-'),
  ];
  for (const spelt of ['', 'gh_dyn_', 'gh_dyn_AAAA', ...spellings])
    expect(readRegisteredId(spelt), spelt).toBeNull();
});

test('two registered client ids joined together, or parts of them, are not accepted', () => {
  const [a, b] = [newId(), newId(metadata, true)];
  const bytesOf = (id: string) => Buffer.from(id.slice(7), 'base64url');
  const idOf = (...parts: Uint8Array[]) => `gh_dyn_${Buffer.concat(parts).toString('base64url')}`;
  const [first, second] = [bytesOf(a), bytesOf(b)];
  // Both begin with the format and differ in the next byte.
  for (let at = 2; at < first.length; at += 1)
    expect(readRegisteredId(idOf(first.subarray(0, at), second.subarray(at)))).toBeNull();
  expect(readRegisteredId(idOf(first, second))).toBeNull();
  expect(readRegisteredId(idOf(first))).toEqual(readRegisteredId(a));
});

test('a registered client id of a server with another secret is not accepted', () => {
  const id = newId();
  withSecret(other);
  expect(readRegisteredId(id)).toBeNull();
});

test('a registered client id and its secret remain valid while the previous server secret is kept', () => {
  const id = newId();
  const before = readRegisteredId(id);
  withSecret(other, one);
  expect(readRegisteredId(id)).toEqual(before);
  const id2 = newId();
  withSecret(third, other);
  expect(readRegisteredId(id)).toBeNull();
  expect(readRegisteredId(id2)?.metadata).toEqual(metadata);
});

test('a registered client id has a maximum length', () => {
  const noise = (length: number) =>
    Array.from({ length }, (_, at) => ((at * 7919 + 13) ** 2 % 36).toString(36)).join('');
  const said = (length: number) => ({ redirect_uris: [`https://app.example/${noise(length)}`] });
  expect(newId(said(100)).length).toBeLessThanOrEqual(longestRegisteredId);
  const random = Buffer.from(Array.from({ length: 1500 }, (_, at) => (at * 211 + at ** 2) % 256));
  const long = { redirect_uris: [`https://app.example/${random.toString('base64url')}`] };
  const id = newRegisteredId(long, false, now);
  if (id !== null) expect(id.length).toBeLessThanOrEqual(longestRegisteredId);
  expect(readRegisteredId(`gh_dyn_${'A'.repeat(longestRegisteredId)}`)).toBeNull();
});
