import { expect, test } from 'vitest';
import { newClient } from '#lib/oauth/client.ts';
import { authMethodOf, clientOfMetadata } from '#lib/oauth/client-metadata.ts';
import { metadataFault } from '#lib/oauth/client-metadata-fault.ts';

const redirect_uris = ['https://app.example/callback'];
const clientOf = (more: Record<string, unknown>) =>
  clientOfMetadata({ redirect_uris, ...more }, 'none', 'app.example');

test('client metadata without a member gets the default of a new client', () => {
  expect(metadataFault({ redirect_uris })).toBeNull();
  expect(clientOf({})).toEqual({
    ...newClient,
    name: 'app.example',
    type: 'public',
    redirectUris: redirect_uris,
  });
});

test('client metadata is taken over, and unknown members are ignored', () => {
  const metadata = {
    redirect_uris: ['http://localhost/callback', 'http://localhost/callback', 'com.example:/cb'],
    post_logout_redirect_uris: ['https://app.example/bye'],
    client_name: ' Example\u202e\n App\u0007 ',
    client_uri: 'https://app.example/',
    policy_uri: 'http://app.example/plain',
    tos_uri: 'https://someone@app.example/',
    logo_uri: 'https://app.example/logo.png',
    grant_types: ['refresh_token', 'authorization_code', 'client_credentials', 'urn:x:other'],
    response_types: ['code', 'code id_token'],
    token_endpoint_auth_method: 'client_secret_post',
    application_type: 'native',
    id_token_signed_response_alg: 'ES256',
    first_party: true,
    x: { y: [1] },
  };
  expect(metadataFault(metadata)).toBeNull();
  expect(clientOfMetadata(metadata, 'none', 'app.example')).toEqual({
    ...newClient,
    name: 'Example App',
    type: 'confidential',
    homePage: 'https://app.example/',
    redirectUris: ['http://localhost/callback', 'com.example:/cb'],
    postLogoutRedirectUris: ['https://app.example/bye'],
    grants: ['authorization_code', 'refresh_token'],
    idTokenAlg: 'ES256',
  });
  expect(authMethodOf(metadata, 'none')).toBe('client_secret_post');
});

test('client_name is cut at 60 characters and loses invisible ones', () => {
  expect(clientOf({ client_name: '😀'.repeat(100) }).name).toBe('😀'.repeat(60));
  expect(clientOf({ client_name: '\u200b\u2066 \u{e0001}' }).name).toBe('app.example');
  expect(clientOf({ client_name: 'a\ud800b' }).name).toBe('a\ufffdb');
});

test.each([
  ['no list', { redirect_uris: 'https://app.example/' }],
  ['not there', { redirect_uris: undefined }],
  ['empty', { redirect_uris: [] }],
  ['numbers', { redirect_uris: [1] }],
  ['a script', { redirect_uris: ['https://app.example/', 'javascript:alert(1)'] }],
  ['data', { redirect_uris: ['data:text/html,x'] }],
  ['a fragment', { redirect_uris: ['https://app.example/#x'] }],
  ['plain http', { redirect_uris: ['http://app.example/'] }],
  ['a wildcard', { redirect_uris: ['https://*.example/'] }],
  ['21 of them', { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`) }],
  ['of a web app on loopback', { redirect_uris: ['http://localhost/'], application_type: 'web' }],
  ['of a web app with its own scheme', { redirect_uris: ['app:/cb'], application_type: 'web' }],
])('redirect_uris in client metadata are refused: %s', (_, members) => {
  expect(metadataFault(members)).toMatchObject({
    code: 'invalid_redirect_uri',
    reason: expect.stringContaining('redirect_uris'),
  });
});

test.each([
  ['post_logout_redirect_uris', ['javascript:alert(1)']],
  ['token_endpoint_auth_method', 'client_secret_jwt'],
  ['token_endpoint_auth_method', 7],
  ['grant_types', 'authorization_code'],
  ['grant_types', []],
  ['grant_types', ['client_credentials']],
  ['grant_types', ['refresh_token']],
  ['response_types', ['token']],
  ['client_name', { en: 'x' }],
  ['client_uri', 1],
  ['application_type', 'desktop'],
])('client metadata is refused: %s %j', (name, value) => {
  expect(metadataFault({ redirect_uris, [name]: value })).toMatchObject({
    code: 'invalid_client_metadata',
    reason: expect.stringContaining(name),
    received: expect.any(String),
  });
});

test.each([
  [
    'token_endpoint_auth_method',
    'client_secret_jwt',
    'This server does not offer that token_endpoint_auth_method. It offers client_secret_basic, client_secret_post, private_key_jwt, none.',
  ],
  [
    'grant_types',
    ['client_credentials'],
    'grant_types: an app that no admin has added needs authorization_code, with or without refresh_token. For any other, ask an admin to add it.',
  ],
])('a refused %s in client metadata says what the client can have', (name, value, reason) => {
  expect(metadataFault({ redirect_uris, [name]: value })?.reason).toBe(reason);
});

test('client metadata cannot set an accent colour or a recipe', () => {
  const { accent, recipe } = clientOf({ accent: '#aa2266', colour: '#aa2266', recipe: 'grafana' });
  expect([accent, recipe]).toEqual([null, null]);
});
