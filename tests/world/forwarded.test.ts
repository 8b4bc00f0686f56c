import { beforeEach, describe, expect, test } from 'vitest';
import { config, parseConfig } from '#lib/config.ts';
import {
  isNear,
  isTrustedProxy,
  mayBeProxy,
  senderOf,
  unreadableForwards,
  unreadableFrom,
} from '#lib/http/address.ts';
import { readRange } from '#lib/settings/ip-address.ts';
import { filesThatUse } from './doors.ts';
import { forwarded, proxies, unnamed } from './forwarded.ts';

const proxy = '10.0.0.1';
beforeEach(() => {
  config().trustedProxies = [proxy, '10.0.0.2'].flatMap((text) => {
    const range = readRange(text);
    return range ? [range] : [];
  });
  unreadableForwards().clear();
});

test.each(forwarded)('X-Forwarded-For as %s sends it: %s', (_, written, means) => {
  expect(senderOf(proxy, written)).toEqual({ address: means, isShared: false });
  // Sockets of two families show the same proxy in two ways.
  expect(senderOf(`::ffff:${proxy}`, written)).toEqual({ address: means, isShared: false });
  expect([unreadableFrom(proxy, written), unreadableForwards().size]).toEqual([null, 0]);
});

test.each(unnamed)('X-Forwarded-For that names nobody, %s: %s', (_, written, isFault) => {
  expect(senderOf(proxy, `198.51.100.1, ${written}`)).toEqual({ address: proxy, isShared: true });
  const told = isFault ? written.slice(0, 60) : null;
  expect(unreadableFrom(proxy, written)).toBe(told);
  expect([...unreadableForwards().values()]).toEqual(told === null ? [] : [told]);
});

test('what peers that are not trusted send in place of an address is no fault', () => {
  expect(senderOf('198.51.100.9', 'nonsense').address).toBe('198.51.100.9');
  expect([unreadableFrom('198.51.100.9', 'nonsense'), unreadableForwards().size]).toEqual([
    null,
    0,
  ]);
});

describe.each(proxies)('TRUSTED_PROXIES=%s', (entry, covered, not) => {
  test.each([isTrustedProxy, mayBeProxy, isNear])('%o', (asks) => {
    const env = {
      TRUSTED_PROXIES: entry,
      SERVER_SECRET: 'x'.repeat(48),
      DATABASE_URL: 'file:x.db',
    };
    config().trustedProxies = parseConfig(env).trustedProxies;
    expect([asks(covered), asks(not)]).toEqual([true, false]);
  });
});

test.each(['10.0.0.0/33', '::ffff:10.0.0.0/8', '10.0.0', 'localhost', '/8', 'unknown'])(
  'TRUSTED_PROXIES=%s is refused',
  (entry) => expect(readRange(entry)).toBeUndefined(),
);

test('addresses of peers and proxies are read by one function', () => {
  expect(filesThatUse('readAddress', 'lib/settings/ip-address.ts')).toEqual([
    'lib/http/address.ts',
    // A peer that no proxy stands before.
    'lib/server/ldap.ts',
  ]);
  expect(filesThatUse('readRange', 'lib/settings/ip-address.ts')).toEqual(['lib/config.ts']);
});
