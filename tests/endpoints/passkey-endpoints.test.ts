import { expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';

const server = await openServer();

test('/.well-known/passkey-endpoints names the page to add and manage passkeys', async () => {
  const response = await fetch(`${server.base}/.well-known/passkey-endpoints`);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const page = `${server.issuer}/account/security#passkeys`;
  expect(await response.json()).toEqual({ enroll: page, manage: page });
});
