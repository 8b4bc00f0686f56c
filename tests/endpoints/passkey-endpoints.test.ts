import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';

const house = await openHouse();

test('/.well-known/passkey-endpoints names the page to add and manage passkeys', async () => {
  const response = await fetch(`${house.base}/.well-known/passkey-endpoints`);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const page = `${house.issuer}/account/security#passkeys`;
  expect(await response.json()).toEqual({ enroll: page, manage: page });
});
