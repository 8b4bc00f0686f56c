import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { type Client, newClient as unsaid } from '#lib/oauth/client.ts';
import { keepRegistered } from '#lib/registration/keep.ts';
import { findClient } from '#lib/store/clients.ts';
import { storeSetting } from '#lib/store/settings.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser } from '../support/seed.ts';

function unstored(): Client {
  const host = `${randomBytes(6).toString('hex')}.example`;
  const facts = { listed: true, documentHash: 'hash', etag: '"1"' };
  return {
    ...unsaid,
    id: `https://${host}/app.json`,
    origin: 'document',
    host,
    name: 'Somebody',
    type: 'public',
    redirectUris: ['https://somebody.example/cb', 'http://localhost/cb'],
    secretHashes: [],
    disabled: false,
    epoch: 0,
    unstored: { ...facts, fetchedAt: new Date(1000), staleAt: new Date(2000) },
  };
}

onEachDatabase(() => {
  beforeAll(async () => {
    const event = { type: 'setting.changed', actor: 'cli' } as const;
    await storeSetting('clientDocumentHosts', 'any', event, new Date());
  });

  test('a self-registered client to which several users consent at the same time is stored once', async () => {
    const client = unstored();
    const people = await Promise.all(Array.from({ length: 10 }, () => newUser()));
    const kept = await Promise.all(
      people.map(({ id }) => keepRegistered(client, { id }, new Date(5000))),
    );
    const [first] = kept;
    const { unstored: _, epoch: __, ...known } = client;
    expect(first).toMatchObject(known);
    for (const other of kept) expect(other).toEqual(first);
    const introduction = { clientId: client.id, host: client.host, documentHash: 'hash' };
    const row = { ...introduction, etag: '"1"', createdAt: new Date(5000) };
    expect(
      await (await prisma()).clientIntroduction.findUnique({ where: { clientId: client.id } }),
    ).toEqual({ ...row, fetchedAt: new Date(1000), staleAt: new Date(2000) });
    const events = await (await prisma()).auditEvent.findMany({ where: { clientId: client.id } });
    expect(events.map(({ type }) => type)).toEqual(['client.introduced']);
    expect(people.map(({ id }) => id)).toContain(events[0]?.actor);
  });

  test('a user may add twenty new clients in a quarter of an hour; others are not affected', async () => {
    const { id } = await newUser();
    const other = await newUser();
    const now = new Date();
    for (let count = 0; count < 20; count += 1)
      expect(await keepRegistered(unstored(), { id }, now)).not.toBeNull();
    const late = unstored();
    await expect(keepRegistered(late, { id }, now)).rejects.toThrow('20 new apps');
    expect(await findClient(late.id)).toBeNull();
    expect(await keepRegistered(late, { id: other.id }, now)).not.toBeNull();
  });

  test('a client that is already stored is not stored again', async () => {
    const { id } = await newClient();
    const client = await findClient(id);
    expect(await keepRegistered(client as Client, { id: 'x' }, new Date())).toBe(client);
  });
});
