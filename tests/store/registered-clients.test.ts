import pg from 'pg';
import { expect, test } from 'vitest';
import type { Client } from '#lib/oauth/client.ts';
import { addSeconds } from '#lib/oauth/token-request.ts';
import { keepRegistered } from '#lib/registration/keep.ts';
import { registerClient, selfRegistered } from '#lib/registration/self-registration.ts';
import { resolveSettings } from '#lib/settings/table.ts';
import { revokeAuthorization } from '#lib/store/authorizations.ts';
import { findClient } from '#lib/store/clients.ts';
import { database, read } from '#lib/store/engine/database.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { removeUnusedClients, wasRemoved } from '#lib/store/registered-clients.ts';
import { flushUsage, touchLastUse } from '#lib/store/usage.ts';
import { redeem, store } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser } from '../support/seed.ts';

const day = 24 * 3600;
const start = new Date();
const at = (days: number) => addSeconds(start, days * day);
const settings = resolveSettings({ clientRegistration: 'open' }, {});
const given = { scopes: ['profile'], remembered: ['profile'] };

async function newRegistration(): Promise<string> {
  const uris = { redirect_uris: ['https://app.example/cb'] };
  return (await registerClient(uris, { byToken: false, settings }, start)).id;
}

/** A client that registered itself and that a person has allowed. */
async function newKept() {
  const id = await newRegistration();
  const unstored = (await selfRegistered(id, settings, start)) ?? expect.fail();
  const user = await newUser();
  const client = (await keepRegistered(unstored, { id: user.id }, start)) ?? expect.fail();
  const grantId = await widenGrantOf({ userId: user.id, clientId: id }, null, given, start);
  return { id, user, client, grantId };
}

/**
 * The redeemed authorization of a person who allowed the client. Its refresh token expires `idle`
 * days after its last use.
 */
async function newTokens(
  { user, client, grantId }: Awaited<ReturnType<typeof newKept>>,
  idle: number,
) {
  const whose = { userId: user.id, clientId: client.id, grantId, clientEpoch: client.epoch };
  const id = await store(whose, start);
  await redeem(id, { idle: idle * day, absolute: 400 * day, access: 3600 }, start);
  return id;
}

const isLeft = async (id: string) => (await findClient(id)) !== null;

onEachDatabase(() => {
  test('an unused dynamically registered client is removed after 90 days, with everything that belongs to it', async () => {
    const kept = await newKept();
    await newTokens(kept, 30);
    await removeUnusedClients(at(89.9));
    expect(await isLeft(kept.id)).toBe(true);
    await removeUnusedClients(at(90.1));
    expect(await isLeft(kept.id)).toBe(false);
    for (const table of ['grants', 'client_addresses', 'client_secrets', 'client_introductions'])
      expect(await read(`SELECT * FROM ${table} WHERE client_id = $1`, [kept.id])).toEqual([]);
    const [event] = await (await prisma()).auditEvent.findMany({
      where: { clientId: kept.id, type: 'client.deleted' },
    });
    expect(event).toMatchObject({ actor: 'system' });
    await expect(selfRegistered(kept.id, settings, start)).rejects.toMatchObject({
      problem: 'client_gone',
    });
  });

  test('a registered client is not removed while its tokens are valid or it was used within 90 days', async () => {
    const refreshing = await newKept();
    const touched = await newKept();
    const agreed = await newKept();
    const granted = await newKept();
    await newTokens(refreshing, 200);
    touchLastUse('clients', touched.id, at(50));
    touchLastUse('grants', granted.grantId, at(50));
    await flushUsage();
    const wider = { scopes: ['profile', 'email'], remembered: ['profile'] };
    await widenGrantOf({ userId: agreed.user.id, clientId: agreed.id }, null, wider, at(50));
    const all = [refreshing, touched, agreed, granted];
    await removeUnusedClients(at(139));
    expect(await Promise.all(all.map(({ id }) => isLeft(id)))).toEqual([true, true, true, true]);
    await removeUnusedClients(at(141));
    expect(await Promise.all(all.map(({ id }) => isLeft(id)))).toEqual([true, false, false, false]);
    await removeUnusedClients(at(201));
    expect(await isLeft(refreshing.id)).toBe(false);
  });

  test('a revoked authorization does not prevent the removal of an unused registered client', async () => {
    const kept = await newKept();
    await revokeAuthorization(await newTokens(kept, 200), start);
    await removeUnusedClients(at(91));
    expect(await isLeft(kept.id)).toBe(false);
  });

  test('an unused client with a metadata document is removed too, but none that an admin made or configured', async () => {
    const made = await newClient();
    const documented = () => newClient({ origin: 'document' });
    const plain = await documented();
    const disabled = await documented();
    const ruled = await documented();
    const { client } = await prisma();
    await client.update({ where: { id: disabled.id }, data: { disabledAt: start } });
    await client.update({ where: { id: ruled.id }, data: { requireSecondFactor: true } });
    await removeUnusedClients(at(89));
    expect(await isLeft(plain.id)).toBe(true);
    await removeUnusedClients(at(4000));
    const left = [made, plain, disabled, ruled].map(({ id }) => isLeft(id));
    expect(await Promise.all(left)).toEqual([true, false, true, true]);
  });

  test('unused registered clients are removed in batches', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 60; count += 1) ids.push((await newKept()).id);
    expect(await removeUnusedClients(at(100))).toBe(50);
    expect(await removeUnusedClients(at(100))).toBe(10);
    expect(await removeUnusedClients(at(100))).toBe(0);
    expect(await Promise.all(ids.map(isLeft))).not.toContain(true);
  });

  test('a registered client used while it is being removed is kept, or gone completely', async () => {
    for (let round = 0; round < 12; round += 1) {
      const kept = await newKept();
      const { user, client, grantId } = kept;
      const whose = { userId: user.id, clientId: client.id, grantId, clientEpoch: client.epoch };
      const coming = Array.from({ length: 4 }, () =>
        store({ ...whose, codeExpiresAt: at(200) }, at(100)).catch(() => null),
      );
      const [, ...codes] = await Promise.all([removeUnusedClients(at(100)), ...coming]);
      const stored = codes.filter((id) => id !== null);
      const rows = await read('SELECT id FROM authorizations WHERE client_id = $1', [kept.id]);
      const left = await isLeft(kept.id);
      expect(rows.map(({ id }) => id).sort()).toEqual(left ? stored.sort() : []);
      // If a code was issued first, the client is not removed.
      if (stored.length > 0) expect(left).toBe(true);
    }
  });

  test('the removal of a registered client waits for a consent under way, and then keeps the client', async ({
    skip,
  }) => {
    skip(database().kind === 'sqlite', 'SQLite has one writer at a time');
    const kept = await newKept();
    const other = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await other.connect();
    await other.query('BEGIN');
    const agreeing = 'UPDATE grants SET updated_at = $2 WHERE id = $1';
    await other.query(agreeing, [kept.grantId, at(100)]);
    const removing = removeUnusedClients(at(100));
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1);
    await other.query('COMMIT');
    await other.end();
    await removing;
    expect(await isLeft(kept.id)).toBe(true);
  });

  test('processes that clean at the same time remove each registered client once', async () => {
    const kept = await Promise.all(Array.from({ length: 5 }, newKept));
    const removed = await Promise.all([1, 2, 3].map(() => removeUnusedClients(at(100))));
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(5);
    const events = await (await prisma()).auditEvent.count({
      where: { type: 'client.deleted', clientId: { in: kept.map(({ id }) => id) } },
    });
    expect(events).toBe(5);
  });

  test('dynamic client registration stores nothing, and does not grow memory', async () => {
    const counts = async () => {
      const db = await prisma();
      const [clients, spent, all] = await Promise.all([
        db.client.count(),
        db.spentValue.count(),
        db.throttle.count(),
      ]);
      return { clients, spent, all };
    };
    const before = await counts();
    for (let count = 0; count < 500; count += 1) await newRegistration();
    globalThis.gc?.();
    const heap = process.memoryUsage().heapUsed;
    const ids = new Set<string>();
    for (let count = 0; count < 2000; count += 1) {
      const id = await newRegistration();
      if (count % 100 === 0) ids.add(id);
    }
    globalThis.gc?.();
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(60 * 2 ** 20);
    expect(ids.size).toBe(20);
    expect(await counts()).toEqual(before);
    const unstored: Client | null = await selfRegistered([...ids][0] ?? '', settings, start);
    expect(unstored?.unstored?.listed).toBe(false);
    expect(await wasRemoved([...ids][0] ?? '')).toBe(false);
  });
});
