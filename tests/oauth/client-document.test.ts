import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  documentIdFault,
  freshSeconds,
  hostAdmitted,
  readClientDocument,
} from '#lib/oauth/client-document.ts';

describe('the URL of a client ID metadata document (draft-ietf-oauth-client-id-metadata-document-02 section 3)', () => {
  test.each([
    'https://app.example/client.json',
    'https://app.example/',
    'https://app.example:8443/client.json',
    'https://xn--bcher-kva.example/client?version=2',
    `https://app.example/${'x'.repeat(980)}`,
  ])('is accepted: %.60s', (id) => {
    expect(documentIdFault(id)).toBeNull();
  });

  test.each([
    'https://app.example',
    'http://app.example/x',
    'https:app.example/x',
    'https:///app.example/x',
    'HTTPS://app.example/x',
    'https://app.example/x#y',
    'https://app.example/x#',
    'https://a@app.example/x',
    'https://@app.example/x',
    'https://a:b@app.example/x',
    'https://app.example/./x',
    'https://app.example/a/../x',
    'https://app.example/a/%2e%2E/x',
    'https://app.example/..',
    'https://app.example:443/x',
    'https://APP.example/x',
    'https://app.example\\x',
    'https://app.example/ x',
    'https://app.example/\tx',
    'https://bücher.example/x',
    'https://app.example./x',
    'https://app/x',
    'https://localhost/x',
    'https://app.localhost:3000/x/../y',
    `https://app.example/${'x'.repeat(981)}`,
  ])('is refused: %.60s', (id) => {
    expect(documentIdFault(id)).toMatch(/^It/);
  });

  test.each([
    'https://127.0.0.1/x',
    'https://127.1/x',
    'https://2130706433/x',
    'https://0x7f000001/x',
    'https://0x7f.1/x',
    'https://0177.0.0.1/x',
    'https://0/x',
    'https://0.0.0.0/x',
    'https://10.0.0.1/x',
    'https://172.16.0.1/x',
    'https://192.168.0.1/x',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/x',
    'https://224.0.0.1/x',
    'https://255.255.255.255/x',
    'https://[::1]/x',
    'https://[::]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://[::ffff:7f00:1]/x',
    'https://[::127.0.0.1]/x',
    'https://[0:0:0:0:0:0:0:1]/x',
    'https://[fe80::1]/x',
    'https://[fd00::1]/x',
    'https://[64:ff9b::7f00:1]/x',
    'https://[2002:7f00:1::]/x',
    'https://①②⑦.⓪.⓪.①/x',
    'https://127。0。0。1/x',
    'https://8.8.8.8/x',
  ])('has no IP address as its host: %s', (id) => {
    expect(documentIdFault(id)).not.toBeNull();
  });
});

test.each<[readonly string[], string, 'listed' | 'any' | null]>([
  [[], 'app.example', null],
  [['app.example'], 'app.example', 'listed'],
  [['app.example'], 'x.app.example', null],
  [['app.example'], 'xapp.example', null],
  [['*.app.example'], 'x.app.example', 'listed'],
  [['*.app.example'], 'y.x.app.example', 'listed'],
  [['*.app.example'], 'app.example', null],
  [['*.app.example'], 'xapp.example', null],
  [['any'], 'app.example', 'any'],
  [['any', 'app.example'], 'app.example', 'listed'],
])('CLIENT_DOCUMENT_HOSTS %j admits %s as %s', (hosts, host, how) => {
  expect(hostAdmitted(hosts, host)).toBe(how);
});

test.each<[string | undefined, string | undefined, number]>([
  [undefined, undefined, 300],
  ['', '5', 300],
  ['max-age=3600', undefined, 3600],
  ['public, max-age=3600, s-maxage=600', undefined, 600],
  ['max-age="900"', undefined, 900],
  ['MAX-AGE=3600', '600', 3000],
  ['max-age=3600', '99999', 60],
  ['max-age=3600', 'soon', 3600],
  ['max-age=0', undefined, 60],
  ['max-age=9999999999', undefined, 86_400],
  ['max-age=-1', undefined, 300],
  ['no-store, max-age=3600', undefined, 60],
  ['no-cache', undefined, 60],
])('client document: Cache-Control %s with Age %s means %i seconds', (control, age, seconds) => {
  expect(freshSeconds(control, age)).toBe(seconds);
});

test('members of a client document that are not used do not change its digest', () => {
  const id = 'https://app.example/client.json';
  const said = { client_id: id, redirect_uris: ['https://app.example/cb'] };
  const hashOf = (more: object) => {
    const read = readClientDocument(id, JSON.stringify({ ...said, ...more }));
    return 'content' in read ? read.content.hash : read.fault.reason;
  };
  expect(hashOf({ logo_uri: 'https://app.example/x.png', x: 1 })).toBe(hashOf({}));
  expect(hashOf({ client_name: 'Other' })).not.toBe(hashOf({}));
  expect(hashOf({ redirect_uris: ['https://app.example/other'] })).not.toBe(hashOf({}));
});

test('a client document is read without inherited members, and the last of a repeated one counts', () => {
  const id = 'https://app.example/client.json';
  const doubled = `{"client_id":"https://other.example/x","client_id":"${id}","redirect_uris":["https://app.example/"],"__proto__":{"client_secret":"x"}}`;
  expect(readClientDocument(id, doubled)).toHaveProperty('content');
  expect(readClientDocument(id, `{"__proto__":{"client_id":"${id}"}}`)).toMatchObject({
    fault: { kind: 'invalid' },
  });
});

test.each<[string, Record<string, unknown>, RegExp]>([
  ['another id', { client_id: 'https://other.example/x' }, /client_id is not the address/],
  ['the id in another spelling', { client_id: 'https://APP.example/client.json' }, /client_id/],
  ['a secret', { client_secret: 'x' }, /client_secret/],
  ['the end of a secret', { client_secret_expires_at: 0 }, /client_secret_expires_at/],
  ['a private key', { jwks: { keys: [{ kty: 'RSA', n: 'x' }, { d: 'x' }] } }, /private key/],
  ['a shared key', { jwks: { keys: [{ kty: 'oct', k: 'x' }] } }, /private key/],
  ['a shared secret', { token_endpoint_auth_method: 'client_secret_jwt' }, /than none/],
  [
    'a signed assertion without keys',
    { token_endpoint_auth_method: 'private_key_jwt' },
    /needs keys/,
  ],
  ['a script', { redirect_uris: ['javascript:alert(1)'] }, /redirect_uris/],
])('a client document with %s is refused (section 4.1)', (_, members, reason) => {
  const id = 'https://app.example/client.json';
  const said = { client_id: id, redirect_uris: ['https://app.example/cb'], ...members };
  expect(readClientDocument(id, JSON.stringify(said))).toMatchObject({
    fault: { kind: 'invalid', reason: expect.stringMatching(reason) },
  });
});

test('a client document with keys makes a confidential client; without keys, but with the method none, a public one', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = { keys: [publicKey.export({ format: 'jwk' })] };
  const id = 'https://app.example/client.json';
  const said = {
    client_id: id,
    redirect_uris: ['https://app.example/cb'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  };
  expect(readClientDocument(id, JSON.stringify(said))).toHaveProperty(
    'content.settings.type',
    'public',
  );
  expect(readClientDocument(id, JSON.stringify({ ...said, jwks }))).toMatchObject({
    content: { settings: { type: 'confidential', jwks: JSON.stringify(jwks) } },
  });
});
