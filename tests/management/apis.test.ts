import { describe, expect, test } from 'vitest';
import { config } from '#lib/config.ts';
import { addApiClients, apisOfClient, removeApiClients } from '#lib/management/api/api-clients.ts';
import {
  countApiUse,
  createApi,
  deleteApi,
  listApis,
  type NewApi,
  showApi,
  updateApi,
} from '#lib/management/api/apis.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { createClient, deleteClient } from '#lib/management/client/clients.ts';
import { createScope } from '#lib/management/scope/scopes.ts';
import { type Api, apiCalled, consentWords, isIdentifier } from '#lib/oauth/api.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { mostApis, mostClientsOfApi, storeApi } from '#lib/store/api-changes.ts';
import { apisAt } from '#lib/store/apis.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { findGrant, widenGrantOf } from '#lib/store/grants.ts';
import { redeem, store, workingOf } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newApp, newPerson, unique } from './people.ts';

const now = () => new Date();
const newIdentifier = () => `https://${unique('api')}.example/mcp`;
const newApi = (more: Partial<NewApi> = {}) =>
  createApi({ identifier: newIdentifier(), name: unique('API'), ...more }, actor, now());
const files = [
  { name: 'files:read', description: 'Read your files', translations: { de: 'Dateien lesen' } },
  { name: 'files:write', description: 'Change your files' },
];
const refuse = () => {
  throw new Error('asked');
};

/**
 * A person who allowed an app to use an API, one sign-in for that API, and another for something
 * else.
 */
async function allowed(api: Api, scopes: string[], beside: string[] = [], clientId?: string) {
  const client = clientId ?? (await newApp()).client.id;
  const { id: userId } = await newPerson();
  const words = [...beside, ...consentWords(api, scopes)];
  const given = { scopes: words, remembered: words };
  const grantId = await widenGrantOf({ userId, clientId: client }, null, given, now());
  const epochs = await epochsOf(client, userId);
  const scope = [...beside, ...scopes].join(' ');
  const of = { userId, clientId: client, grantId, scope, ...epochs };
  const forApi = await store(of, now());
  const other = await store({ ...of, scope: 'profile' }, now());
  await write('UPDATE authorizations SET resources = $2 WHERE id = $1', [forApi, api.identifier]);
  for (const id of [forApi, other])
    await redeem(id, { idle: 3600, absolute: 7200, access: 3600 }, now());
  return {
    userId,
    client,
    words: async () => (await findGrant(userId, client))?.scopes ?? null,
    isAlive: async () => (await workingOf(forApi)).refresh,
    isOtherAlive: async () => (await workingOf(other)).refresh,
  };
}

async function epochsOf(clientId: string, userId: string) {
  const sql = `SELECT c.epoch AS client_epoch, u.epoch AS user_epoch FROM clients c, users u WHERE c.id = $1 AND u.id = $2`;
  const [row] = await read<{ clientEpoch: number; userEpoch: number }>(sql, [clientId, userId]);
  if (!row) throw new Error('The client or the person is gone.');
  return row;
}

describe('the identifier of an API', () => {
  test.each([
    'https://mcp.example.org/mcp',
    'http://localhost:3000',
    'https://a.example/a?b=c',
    'https://[::1]:8443/x',
    'rabbitmq',
    'my_api-2.0',
    'urn:rabbitmq:prod',
    'api://5b1f7f4e-0000-4000-8000-0123456789ab',
    'spiffe://example.org/files',
    'tag:example.org,2026:files',
    'com.example.app:/files',
  ])('may be %s', (text) => expect(isIdentifier(text)).toBe(true));

  test.each([
    '',
    'two words',
    'ftp://ada@a.example/x',
    'urn:a',
    'urn:a:',
    'api://',
    'x'.repeat(101),
    '.mcp',
    '//a.example',
    'https://',
    'https:///x',
    'https://?a',
    'https://a.example/#',
    'https://a.example/#x',
    'https://ada@a.example/',
    'https://a:b@c/',
    'https://a.example/ b',
    'https://a.example/\n',
    'https://a.example/\0',
    'https://ä.example',
    'https://a.example/"',
    "https://a.example/\\'",
    'https://a.example/<',
    'https://a:99999/',
    `https://a.example/${'x'.repeat(483)}`,
  ])('may not be %j', (text) => expect(isIdentifier(text)).toBe(false));

  test('is matched regardless of the case of its host and a trailing slash', () => {
    const apis = [
      { identifier: 'https://A.example/mcp' },
      { identifier: 'https://b.example/' },
    ] as const;
    for (const same of ['https://a.example/mcp', 'HTTPS://A.EXAMPLE/mcp/'])
      expect(apiCalled(same, apis)).toBe(apis[0]);
    for (const same of ['https://b.example', 'https://B.example/'])
      expect(apiCalled(same, apis)).toBe(apis[1]);
    for (const other of [
      'https://a.example/MCP',
      'https://a.example/mcp//',
      'https://a.example',
      '',
    ])
      expect(apiCalled(other, apis)).toBeUndefined();
  });
});

onEachDatabase(() => {
  const eventsOf = async (id: string) =>
    (await listAudit({ type: 'api', limit: 500 })).rows
      .filter(({ detail }) => detail.id === id)
      .map(({ type }) => type)
      .reverse();

  describe('an API', () => {
    test('is created, changed and deleted, each with immediate effect and one audit event', async () => {
      const known = async (id: string) =>
        (await apisAt(await readRevision())).find((api) => api.id === id);
      const made = await newApi({ description: ' Your files. ', scopes: files });
      expect(await known(made.id)).toEqual(made);
      expect(made).toMatchObject({
        description: 'Your files.',
        tokenFormat: 'opaque',
        accessTokenTtl: null,
        access: 'admins',
        askedBy: [],
        servedBy: [],
        scopes: [files[0], { ...files[1], translations: {} }],
      });
      const change = { name: 'Other', tokenFormat: 'jwt', accessTokenTtl: 60 } as const;
      const changed = await updateApi(made.id, change, { actor, now: now(), seen: made.updatedAt });
      expect(await known(made.id)).toEqual({ ...made, ...change, updatedAt: changed.updatedAt });
      expect(changed.updatedAt > made.updatedAt).toBe(true);
      expect(await updateApi(made.identifier, change, { actor, now: now() })).toEqual(changed);
      expect(await updateApi(made.id, { description: '' }, { actor, now: now() })).toMatchObject({
        description: null,
      });
      await deleteApi(`${made.identifier}/`, actor, now());
      expect(await known(made.id)).toBeUndefined();
      expect(await eventsOf(made.id)).toEqual([
        'api.created',
        'api.updated',
        'api.updated',
        'api.deleted',
      ]);
      expect(await faultsOf(showApi(made.id))).toHaveProperty('api');
      expect(await faultsOf(deleteApi(made.id, actor, now()))).toHaveProperty('api');
    });

    test('has an identifier kept as given, which no other API has, even when several are created at the same time', async () => {
      const name = unique('api');
      const identifier = `https://${name.toUpperCase()}.Example/Mcp/`;
      const spellings = [identifier, `https://${name}.example/Mcp`, `https://${name}.EXAMPLE/Mcp/`];
      const made = await Promise.allSettled(
        [...spellings, ...spellings].map((each) => newApi({ identifier: each })),
      );
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of spellings)
        expect((await faultsOf(newApi({ identifier: each }))).identifier).toContain('slash');
      const kept = await showApi(`https://${name}.example/Mcp`);
      expect(spellings).toContain(kept.identifier);
      expect(await newApi({ identifier: `https://${name}.example/mcp` })).toBeTruthy();
    });

    test('and an app never have the same identifier, which both kinds of token would name', async () => {
      const [one, other] = [unique('plain'), unique('plain')];
      await createClient({ id: one, name: 'App', grants: ['client_credentials'] }, actor, now());
      expect((await faultsOf(newApi({ identifier: one }))).identifier).toContain('client_id');
      await newApi({ identifier: other });
      const app = { id: other, name: 'App', grants: ['client_credentials'] };
      expect(await faultsOf(createClient(app, actor, now()))).toHaveProperty('id');
    });

    test('is refused with a sentence for each wrong field', async () => {
      const faults = async (more: Partial<NewApi>) => faultsOf(newApi(more));
      expect((await faults({ identifier: 'a b' })).identifier).toMatch(/absolute URI.*"a b"/);
      expect((await faults({ identifier: `${config().issuer}/` })).identifier).toContain('itself');
      for (const name of ['', ' ', 'x'.repeat(101), 'a\nb'])
        expect(await faults({ name })).toHaveProperty('name');
      expect(await faults({ description: 'x'.repeat(501) })).toHaveProperty('description');
      for (const accessTokenTtl of [0, -1, 1.5, 1e12, Number.NaN])
        expect(await faults({ accessTokenTtl })).toHaveProperty('accessTokenTtl');
      const tooLong = { tokenFormat: 'jwt', accessTokenTtl: 86_401 } as const;
      expect((await faults(tooLong)).accessTokenTtl).toContain('24 hours');
      expect(await faults({ access: 'everybody' as 'anyone' })).toHaveProperty('access');
      expect(await faults({ tokenFormat: 'JWT' as 'jwt' })).toHaveProperty('tokenFormat');
      const ofScope = async (name: string, description = 'Read', translations = {}) =>
        (await faults({ scopes: [{ name, description, translations }] })).scopes;
      for (const name of ['', 'a b', 'a"b', 'é', 'x'.repeat(129)])
        expect(await ofScope(name)).toContain('RFC 6749');
      for (const text of ['', 'x'.repeat(301), 'a\0b'])
        expect(await ofScope('read', text)).toContain('300 characters');
      expect(await ofScope('read', 'Read', { xx: 'Lire' })).toContain('"xx"');
      expect(await ofScope('email')).toContain('This server itself');
      const twice = { scopes: [files[0], files[0]] as NewApi['scopes'] };
      expect((await faults(twice)).scopes).toContain('twice');
      const many = Array.from({ length: 51 }, (_, index) => ({
        name: `s${index}`,
        description: 'Do',
      }));
      expect((await faults({ scopes: many })).scopes).toContain('50');
    });

    test('may have fifty scopes, and its deletion ends all of them', async () => {
      const scopes = Array.from({ length: 50 }, (_, index) => {
        return { name: unique(`s${index}`), description: 'Do' };
      });
      const api = await newApi({ scopes });
      const names = scopes.map(({ name }) => name);
      const ada = await allowed(api, names, ['openid']);
      expect(await ada.words()).toHaveLength(52);
      await deleteApi(api.id, actor, now());
      expect([await ada.words(), await ada.isAlive()]).toEqual([['openid'], false]);
    });

    test('never shares a scope name with the server', async () => {
      const [own, word] = [unique('read'), unique('server')];
      const api = await newApi({ scopes: [{ name: own, description: 'Read' }] });
      const description = 'See photos';
      for (const name of [own, api.identifier, `${api.identifier}#x`])
        expect((await faultsOf(createScope({ name, description }, actor, now()))).name).toContain(
          api.name,
        );
      const identifier = newIdentifier();
      await createScope({ name: word, description }, actor, now());
      await createScope({ name: `${identifier}#x`, description }, actor, now());
      expect(await faultsOf(newApi({ identifier }))).toHaveProperty('identifier');
      const change = { scopes: [{ name: word, description }] };
      expect(await faultsOf(updateApi(api.id, change, { actor, now: now() }))).toHaveProperty(
        'scopes',
      );
      // If both are made at the same time, one of them comes first.
      const raced = unique('raced');
      const both = await Promise.allSettled([
        createScope({ name: raced, description }, actor, now()),
        newApi({ scopes: [{ name: raced, description }] }),
      ]);
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('that was changed meanwhile is not overwritten', async () => {
      const { id, name, updatedAt: seen } = await newApi();
      const results = await Promise.allSettled(
        [1, 2, 3].map((each) =>
          updateApi(id, { name: `${name} ${each}` }, { actor, now: now(), seen }),
        ),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const late = updateApi(id, { description: 'x' }, { actor, now: now(), seen });
      expect(await faultsOf(late)).toHaveProperty('seen');
      // Changes that do not come from a form all succeed.
      const lives = [60, 61, 62];
      await Promise.all(
        lives.map((accessTokenTtl) => updateApi(id, { accessTokenTtl }, { actor, now: now() })),
      );
      expect(lives).toContain((await showApi(id)).accessTokenTtl);
    });

    test('is not stored when something changed since the revision that was read', async () => {
      const { id: _, ...api } = { ...(await newApi()), identifier: newIdentifier() };
      const seen = await readRevision();
      await newApi();
      const event = () => ({ type: 'api.created' }) as const;
      expect(await storeApi(api, seen, event, now())).toBe('changed-meanwhile');
    });

    test('is found by a part of its name or identifier', async () => {
      const word = unique('Found');
      const one = await newApi({ name: `My ${word}` });
      const two = await newApi({ identifier: `https://x.example/${word}/mcp` });
      const found = (await listApis(word.toLowerCase())).map(({ id }) => id);
      expect(found.sort()).toEqual([one.id, two.id].sort());
    });
  });

  describe('deleting an API', () => {
    test('ends the tokens issued for it and removes its scopes from the grants, and nothing else', async () => {
      const api = await newApi({ scopes: files });
      const near = await newApi({ scopes: files });
      const longer = await newApi({ identifier: `${api.identifier}/x`, scopes: files });
      const ada = await allowed(api, ['files:read'], ['openid', 'profile']);
      const bob = await allowed(api, ['files:read', 'files:write']);
      const others = [await allowed(near, ['files:read']), await allowed(longer, ['files:read'])];
      const revision = await readRevision();
      expect(await countApiUse(api, null, now())).toEqual({ people: 2, signIns: 2 });
      const gone = await deleteApi(api.id, actor, now());
      expect(gone).toMatchObject({ id: api.id, people: 2, signIns: 2 });
      expect(await readRevision()).not.toBe(revision);
      expect(await ada.words()).toEqual(['openid', 'profile']);
      expect([await ada.isAlive(), await ada.isOtherAlive()]).toEqual([false, true]);
      // A grant of nothing else is deleted entirely.
      expect([await bob.words(), await bob.isAlive()]).toEqual([null, false]);
      for (const other of others) {
        expect(await other.words()).toHaveLength(2);
        expect(await other.isAlive()).toBe(true);
      }
    });

    test('and creating it again revives none of its grants and tokens', async () => {
      const { identifier } = await newApi({ scopes: files });
      const ada = await allowed(await showApi(identifier), ['files:read'], ['openid']);
      await deleteApi(identifier, actor, now());
      await newApi({ identifier, scopes: files });
      expect([await ada.words(), await ada.isAlive()]).toEqual([['openid'], false]);
    });
  });

  test('removing a scope of an API ends the tokens that carry it; a new description or order ends nothing', async () => {
    const api = await newApi({ scopes: files });
    const near = await newApi({ scopes: files });
    const ada = await allowed(api, ['files:read', 'files:write'], ['openid']);
    const bob = await allowed(api, ['files:read']);
    const eve = await allowed(near, ['files:write']);
    const reversed = [...files].reverse().map((scope) => ({ ...scope, description: 'Otherwise' }));
    await updateApi(api.id, { scopes: reversed }, { actor, now: now() });
    expect([await ada.isAlive(), await bob.isAlive()]).toEqual([true, true]);
    expect(await countApiUse(api, 'files:write', now())).toEqual({ people: 1, signIns: 1 });
    await updateApi(api.id, { scopes: files.slice(0, 1) }, { actor, now: now() });
    expect([await ada.isAlive(), await bob.isAlive(), await eve.isAlive()]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await ada.words()).toEqual(['openid', ...consentWords(api, ['files:read'])]);
    expect(await eve.words()).toEqual(consentWords(near, ['files:write']));
  });

  test('a new scope of an API ends tokens that carry the same scope name from another API: no user consented to it', async () => {
    const api = await newApi({ scopes: files.slice(0, 1) });
    const near = await newApi({ scopes: files });
    const both = await allowed(near, ['files:write']);
    await write(`UPDATE authorizations SET resources = $1 WHERE user_id = $2 AND resources <> ''`, [
      `${near.identifier} ${api.identifier}`,
      both.userId,
    ]);
    const one = await allowed(api, ['files:read']);
    await updateApi(api.id, { scopes: files }, { actor, now: now() });
    expect([await both.isAlive(), await one.isAlive()]).toEqual([false, true]);
  });

  describe('the clients of an API', () => {
    test('are added and removed, each with an audit event that says whether they ask or serve', async () => {
      const api = await newApi({ access: 'listed' });
      const one = (await newApp()).client;
      const two = (await newApp()).client;
      await addApiClients(api.id, 'asks', [one.id, two.id, one.id], { actor, now: now() });
      await addApiClients(api.id, 'serves', [two.id], { actor, now: now() });
      expect(await showApi(api.id)).toMatchObject({
        askedBy: [one.id, two.id].sort(),
        servedBy: [two.id],
      });
      const ofTwo = await apisOfClient(two.id);
      expect(ofTwo.find((each) => each.api.id === api.id)).toMatchObject({
        asks: true,
        serves: true,
      });
      await removeApiClients(api.id, 'asks', [two.id], { actor, now: now() });
      await removeApiClients(api.id, 'asks', [two.id, 'nobody'], { actor, now: now() });
      expect(await showApi(api.id)).toMatchObject({ askedBy: [one.id], servedBy: [two.id] });
      expect(await eventsOf(api.id)).toEqual([
        'api.created',
        'api.client-added',
        'api.client-added',
        'api.client-added',
        'api.client-removed',
      ]);
      const [removed] = (await listAudit({ type: 'api.client-removed' })).rows;
      expect(removed).toMatchObject({ clientId: two.id, detail: { kind: 'asks' } });
      await deleteClient(one.id, actor, now());
      expect(await showApi(api.id)).toMatchObject({ askedBy: [] });
    });

    test('must exist, must be confidential if they serve the API, and are limited in number', async () => {
      const api = await newApi();
      const open = (await newApp({ type: 'public', redirectUris: ['https://a.example/cb'] }))
        .client;
      const add = (kind: 'asks' | 'serves', ids: string[]) =>
        faultsOf(addApiClients(api.id, kind, ids, { actor, now: now() }));
      expect((await add('serves', [open.id])).client).toContain('no secret');
      expect((await add('asks', ['nobody'])).client).toContain('"nobody"');
      expect(await faultsOf(newApi({ servedBy: [open.id] }))).toHaveProperty('servedBy');
      expect(await faultsOf(newApi({ askedBy: ['nobody'] }))).toHaveProperty('clients');
      const many = Array.from({ length: mostClientsOfApi + 1 }, () => open.id + newId(now()));
      expect((await add('asks', many)).client).toContain(String(mostClientsOfApi));
      const made = await newApi({ askedBy: [open.id] });
      expect(made.askedBy).toEqual([open.id]);
    });

    test('lose the tokens issued to them when they may no longer ask for the API, and no other client does', async () => {
      const listed = (await newApp()).client.id;
      const other = (await newApp()).client.id;
      const api = await newApi({ access: 'anyone', scopes: files, askedBy: [listed] });
      const outsider = (await newApp()).client.id;
      await write(`UPDATE clients SET origin = 'document' WHERE id = $1`, [outsider]);
      const people = await Promise.all(
        [listed, other, outsider].map((id) => allowed(api, ['files:read'], [], id)),
      );
      const alive = () => Promise.all(people.map((each) => each.isAlive()));
      await updateApi(api.id, { access: 'admins' }, { actor, now: now() });
      expect(await alive()).toEqual([true, true, false]);
      await removeApiClients(api.id, 'asks', [listed], { actor, now: now() });
      expect(await alive()).toEqual([true, true, false]);
      await addApiClients(api.id, 'asks', [listed], { actor, now: now() });
      await updateApi(api.id, { access: 'listed' }, { actor, now: now() });
      expect(await alive()).toEqual([true, false, false]);
      await removeApiClients(api.id, 'asks', [listed], { actor, now: now() });
      expect(await alive()).toEqual([false, false, false]);
      expect(await people[0]?.isOtherAlive()).toBe(true);
    });
  });

  test('a change that loosens an API asks for confirmation before anything is stored', async () => {
    const api = await newApi({ access: 'listed', accessTokenTtl: 60 });
    const edit = (change: Parameters<typeof updateApi>[1]) =>
      updateApi(api.id, change, { actor, now: now(), onLoosening: refuse });
    for (const change of [
      { access: 'admins' },
      { access: 'anyone' },
      { accessTokenTtl: 61 },
      { accessTokenTtl: null },
      { tokenFormat: 'jwt' },
      { tokenFormat: 'plain-jwt' },
    ] as const)
      await expect(edit(change)).rejects.toThrow('asked');
    const { client } = await newApp();
    for (const kind of ['asks', 'serves'] as const)
      await expect(
        addApiClients(api.id, kind, [client.id], { actor, now: now(), onLoosening: refuse }),
      ).rejects.toThrow('asked');
    expect(await showApi(api.id)).toEqual(api);
    expect(await edit({ name: 'Other', accessTokenTtl: 59, scopes: files })).toMatchObject({
      accessTokenTtl: 59,
    });
    // Ending something that people allowed loosens too.
    await expect(edit({ scopes: files.slice(1) })).rejects.toThrow('asked');
    await updateApi(api.id, { tokenFormat: 'jwt', access: 'anyone' }, { actor, now: now() });
    // Without this setting, a JWT lives for ten minutes.
    await expect(edit({ accessTokenTtl: null })).rejects.toThrow('asked');
    // So does a type that makes the API's tokens indistinguishable from ID tokens.
    await expect(edit({ tokenFormat: 'plain-jwt' })).rejects.toThrow('asked');
    expect(await edit({ access: 'listed', tokenFormat: 'opaque' })).toBeTruthy();
  });

  test('the number of APIs is limited, also when several are created at the same time', async () => {
    const count = (await listApis()).length;
    const fill = `WITH RECURSIVE n(i) AS (SELECT ${count + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${mostApis - 1})
      INSERT INTO apis (id, identifier, name, created_at, updated_at)
      SELECT 'filled-' || i, 'https://filled.example/' || i, 'Filled', CAST($1 AS TIMESTAMPTZ), CAST($1 AS TIMESTAMPTZ) FROM n`;
    await write(fill, [now()]);
    const { id } = await showApi(`https://filled.example/${mostApis - 1}`);
    expect(id).toBe(`filled-${mostApis - 1}`);
    const made = await Promise.allSettled([newApi(), newApi(), newApi()]);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await faultsOf(newApi()))['']).toContain(String(mostApis));
    await write("DELETE FROM apis WHERE id LIKE 'filled-%'", []);
  });
});
