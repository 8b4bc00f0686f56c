import { expect, test } from 'vitest';
import { newId } from '#lib/oauth/secrets.ts';
import { addSeconds } from '#lib/oauth/token-request.ts';
import {
  extendRefreshToken,
  revokeAuthorization,
  rotateRefreshToken,
} from '#lib/store/authorizations.ts';
import { findClient } from '#lib/store/clients.ts';
import { storeExchange } from '#lib/store/exchanges.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { redeem, store } from '../support/authorizations.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const endsAt = addSeconds(now, 3600);
const life = { idle: 3600, absolute: 3600, access: 600 };

/** The authorization of a sign-in, and one that its token was exchanged for. */
async function parentAndChild() {
  const user = await newUser();
  const front = await newClient();
  const near = await newClient();
  const given = { scopes: ['profile'], remembered: ['profile'] };
  const grantOf = (clientId: string) =>
    widenGrantOf({ userId: user.id, clientId }, null, given, now);
  const clientEpoch = (await findClient(front.id))?.epoch ?? 0;
  const client = await findClient(near.id);
  if (!client) throw new Error('The client is gone.');
  const grantId = await grantOf(front.id);
  const parent = await store({ userId: user.id, clientId: front.id, grantId, clientEpoch }, now);
  await redeem(parent, life, now);
  const child = await storeExchange(
    {
      id: newId(now),
      parentId: parent,
      subjectHash: 'token:none',
      clientId: near.id,
      clientEpoch: client.epoch,
      grantId: await grantOf(near.id),
      consented: [],
      scope: 'profile',
      resources: [],
      lineage: [front.id],
      onward: '',
      refreshes: true,
      exchangeFor: [],
      endsAt,
    },
    now,
  );
  if (!child) throw new Error('Nothing was exchanged.');
  return { parent, judged: { id: child.id, client, revision: null, exchanged: true } };
}

onEachDatabase(() => {
  test('RFC 8693: a refresh checked before the parent authorization ended is refused afterwards', async () => {
    const { parent, judged } = await parentAndChild();
    const first = { counter: 0, scope: null, idleUntil: endsAt };
    expect(await rotateRefreshToken(judged, first, now)).not.toBeNull();
    expect(await extendRefreshToken(judged, { counter: 1, idleUntil: endsAt }, now)).not.toBeNull();
    await revokeAuthorization(parent, now);
    expect(await rotateRefreshToken(judged, { ...first, counter: 1 }, now)).toBeNull();
    expect(await extendRefreshToken(judged, { counter: 1, idleUntil: endsAt }, now)).toBeNull();
  });

  test('RFC 8693: an exchanged authorization cannot be refreshed as one of a sign-in, which checks no parent', async () => {
    const { judged } = await parentAndChild();
    const unread = { ...judged, exchanged: false };
    const next = { counter: 0, scope: null, idleUntil: endsAt };
    expect(await rotateRefreshToken(unread, next, now)).toBeNull();
    expect(await rotateRefreshToken(judged, next, now)).not.toBeNull();
  });
});
