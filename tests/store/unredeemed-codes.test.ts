import { expect, test } from 'vitest';
import { newId } from '#lib/oauth/secrets.ts';
import { addSeconds } from '#lib/oauth/token-request.ts';
import { eventBy } from '#lib/store/actor.ts';
import { findAuthorization, storeAuthorization } from '#lib/store/authorizations.ts';
import { findClient } from '#lib/store/clients.ts';
import { allowDevice, findDeviceByHash, storeDevice } from '#lib/store/device-authorizations.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { findGrant, widenGrantOf } from '#lib/store/grants.ts';
import { boundUnredeemed, mostUnredeemed, roomMade } from '#lib/store/unredeemed-codes.ts';
import { newAuthorization, store } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const most = mostUnredeemed;

async function scene() {
  const user = await newUser();
  const client = await newClient();
  const given = { scopes: ['profile'], remembered: ['profile'] };
  const grantId = await widenGrantOf({ userId: user.id, clientId: client.id }, null, given, now);
  const clientEpoch = (await findClient(client.id))?.epoch ?? 0;
  const whose = { userId: user.id, clientId: client.id, grantId, clientEpoch };
  const code = async () => {
    await boundUnredeemed(grantId, await store(whose, now));
  };
  /** So many, one after the other in the order of their ids, ten at a time. */
  const codes = async (count: number) => {
    for (let each = 0; each < count; each += 10)
      await Promise.all(Array.from({ length: Math.min(10, count - each) }, code));
  };
  const ids = async () => {
    const sql = 'SELECT id FROM authorizations WHERE grant_id = $1 ORDER BY id';
    return (await read<{ id: string }>(sql, [grantId])).map(({ id }) => id);
  };
  return { user, client, whose, code, codes, ids };
}

/** A person allows a device that started with this id. */
async function allowed(
  whose: Awaited<ReturnType<typeof scene>>['whose'],
  id: string,
  consented: string[] = [],
) {
  const { userId, clientId } = whose;
  const expiresAt = addSeconds(now, 600);
  const asked = {
    clientId,
    scope: 'profile',
    resources: '',
    address: null,
    network: '',
    expiresAt,
  };
  await storeDevice({ id, hash: id, userCode: id, ...asked }, now);
  const event = eventBy({ id: userId }, 'consent.given', { userId, clientId });
  return allowDevice(newAuthorization({ ...whose, id, consented }, now), event, now);
}

onEachDatabase(() => {
  test('unredeemed codes are limited for each user and app; the oldest are deleted', async () => {
    const { codes, ids } = await scene();
    await codes(most - 1);
    const all = await ids();
    expect(all).toHaveLength(most - 1);
    await codes(1);
    expect((await ids()).slice(0, -1)).toEqual(all.slice(roomMade));
    await codes(2 * roomMade);
    expect((await ids()).length).toBeLessThan(most);
  });

  test('only codes that nobody redeemed count: one kept for later outlives any number of others', async () => {
    const { codes, ids, user, client, whose } = await scene();
    const other = await scene();
    await codes(1);
    await other.codes(1);
    const [kept = ''] = await ids();
    const redeemed = `UPDATE authorizations SET redeemed_at = created_at WHERE grant_id = $1 AND id <> $2`;
    for (let each = 0; each <= most / roomMade; each += 1) {
      await codes(roomMade);
      await write(redeemed, [whose.grantId, kept]);
    }
    expect((await findAuthorization(kept)).authorization?.redeemedAt).toBeNull();
    expect(await ids()).toHaveLength(most + roomMade + 1);
    expect(await other.ids()).toHaveLength(1);
    expect((await findGrant(user.id, client.id))?.id).toBe(whose.grantId);
  });

  test('a request whose code was deleted to make room cannot get a second one, nor can a device', async () => {
    const { whose, codes, ids } = await scene();
    const early = newAuthorization(whose, now);
    await codes(1);
    const [first = ''] = await ids();
    await codes(most);
    expect((await findAuthorization(first)).authorization).toBeNull();
    for (const id of [first, early.id])
      expect(await storeAuthorization({ ...early, id }, now)).toBe('flow-used');
    expect(await allowed(whose, first)).toBe(false);
    expect(await allowed(whose, newId(now))).toBe(true);
    expect(await storeAuthorization(newAuthorization(whose, now), now)).toBe('stored');
  });

  test('a device authorization stays waiting if the consent does not include its scopes', async () => {
    const { whose } = await scene();
    const id = newId(now);
    expect(await allowed(whose, id, ['profile', 'email'])).toBe(false);
    expect((await findDeviceByHash(id))?.state).toBe('waiting');
    expect(await allowed(whose, newId(now), ['profile'])).toBe(true);
  });

  test('many codes stored at the same time stay within the limit', async () => {
    const { code, ids } = await scene();
    const outcomes = await Promise.allSettled(Array.from({ length: most + 2 * roomMade }, code));
    // A request that is older than the ones that have made room meanwhile is refused, as if it had
    // made room itself.
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toEqual(new Error('flow-used'));
    expect((await ids()).length).toBeLessThan(most);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(
      most,
    );
  });
});
