import { expect, test } from 'vitest';
import { parseConfig } from '#lib/config.ts';

const secret = { SERVER_SECRET: 'a secret of the tests, worth nothing elsewhere' };
const parse = (env: Record<string, string>) => parseConfig({ ...secret, ...env }).metrics;
const elsewhere = { ISSUER: 'https://id.example.org' };

test('METRICS is off, loopback or token', () => {
  expect(parse({})).toBeNull();
  expect(parse({ METRICS: 'loopback' })).toEqual({ token: null });
  const token = 'a-token-of-the-monitor';
  expect(parse({ METRICS: 'token', METRICS_TOKEN: token, ...elsewhere })).toEqual({ token });
});

test('METRICS=loopback is refused with a public ISSUER, whichever proxies are trusted', () => {
  const near = { METRICS: 'loopback', ...elsewhere };
  expect(() => parse(near)).toThrow('Use METRICS=token');
  expect(() => parse({ ...near, TRUSTED_PROXIES: '127.0.0.1' })).toThrow('Use METRICS=token');
});

test.each<[string, Record<string, string>, string]>([
  ['no token', { METRICS: 'token' }, 'needs METRICS_TOKEN'],
  ['a short token', { METRICS: 'token', METRICS_TOKEN: 'short' }, 'at least 20'],
  ['a token that nobody asks for', { METRICS_TOKEN: 'a-token-of-the-monitor' }, 'METRICS is off'],
  ['another word', { METRICS: 'yes' }, 'METRICS is "yes", and has to be off, loopback or token'],
  ['a file that is not there', { METRICS: 'token', METRICS_TOKEN_FILE: '/nowhere/t' }, 'ENOENT'],
])('METRICS: %s is refused with what is expected', (_, env, says) => {
  expect(() => parse(env)).toThrow(says);
});
