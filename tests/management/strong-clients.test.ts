import { expect, test } from 'vitest';
import * as clients from '#lib/management/client/clients.ts';
import { findTooWeak } from '#lib/management/client/strength.ts';
import { setSetting } from '#lib/management/setting/settings.ts';
import { strongAlgs } from '#lib/oauth/strong-client.ts';
import { faultsOf as faultsOfFile } from '../config-file/files.ts';
import { keySet, newSigningKey } from '../support/assertions.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient } from '../support/seed.ts';
import { actor, faultsOf, newApp } from './people.ts';

// An app that is meant to be strong but could not work is refused when it is created or changed.
type Change = Parameters<typeof clients.createClient>[0];

const now = () => new Date();
const es = await newSigningKey('ES256');
const rs = await newSigningKey('RS256');
const jwks = keySet(es);
const jwksUri = 'https://app.example/keys';
const onlyRs = JSON.stringify({ keys: [{ ...rs.jwk, alg: 'RS256' }] });
const change = (id: string, to: Change) => clients.updateClient(id, to, { actor, now: now() });
const demanding = async (work: () => Promise<void>) => {
  await setSetting('REQUIRE_STRONG_CLIENTS', 'on', actor, now());
  await work().finally(() => setSetting('REQUIRE_STRONG_CLIENTS', null, actor, now()));
};

const weak: [string, Change, string, RegExp][] = [
  ['one with a secret', {}, 'jwks', /by a key, not by a secret.*jwks or jwks_uri/],
  ['a public one', { type: 'public' }, 'type', /can’t be public.*confidential.*jwks/],
  ['one whose keys can only RS256', { jwks: onlyRs }, 'jwks', /ES256, PS256, EdDSA, Ed25519/],
  [
    'one that goes back without TLS',
    { jwks, redirectUris: ['http://127.0.0.1/cb'] },
    'redirectUris',
    /only return to https addresses/,
  ],
  [
    'one that goes back to an app',
    { jwks, redirectUris: ['https://app.example/cb', 'com.example.app:/cb'] },
    'redirectUris',
    /only return to https addresses/,
  ],
];
const strong: [string, Change][] = [
  ['with its keys', { jwks }],
  ['with their address', { jwksUri }],
  ['with an RSA key, which can PS256', { jwks: keySet(rs) }],
  ['with a key for RS256 beside a better one', { jwks: keySet(es, rs) }],
  ['without people, whatever its addresses', { jwks, grants: ['client_credentials'] }],
];

onEachDatabase(() => {
  test('clients that are too weak are counted and named, unless they are exempt or disabled', async () => {
    const find = (requireStrongClients: boolean) => findTooWeak({ requireStrongClients });
    const before = await find(true);
    await newApp({ strong: false });
    await newApp({ jwks });
    const { client } = await newApp({});
    await clients.disableClient(client.id, actor, now());
    expect(await find(true)).toEqual(before);
    // More than are read at a time.
    for (let made = 0; made < 502; made += 1) await newClient({ name: 'Weak' });
    await newClient({ name: 'Weak', jwks, redirectUris: ['http://127.0.0.1/cb'] });
    const found = await find(true);
    expect(found.count).toBe(before.count + 503);
    expect(found.names).toHaveLength(5);
    expect(await find(false)).toEqual({ count: 0, names: [] });
    await newClient({ name: 'Weak by itself', strong: true });
    expect(await find(false)).toEqual({ count: 1, names: ['Weak by itself'] });
  });

  test.each(weak)(
    'while REQUIRE_STRONG_CLIENTS is on, a weak client is refused unless it is exempt: %s',
    async (_, given, field, says) => {
      await demanding(async () => {
        expect(await faultsOf(newApp(given))).toEqual({ [field]: expect.stringMatching(says) });
        // Unless it is exempt.
        await newApp({ ...given, strong: false });
      });
      await newApp(given);
    },
  );

  test.each(weak)(
    'a client that must be strong itself is refused if it is weak: %s',
    async (_, given, field, says) => {
      expect(await faultsOf(newApp({ ...given, strong: true }))).toEqual({
        [field]: expect.stringMatching(says),
      });
    },
  );

  test.each(strong)('a strong client %s is created', async (_, given) => {
    const { client } = await newApp({ ...given, strong: true });
    expect(client.strong).toBe(true);
  });

  test('a weak client cannot become strong, and a strong client cannot become weak', async () => {
    const { client } = await newApp();
    expect(await faultsOf(change(client.id, { strong: true }))).toHaveProperty('jwks');
    await change(client.id, { strong: true, jwks });
    expect(await faultsOf(change(client.id, { jwks: null }))).toHaveProperty('jwks');
    expect(await faultsOf(change(client.id, { jwks: null, type: 'public' }))).toHaveProperty(
      'type',
    );
    expect(
      await faultsOf(change(client.id, { redirectUris: ['http://localhost/cb'] })),
    ).toHaveProperty('redirectUris');
    expect((await clients.showClient(client.id)).jwks).toBe(jwks);
    await change(client.id, { strong: false, jwks: null });
  });

  test('a client weaker than REQUIRE_STRONG_CLIENTS demands can be renamed, but not given another weakness', async () => {
    const { client } = await newApp({ redirectUris: ['http://127.0.0.1/cb'] });
    await demanding(async () => {
      expect((await change(client.id, { name: 'Renamed' })).client.name).toBe('Renamed');
      expect(await faultsOf(change(client.id, { type: 'public' }))).toHaveProperty('type');
      const more = ['http://127.0.0.1/cb', 'http://127.0.0.1/other'];
      expect(await faultsOf(change(client.id, { redirectUris: more }))).toHaveProperty(
        'redirectUris',
      );
      // What a strong app needs may be set step by step.
      await change(client.id, { jwks });
      await change(client.id, { redirectUris: ['https://app.example/cb'] });
    });
  });

  test('the configuration file’s error about a weak client names the line', async () => {
    const file = (more: string) =>
      `apps:\n  weak:\n    name: Weak\n    redirect_uris: ["https://weak.example/cb"]\n${more}`;
    const faults = await faultsOfFile(file('    strong: true\n    type: public\n'));
    expect(faults).toEqual([expect.stringMatching(/:6: apps\.weak\.type.*can’t be public/)]);
  });
});

test('strong clients sign with the algorithms of FAPI 2.0', () => {
  expect(strongAlgs).toEqual(['ES256', 'PS256', 'EdDSA', 'Ed25519']);
});
