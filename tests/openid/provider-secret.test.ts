import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openProviderSecret, sealedProviderSecret } from '#lib/identity/upstream/secret.ts';
import { findProvider } from '#lib/store/providers.ts';
import { openServer } from '../support/open-server.ts';
import { newProvider } from '../support/providers.ts';

const first = 'the first secret of this file worth nothing elsewhere';
const SERVER_SECRET = 'the second secret of this file worth as little';
const server = await openServer({ SERVER_SECRET: first });

const privateKey = '-----BEGIN PRIVATE KEY-----\nMIGTAgEAMBMG\n-----END PRIVATE KEY-----';
const sealedOf = async (id: string) => (await findProvider(id))?.sealedSecret ?? null;

test('the secret of an identity provider is encrypted in the database, and this server can decrypt it', async () => {
  const sealedSecret = await sealedProviderSecret.seal(privateKey);
  expect(sealedSecret).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(await openProviderSecret({ sealedSecret })).toEqual({ secret: privateKey });
  expect(await openProviderSecret({ sealedSecret: null })).toEqual({ secret: null });
  expect(await openProviderSecret({ sealedSecret: 'no seal' })).toBe('lost');
});

test('after a change of SERVER_SECRET a start re-encrypts the secrets of providers, and names the lost ones', async () => {
  const before = await sealedProviderSecret.seal(privateKey);
  const kept = await newProvider({ name: 'Kept', sealedSecret: before });
  const lost = await newProvider({ name: 'Lost provider', sealedSecret: `${before}x` });
  const moved = await server.another({ SERVER_SECRET, SERVER_SECRET_PREVIOUS: first }, 'direct');
  const after = await sealedOf(kept);
  expect(after).not.toBe(before);
  expect(await sealedOf(lost)).toBe(`${before}x`);
  const warned = readFileSync(moved.logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"provider":'));
  expect(warned).toHaveLength(1);
  expect(warned[0]).toContain('Lost provider');
  // What was sealed again opens with the new secret alone. So a start with only that one reports
  // one secret as lost, not two.
  const alone = await server.another({ SERVER_SECRET }, 'direct');
  const lines = readFileSync(alone.logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"provider":'));
  expect(lines.map((line) => JSON.parse(line).provider)).toEqual(['Lost provider']);
});
