import { expect, test } from 'vitest';
import { issueClientToken } from '#lib/endpoints/issue-tokens.ts';
import { findAccessToken } from '#lib/identity/tokens.ts';
import * as clients from '#lib/management/client/clients.ts';
import * as grants from '#lib/management/grant/grants.ts';
import * as scopes from '#lib/management/scope/scopes.ts';
import * as secrets from '#lib/management/secret/secrets.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import * as users from '#lib/management/user/users.ts';
import { findClient } from '#lib/store/clients.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { findGrant } from '#lib/store/grants.ts';
import { waitingDeliveries } from '#lib/store/logout-deliveries.ts';
import { readSettings } from '#lib/store/settings.ts';
import { clearThrottle, takeTry } from '#lib/store/throttles.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, newApp, newPerson, password, unique } from './people.ts';
import { everything, possess } from './possessions.ts';

const now = () => new Date();
const soon = () => new Date(Date.now() + 3600_000);
const sessionOnly = ['session'];

async function scene() {
  const user = await newPerson();
  const { client } = await newApp();
  const bystander = await newPerson();
  const his = await possess(user.id, client.id);
  const others = await possess(bystander.id, client.id);
  expect(await his.living()).toEqual(everything);
  return { user, client, his, others };
}

onEachDatabase(() => {
  test('disabling a user ends all their sessions and tokens and no one else’s; enabling revives none of them', async () => {
    const { user, his, others } = await scene();
    await users.disableUser(user.id, actor, now());
    expect(await his.living()).toEqual([]);
    await users.enableUser(user.id, actor, now());
    expect(await his.living()).toEqual([]);
    expect(await others.living()).toEqual(everything);
  });

  test('resetting a password ends all sessions and tokens of the user, and forgets wrong tries', async () => {
    const { user, his, others } = await scene();
    const counted = { key: `login:${user.id}`, limit: 1, userId: user.id };
    await takeTry(counted, now());
    expect(await takeTry(counted, now())).toHaveProperty('refusedUntil');
    await users.resetPassword(user.id, password, actor, now());
    expect(await his.living()).toEqual([]);
    expect(await others.living()).toEqual(everything);
    expect(await takeTry(counted, now())).toEqual({ total: 1 });
    await clearThrottle(counted.key);
  });

  test('deleting a user ends all their sessions and tokens', async () => {
    const { user, his, others } = await scene();
    await users.deleteUser(user.id, actor, now());
    expect(await his.living()).toEqual([]);
    expect(await others.living()).toEqual(everything);
  });

  test('editing a user ends nothing; making them an admin ends all their sessions and tokens', async () => {
    const { user, his } = await scene();
    await updateUser(user.id, { name: 'Renamed' }, actor, now());
    expect(await his.living()).toEqual(everything);
    await users.setAdmin(user.id, true, actor, now());
    // Everything ends, because a token for this server's API would get the new role.
    expect(await his.living()).toEqual([]);
  });

  test('disabling a client ends the tokens issued to it, and enabling revives none of them', async () => {
    const { client, his, others } = await scene();
    await clients.disableClient(client.id, actor, now());
    expect([await his.living(), await others.living()]).toEqual([sessionOnly, sessionOnly]);
    expect((await findClient(client.id))?.disabled).toBe(true);
    await clients.enableClient(client.id, actor, now());
    expect([await his.living(), await others.living()]).toEqual([sessionOnly, sessionOnly]);
    expect((await findClient(client.id))?.disabled).toBe(false);
  });

  test('deleting a client ends the tokens issued to it; a new client with the same id gets none of them back', async () => {
    const id = unique('client');
    const { client } = await newApp({ id, grants: ['authorization_code', 'client_credentials'] });
    const user = await newPerson();
    const his = await possess(user.id, client.id);
    const own = await findClient(id);
    if (!own) throw new Error('The client is gone.');
    const asking = async () => {
      const settings = await readSettings();
      const revision = await readRevision();
      return { client: own, settings, revision, dpop: null };
    };
    const issue = async () =>
      (await issueClientToken(await asking(), { scope: '', apis: [] }, now())).access_token;
    const before = await issue();
    expect((await findAccessToken(before, now())).token).not.toBeNull();
    await clients.deleteClient(id, actor, now());
    // Also for a token that a request issues while the client is being deleted.
    const tokens = [before, await issue()];
    const found = () =>
      Promise.all(tokens.map(async (token) => (await findAccessToken(token, now())).token));
    expect([await his.living(), await found()]).toEqual([sessionOnly, [null, null]]);
    await newApp({ id });
    expect([await his.living(), await found()]).toEqual([sessionOnly, [null, null]]);
  });

  test('changing a client ends nothing, except becoming public or confidential', async () => {
    const { client, his } = await scene();
    await clients.updateClient(
      client.id,
      { name: 'Renamed', requirePkce: true },
      { actor, now: now() },
    );
    await secrets.rotateSecret(client.id, {}, actor, now());
    expect(await his.living()).toEqual(everything);
    await clients.updateClient(client.id, { type: 'public' }, { actor, now: now() });
    expect(await his.living()).toEqual(sessionOnly);
  });

  test('revoking an approval ends its codes and tokens only', async () => {
    const { user, client, his, others } = await scene();
    const elsewhere = await possess(user.id, (await newApp()).client.id);
    expect(
      await grants.revokeGrants({ user: user.username, client: client.id }, actor, now()),
    ).toEqual({ revoked: 1 });
    expect([await his.living(), await others.living(), await elsewhere.living()]).toEqual([
      sessionOnly,
      everything,
      everything,
    ]);
    expect(await grants.revokeGrants({ user: user.username }, actor, now())).toEqual({
      revoked: 1,
    });
    expect([await others.living(), await elsewhere.living()]).toEqual([everything, sessionOnly]);
    expect(await grants.revokeGrants({ client: client.id }, actor, now())).toEqual({ revoked: 1 });
    expect(await others.living()).toEqual(sessionOnly);
  });

  test('deleting a scope removes it from clients and approvals, and ends the tokens that carry it', async () => {
    const [name, kept] = [unique('photos'), `${unique('photos')}.raw`];
    for (const each of [name, kept])
      await scopes.createScope({ name: each, description: 'See photos' }, actor, now());
    const { client } = await newApp({ scopes: ['email', name, kept] });
    const carrier = await newPerson();
    const other = await newPerson();
    const carrying = await possess(carrier.id, client.id, `email ${name}`);
    const without = await possess(other.id, client.id, `email ${kept}`);
    expect(await scopes.deleteScope(name, actor, now())).toEqual({ clients: 1, grants: 1 });
    expect([await carrying.living(), await without.living()]).toEqual([sessionOnly, everything]);
    expect((await clients.showClient(client.id)).scopes).toEqual(['email', kept]);
    expect((await findGrant(carrier.id, client.id))?.scopes).toEqual(['email']);
    expect((await findGrant(other.id, client.id))?.scopes).toEqual(['email', kept]);
  });

  test.each([users.disableUser, users.deleteUser])(
    'ending a user’s sessions queues the back-channel logout of their clients: %o',
    async (end) => {
      const { client } = await newApp({ backchannelLogoutUri: 'https://app.example/logout' });
      const user = await newPerson();
      await possess(user.id, client.id);
      await end(user.id, actor, now());
      const due = await waitingDeliveries.take(soon(), soon());
      expect(due.filter((delivery) => delivery.userId === user.id)).toMatchObject([
        { clientId: client.id },
      ]);
    },
  );
});
