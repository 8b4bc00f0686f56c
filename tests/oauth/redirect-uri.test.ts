import { expect, test } from 'vitest';
import {
  isLoopbackHost,
  redirectKind,
  redirectUriFault,
  withParams,
} from '#lib/oauth/redirect-uri.ts';

test.each([
  'https://app.example/cb',
  'https://app.example',
  'https://app.example/',
  'https://app.example:8443/cb?tenant=1',
  'http://127.0.0.1/cb',
  'http://[::1]:4000/cb',
  'http://localhost:3000/',
  'com.example.app:/cb',
  'com.example.app://cb',
  'https://app.example/cb?codes=1&states=2',
  'HTTPS://APP.example:443',
  'http://LOCALHOST:80?x=1',
  'Com.Example.App://Callback',
])('the redirect URI %s is valid', (uri) => {
  expect(redirectUriFault(uri)).toBeNull();
});

test.each([
  ['fragment', 'https://app.example/cb#x'],
  ['empty fragment', 'https://app.example/cb#'],
  ['user', 'https://user@app.example/'],
  ['empty user', 'https://@app.example/'],
  ['user and password', 'https://a:b@app.example/'],
  ['space', 'https://app.example/a b'],
  ['tab', 'https://app.example/\t'],
  ['line end', 'https://app.example/\n'],
  ['NUL', 'https://app.example/\0'],
  ['non-ASCII', 'https://äpp.example/'],
  ['backslash', 'https://app.example\\cb'],
  ['relative', '/cb'],
  ['scheme-relative', '//app.example/cb'],
  ['nothing', ''],
  ['no host', 'https://'],
  ['not in normal form: dots', 'https://app.example/a/../b'],
  ['not in normal form: number as host', 'http://2130706433/'],
  ['not in normal form: no slashes', 'https:app.example'],
  ['not in normal form: another port with a zero', 'https://app.example:0443/'],
  ['javascript', 'javascript:alert(1)'],
  ['JavaScript', 'JAVASCRIPT:alert(1)'],
  ['data', 'data:,x'],
  ['vbscript', 'vbscript:x'],
  ['file', 'file:///x'],
  ['blob', 'blob:https://app.example/x'],
  ['about', 'about:blank'],
  ['code in the query', 'https://app.example/?code=1'],
  ['state in the query', 'https://app.example/?x=1&state='],
  ['iss in the query', 'https://app.example/?iss'],
  ['error in the query, escaped', 'https://app.example/?%65rror=1'],
  ['error_description in the query', 'https://app.example/?error_description=1'],
  ['too long', `https://app.example/${'x'.repeat(2000)}`],
])('a redirect URI is refused: %s', (_, uri) => {
  expect(redirectUriFault(uri)?.english).toEqual(expect.any(String));
});

test.each([
  ['https://app.example/', 'https'],
  ['http://app.example/', 'http'],
  ['HTTPS://app.example/', 'https'],
  ['HTTP://app.example/', 'http'],
  ['HTTP://LocalHost/', 'loopback'],
  ['http://127.0.0.1/', 'loopback'],
  ['http://127.9.9.9/', 'loopback'],
  ['http://[::1]/', 'loopback'],
  ['http://localhost/', 'loopback'],
  ['http://app.localhost/', 'loopback'],
  ['http://localhost.example/', 'http'],
  ['http://127.0.0.1.example/', 'http'],
  ['com.example.app:/cb', 'private-use'],
])('the redirect URI %s is of kind %s', (uri, kind) => {
  expect(redirectKind(uri)).toBe(kind);
});

test.each(['127.0.0.1', '127.255.255.254', '[::1]', 'localhost', 'LOCALHOST', 'a.b.localhost'])(
  '%s is a loopback host',
  (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  },
);

test.each([
  '128.0.0.1',
  '0.0.0.0',
  '[::]',
  '[::2]',
  'localhost.example',
  'notlocalhost',
  '127.0.0.1.example',
  '',
])('%s is no loopback host', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});

test.each([
  [
    'https://a.example/',
    { code: 'x y', state: 'a&b=c#d+e%' },
    'https://a.example/?code=x%20y&state=a%26b%3Dc%23d%2Be%25',
  ],
  ['https://a.example/?t=1', { code: 'x' }, 'https://a.example/?t=1&code=x'],
  ['https://a.example/?', { code: 'x' }, 'https://a.example/?code=x'],
  ['https://a.example/?t&', { code: 'x' }, 'https://a.example/?t&code=x'],
  ['com.example.app:/cb', { code: 'x', state: undefined }, 'com.example.app:/cb?code=x'],
  ['https://a.example/', { state: '\r\nX: y' }, 'https://a.example/?state=%0D%0AX%3A%20y'],
])('the redirect URI %s with the parameters of a response', (uri, answer, expected) => {
  expect(withParams(uri, answer)).toBe(expected);
});
