import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import * as clients from '#lib/management/client/clients.ts';
import * as secrets from '#lib/management/secret/secrets.ts';
import { digest, newId } from '#lib/oauth/secrets.ts';
import { storeClient } from '#lib/store/client-changes.ts';
import { findClient } from '#lib/store/clients.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newApp, newPerson, unique } from './people.ts';
import { possess } from './possessions.ts';

const now = () => new Date();
type Change = Parameters<typeof clients.createClient>[0];

const good: Change = { name: 'App', redirectUris: ['https://app.example/cb'] };
const secretless: Change = { ...good, type: 'public' };
const http = 'http://app.example/cb';

/** Changes that must be refused, each with the field of the message. */
const [start, link] = ['initiateLoginUri', 'https://app.example/start'];
const refusals: [string, Change, string][] = [
  ['no name', { ...good, name: '  ' }, 'name'],
  ['a name of control characters', { ...good, name: 'a\u202eb' }, 'name'],
  ['a long name', { ...good, name: 'x'.repeat(101) }, 'name'],
  ['NUL in the description', { ...good, description: 'a\0b' }, 'description'],
  ['an id with a space', { ...good, id: 'a b' }, 'id'],
  ['an id that leads elsewhere in an address', { ...good, id: '..' }, 'id'],
  ['an id with a slash', { ...good, id: 'a/b' }, 'id'],
  ['an id with a colon', { ...good, id: 'a:b' }, 'id'],
  ['an empty id', { ...good, id: '' }, 'id'],
  ['a script as home page', { ...good, homePage: 'javascript:alert(1)' }, 'homePage'],
  [
    'credentials in a link',
    { ...good, privacyLink: 'https://ada:secret@app.example/' },
    'privacyLink',
  ],
  ['data as terms', { ...good, termsLink: 'data:text/html,x' }, 'termsLink'],
  ['a start address without TLS', { ...good, initiateLoginUri: 'http://app.example/' }, start],
  ['a start address with a fragment', { ...good, initiateLoginUri: `${link}#x` }, start],
  ['a start address with an issuer', { ...good, initiateLoginUri: `${link}?iss=x` }, start],
  ['a start address with a hint', { ...good, initiateLoginUri: `${link}?login%5Fhint=` }, start],
  ['a script as start address', { ...good, initiateLoginUri: 'javascript:alert(1)' }, start],
  ['an unknown grant', { ...good, grants: ['implicit'] }, 'grants'],
  ['no grant', { ...good, grants: [] }, 'grants'],
  ['refreshing what was never issued', { ...good, grants: ['refresh_token'] }, 'grants'],
  [
    'client_credentials without secret',
    { ...secretless, grants: ['client_credentials'] },
    'grants',
  ],
  ['an unknown scope', { ...good, scopes: ['email', 'nonsense'] }, 'scopes'],
  ['a public client without address', { ...secretless, redirectUris: [] }, 'redirectUris'],
  ['a public client with a blank address', { ...secretless, redirectUris: [' '] }, 'redirectUris'],
  ['http elsewhere', { ...good, redirectUris: [http] }, 'redirectUris'],
  ['a fragment', { ...good, redirectUris: ['https://app.example/cb#x'] }, 'redirectUris'],
  ['a script address', { ...good, redirectUris: ['javascript:alert(1)'] }, 'redirectUris'],
  [
    'user information',
    { ...good, redirectUris: ['https://app.example@evil.example/'] },
    'redirectUris',
  ],
  [
    'a query that the answer needs',
    { ...good, redirectUris: ['https://app.example/cb?code=1'] },
    'redirectUris',
  ],
  [
    'the same address twice',
    { ...good, redirectUris: ['https://a.example/', 'https://a.example/'] },
    'redirectUris',
  ],
  ['http after signing out', { ...good, postLogoutRedirectUris: [http] }, 'postLogoutRedirectUris'],
  [
    'back-channel over http',
    { ...good, backchannelLogoutUri: 'http://app.example/logout' },
    'backchannelLogoutUri',
  ],
  [
    'a back-channel fragment',
    { ...good, backchannelLogoutUri: 'https://app.example/logout#x' },
    'backchannelLogoutUri',
  ],
  ['a public client without PKCE', { ...secretless, requirePkce: false }, 'requirePkce'],
  [
    'a secret asked of a public client',
    { ...secretless, requireClientAuthOnRefresh: true },
    'requireClientAuthOnRefresh',
  ],
  ['a public resource server', { ...secretless, resourceServer: true }, 'resourceServer'],
  ['unsigned ID tokens', { ...good, idTokenAlg: 'none' as 'RS256' }, 'idTokenAlg'],
  ['a sign-in of less than a minute', { ...good, maxSignInAge: 59 }, 'maxSignInAge'],
  ['a sign-in of no time', { ...good, maxSignInAge: Number.NaN }, 'maxSignInAge'],
  ['a life of less than a minute', { ...good, signInLife: 0 }, 'signInLife'],
  ['a life of more than ten years', { ...good, signInLife: 315_360_001 }, 'signInLife'],
  ['a word as a network', { ...good, networks: ['10.0.0.0/8', 'home'] }, 'networks'],
  ['a network of everywhere', { ...good, networks: ['0.0.0.0/0'] }, 'networks'],
  [
    'too many networks',
    { ...good, networks: Array.from({ length: 51 }, (_, index) => `10.0.${index}.0/24`) },
    'networks',
  ],
  ['no lifetime', { ...good, accessTokenTtl: 0 }, 'accessTokenTtl'],
  ['half a second', { ...good, refreshTokenTtl: 0.5 }, 'refreshTokenTtl'],
  ['eleven years', { ...good, refreshTokenMaxTtl: 11 * 365 * 86_400 }, 'refreshTokenMaxTtl'],
];

onEachDatabase(() => {
  test.each(refusals)(
    'a client with %s is refused at that field, when it is created and when it is changed',
    async (_, change, field) => {
      expect(Object.keys(await faultsOf(clients.createClient(change, actor, now())))).toEqual([
        field,
      ]);
      if (field === 'id') return;
      const { client } = await newApp({
        type: change.type,
        redirectUris: ['https://other.example/'],
      });
      expect(
        Object.keys(await faultsOf(clients.updateClient(client.id, change, { actor, now: now() }))),
      ).toEqual([field]);
      expect(await clients.showClient(client.id)).toEqual(client);
    },
  );

  test('a confidential client’s secret is shown once, and only its digest is stored', async () => {
    const { client, secret } = await newApp();
    expect(secret).toMatch(/^gh_cs_[\w-]{43}$/);
    expect(client.secrets.map((row) => row.hash)).toEqual([digest(secret ?? '')]);
    const [event] = (await listAudit({ clientId: client.id })).rows;
    expect(event).toMatchObject({ type: 'client.created', actor: 'cli', clientName: 'App' });
    expect(JSON.stringify(event)).not.toContain(secret);
    expect((await newApp(secretless)).secret).toBeNull();
  });

  test('the client settings that are stored are those that the protocol reads', async () => {
    const settings: Change = {
      ...good,
      redirectUris: [
        'https://b.example/',
        'https://a.example/',
        'http://127.0.0.1/cb',
        'com.example.app:/cb',
      ],
      postLogoutRedirectUris: ['https://a.example/bye'],
      backchannelLogoutUri: 'https://a.example/logout',
      grants: ['authorization_code', 'client_credentials'],
      scopes: ['email', 'openid'],
      requirePkce: true,
      requireClientAuthOnRefresh: false,
      firstParty: true,
      resourceServer: true,
      sendIss: false,
      idTokenAlg: 'ES256',
      idTokenOnRefresh: false,
      accessTokenTtl: 60,
      refreshTokenTtl: 120,
      refreshTokenMaxTtl: 180,
    };
    const { client } = await newApp(settings);
    expect(client).toMatchObject(settings);
    expect(await findClient(client.id)).toMatchObject(settings);
    const cleared = {
      redirectUris: [],
      backchannelLogoutUri: '',
      scopes: null,
      requirePkce: null,
      accessTokenTtl: null,
    };
    await clients.updateClient(client.id, cleared, { actor, now: now() });
    expect(await findClient(client.id)).toMatchObject({
      ...settings,
      ...cleared,
      backchannelLogoutUri: null,
    });
  });

  test('a change of a client takes effect immediately, and its audit event has the values before and after', async () => {
    const { client } = await newApp();
    expect((await findClient(client.id))?.requirePkce).toBeNull();
    const revision = await readRevision();
    await clients.updateClient(
      client.id,
      { requirePkce: true, name: 'App' },
      { actor, now: now() },
    );
    expect(await readRevision()).not.toBe(revision);
    expect((await findClient(client.id))?.requirePkce).toBe(true);
    const [event] = (await listAudit({ clientId: client.id, type: 'client.updated' })).rows;
    expect(event?.detail).toEqual({ requirePkce: { before: null, after: true } });
  });

  test('a client and its audit event are stored together: if one fails, nothing is stored', async () => {
    const { client } = await newApp();
    const id = unique('half');
    const revision = await readRevision();
    const twice = { ...client, redirectUris: ['https://a.example/', 'https://a.example/'] };
    const event = { type: 'client.created', clientId: id } as const;
    await expect(
      storeClient({ id, settings: twice, secretHash: null }, event, now()),
    ).rejects.toThrow();
    expect(await findClient(id)).toBeNull();
    expect([await readRevision(), (await listAudit({ clientId: id })).rows]).toEqual([
      revision,
      [],
    ]);
  });

  test('a plain http redirect URI needs an acknowledgement, once for each address', async () => {
    const { client } = await newApp({ redirectUris: [http], allowInsecureRedirectUri: true });
    await clients.updateClient(
      client.id,
      { name: 'Renamed', redirectUris: [http, 'https://b.example/'] },
      { actor, now: now() },
    );
    const more = { redirectUris: [http, 'http://other.example/'] };
    expect(
      await faultsOf(clients.updateClient(client.id, more, { actor, now: now() })),
    ).toHaveProperty('redirectUris');
    expect(
      await newApp({ redirectUris: ['http://localhost:3000/cb', 'http://app.localhost/cb'] }),
    ).toBeTruthy();
  });

  test('a client id can be taken only once, also when several ask for it at the same time', async () => {
    const id = unique('taken');
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => newApp({ id })));
    expect(tries.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await faultsOf(newApp({ id }))).toHaveProperty('id');
  });

  test('of several edits of a client at the same time one is made; the others are refused as conflicts', async () => {
    const { client } = await newApp();
    const at = now();
    const edit = (name: string) =>
      clients.updateClient(client.id, { name }, { actor, now: at, seen: client.updatedAt });
    const tries = await Promise.allSettled(['One', 'Two', 'Three', 'Four'].map(edit));
    expect(tries.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect((await faultsOf(edit('Five'))).seen).toContain('Someone else changed');
  });

  test('client secrets are rotated: replacing the old ones or beside them, up to a limit', async () => {
    const { client, secret } = await newApp();
    const hashes = async () => (await findClient(client.id))?.secretHashes ?? [];
    const second = await secrets.rotateSecret(client.id, { keepOld: true }, actor, now());
    expect([...(await hashes())].sort()).toEqual(
      [digest(secret ?? ''), digest(second.secret)].sort(),
    );
    expect(
      (await secrets.removeSecret(client.id, digest(secret ?? ''), actor, now())).secrets,
    ).toHaveLength(1);
    expect(
      await faultsOf(secrets.removeSecret(client.id, digest(second.secret), actor, now())),
    ).toHaveProperty('secret');
    const third = await secrets.rotateSecret(client.id, {}, actor, now());
    expect(await hashes()).toEqual([digest(third.secret)]);
    for (let count = 1; count < 5; count += 1)
      await secrets.rotateSecret(client.id, { keepOld: true }, actor, now());
    expect(
      await faultsOf(secrets.rotateSecret(client.id, { keepOld: true }, actor, now())),
    ).toHaveProperty('keepOld');
    const app = await newApp(secretless);
    expect(await faultsOf(secrets.rotateSecret(app.client.id, {}, actor, now()))).toHaveProperty(
      'client',
    );
  });

  test('a client that becomes public loses its secrets, and gets one when it becomes confidential', async () => {
    const { client } = await newApp();
    const open = await clients.updateClient(client.id, { type: 'public' }, { actor, now: now() });
    expect([open.secret, open.client.secrets]).toEqual([null, []]);
    const closed = await clients.updateClient(
      client.id,
      { type: 'confidential' },
      { actor, now: now() },
    );
    expect(closed.client.secrets.map((row) => row.hash)).toEqual([digest(closed.secret ?? '')]);
  });

  test('the list of clients is searched, filtered, sorted and read in pages without a gap or a repeat', async () => {
    const word = unique('herd');
    // Several in the same millisecond, in an order different from that of their ids.
    const at = now();
    for (const name of ['d', 'a', 'c', 'b', 'a']) {
      await clients.createClient(
        { ...good, name: `${name} ${word.toUpperCase()}`, id: newId(new Date(0)) },
        actor,
        at,
      );
    }
    await newApp({ ...secretless, description: `knows ${word}` });
    for (const sort of ['newest', 'name'] as const) {
      const seen = [];
      for (let cursor: string | undefined, more = true; more; ) {
        const page = await clients.listClients({ search: word, limit: 2, cursor, sort });
        seen.push(...page.rows);
        cursor = page.next ?? undefined;
        more = cursor !== undefined;
      }
      expect(new Set(seen.map((row) => row.id)).size).toBe(6);
      expect(seen).toHaveLength(6);
      const names = seen.map((row) => row.name).filter((name) => name.toLowerCase().includes(word));
      if (sort === 'name') expect(names).toEqual([...names].sort());
      else expect(seen[0]?.type).toBe('public');
    }
    expect((await clients.listClients({ search: word, type: 'public' })).rows).toHaveLength(1);
    expect((await clients.listClients({ search: word, disabled: true })).rows).toHaveLength(0);
  });

  test('the users and sign-ins that end with a client are counted beforehand', async () => {
    const { client } = await newApp();
    for (const person of [await newPerson(), await newPerson()])
      await possess(person.id, client.id);
    expect(await clients.countOfClient(client.id, now())).toEqual({ people: 2, signIns: 2 });
    await clients.disableClient(client.id, actor, now());
    expect(await clients.countOfClient(client.id, now())).toEqual({ people: 2, signIns: 0 });
    await clients.deleteClient(client.id, actor, now());
    const [event] = (await listAudit({ clientId: client.id })).rows;
    expect(event).toMatchObject({ type: 'client.deleted', detail: { name: 'App', people: 2 } });
  });

  test('every operation on an unknown client is refused at the field client', async () => {
    const missing = unique('missing');
    const tries = [
      () => clients.showClient(missing),
      () => clients.showClient('\0'),
      () => clients.updateClient(missing, { name: 'x' }, { actor, now: now() }),
      () => clients.disableClient(missing, actor, now()),
      () => clients.enableClient(missing, actor, now()),
      () => clients.deleteClient(missing, actor, now()),
      () => secrets.rotateSecret(missing, {}, actor, now()),
    ];
    for (const work of tries) expect(await faultsOf(work())).toHaveProperty('client');
  });
});
