import { describe, expect, test } from 'vitest';
import { allow, disallow, findNamed, showAccess } from '#lib/management/client/access.ts';
import { updateClient } from '#lib/management/client/clients.ts';
import { deleteGroup } from '#lib/management/group/groups.ts';
import { removeMembers } from '#lib/management/group/members.ts';
import { mostListed } from '#lib/store/access.ts';
import { findAuthorization, storeAuthorization } from '#lib/store/authorizations.ts';
import { findClient } from '#lib/store/clients.ts';
import { read } from '#lib/store/engine/database.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { newAuthorization } from '../support/authorizations.ts';
import { newGroup } from '../support/groups.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const cli = { id: 'cli' };
const now = new Date();
const meant = (groups: string[], people: string[] = []) => findNamed({ groups, people });

async function signedIn(userId: string, clientId: string) {
  const grantId = await widenGrantOf(
    { userId, clientId },
    null,
    { scopes: ['profile'], remembered: [] },
    now,
  );
  const clientEpoch = (await findClient(clientId))?.epoch ?? 0;
  const whose = {
    clientId,
    userId,
    grantId,
    clientEpoch,
    scope: 'profile',
    consented: ['profile'],
  };
  const authorization = newAuthorization(whose, now);
  await storeAuthorization(authorization, now);
  return async () => (await findAuthorization(authorization.id)).authorization?.revokedAt === null;
}

onEachDatabase(() => {
  test('the access list of an app lists each allowed group and person once by name, and counts each person once', async () => {
    const ann = await newUser();
    const bob = await newUser();
    const client = await newClient();
    const staff = await newGroup(ann, bob);
    const wanted = await meant([staff, ` ${staff.toUpperCase()} `], [ann.email, ann.username, '']);
    await allow(client.id, wanted, cli, now);
    await allow(client.id, wanted, cli, now);
    expect(await showAccess(client.id)).toEqual({
      groups: [{ id: staff, name: staff, members: { count: 2, more: false } }],
      people: [{ id: ann.id, username: ann.username, disabled: false, endsAt: null }],
      total: { count: 2, more: false },
    });
    const events = await read<{ type: string; userId: string | null; detail: string }>(
      'SELECT type, user_id, detail FROM audit_events WHERE client_id = $1 ORDER BY type',
      [client.id],
    );
    expect(events).toEqual([
      {
        type: 'client.group-allowed',
        userId: null,
        detail: JSON.stringify({ id: staff, name: staff }),
      },
      { type: 'client.user-allowed', userId: ann.id, detail: '{}' },
    ]);
  });

  test.each([
    ['an unknown group', ['nowhere'], [], 'There is no group "nowhere".'],
    ['an unknown person', [], ['nobody'], 'No one here has the username or email “nobody”.'],
    ['too many', [], Array(mostListed.people + 1), 'An app lists at most 200 people'],
  ])(
    'allowing %s to use an app is refused before anything changes',
    async (_, groups, people, sentence) => {
      const client = await newClient();
      const keys: string[] = [];
      for (const key of people) keys.push(key ?? (await newUser()).id);
      await expect(meant([...groups], keys)).rejects.toThrow(sentence);
      expect((await showAccess(client.id)).total.count).toBe(0);
    },
  );

  test('the access list of an app that grows one person at a time is limited too', async () => {
    const client = await newClient();
    const people: string[] = [];
    for (let each = 0; each < mostListed.people; each += 1) people.push((await newUser()).id);
    await allow(client.id, { groups: [], people }, cli, now);
    const one = { groups: [], people: [(await newUser()).id] };
    await expect(allow(client.id, one, cli, now)).rejects.toThrow('Put them in a group.');
  });

  test('allowing people to use an unknown app, and showing its access list, is refused', async () => {
    await expect(allow('nowhere', { groups: [], people: [] }, cli, now)).rejects.toThrow(
      'no client',
    );
    await expect(showAccess('nowhere')).rejects.toThrow('no client');
  });

  describe('a user who loses the last way into an app is signed out of it', () => {
    const ways: [string, (of: Record<'staff' | 'client' | 'ann', string>) => Promise<unknown>][] = [
      ['taken out of the group', ({ staff, ann }) => removeMembers(staff, [ann], cli, now)],
      ['the group is deleted', ({ staff }) => deleteGroup(staff, cli, now)],
      [
        'the app lists the group no longer',
        async ({ client, staff }) => disallow(client, await meant([staff]), cli, now),
      ],
    ];
    test.each(ways)('%s', async (_, lose) => {
      const ann = await newUser();
      const bob = await newUser();
      const staff = await newGroup(ann, bob);
      const { id: client } = await newClient({ access: 'listed' });
      await allow(client, await meant([staff], [bob.id]), cli, now);
      const anns = await signedIn(ann.id, client);
      const bobs = await signedIn(bob.id, client);
      await lose({ staff, client, ann: ann.username });
      expect([await anns(), await bobs()]).toEqual([false, true]);
    });

    test('the app’s access changes to the listed people and groups', async () => {
      const ann = await newUser();
      const bob = await newUser();
      const { id: client } = await newClient();
      await allow(client, await meant([], [bob.id]), cli, now);
      const anns = await signedIn(ann.id, client);
      const bobs = await signedIn(bob.id, client);
      await updateClient(client, { access: 'listed' }, { actor: cli, now });
      expect([await anns(), await bobs()]).toEqual([false, true]);
    });
  });
});
