import { describe, expect, test } from 'vitest';
import {
  allow,
  disallow,
  endingAccess,
  type Losing,
  mayUse,
  mostListed,
} from '#lib/store/access.ts';
import { findAuthorization, storeAuthorization } from '#lib/store/authorizations.ts';
import { findClient } from '#lib/store/clients.ts';
import { read, writeTogether } from '#lib/store/engine/database.ts';
import { findGrant, widenGrantOf } from '#lib/store/grants.ts';
import { accessCases } from '../support/access-cases.ts';
import { newAuthorization } from '../support/authorizations.ts';
import { newGroup } from '../support/groups.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const nothing = { groups: [], people: [] };

/** A user's authorization at an app, and whether it is still alive. */
async function signedIn(userId: string, clientId: string) {
  const scopes = ['openid'];
  const given = { scopes, remembered: scopes };
  const held = await findGrant(userId, clientId);
  const grantId = await widenGrantOf({ userId, clientId }, held, given, now);
  const clientEpoch = (await findClient(clientId))?.epoch ?? 0;
  const whose = { clientId, userId, grantId, clientEpoch, scope: 'openid', consented: scopes };
  const authorization = newAuthorization(whose, now);
  await storeAuthorization(authorization, now);
  return async () => (await findAuthorization(authorization.id)).authorization?.revokedAt === null;
}

/** Ends what is lost, as part of some change. */
const end = (losing: Losing, ...before: string[]) =>
  writeTogether({ sql: 'SELECT id FROM revision', params: [] }, [
    ...before.map((sql) => ({ sql, params: [] })),
    ...endingAccess(losing, now),
  ]);

onEachDatabase(() => {
  describe('the access list of an app, as stored, and who may use the app', () => {
    test.each(accessCases)('$name', async ({ rule, person, may }) => {
      const { id: clientId } = await newClient({ access: rule.access });
      const users = new Map<string, string>();
      const groups = new Map<string, string>();
      // Names that appear on both sides become rows.
      for (const name of new Set([person.id, ...rule.people]))
        users.set(name, (await newUser()).id);
      const userId = users.get(person.id) ?? '';
      for (const name of new Set([...person.groups, ...rule.groups])) {
        const members = person.groups.includes(name) ? [{ id: userId }] : [];
        groups.set(name, await newGroup(...members));
      }
      const listing = {
        groups: rule.groups.map((name) => groups.get(name) ?? ''),
        people: rule.people.map((name) => users.get(name) ?? ''),
      };
      expect(await allow(clientId, listing, [], now)).toBe(true);
      expect(await mayUse(userId, { id: clientId, access: rule.access })).toBe(may);
    });
  });

  describe('authorizations of a user who loses access to an app end, and no others', () => {
    test('when the user is no longer in a group that the app allows', async () => {
      const ann = await newUser();
      const bob = await newUser();
      const staff = await newGroup(ann, bob);
      const admins = await newGroup(ann);
      const one = await newClient({ access: 'listed' });
      const other = await newClient({ access: 'listed' });
      const open = await newClient();
      await allow(one.id, { groups: [staff], people: [] }, [], now);
      await allow(other.id, { groups: [staff, admins], people: [] }, [], now);
      const lost = await signedIn(ann.id, one.id);
      const kept = await signedIn(ann.id, other.id);
      const everybodys = await signedIn(ann.id, open.id);
      const bobs = await signedIn(bob.id, one.id);
      const leaving = `DELETE FROM group_members WHERE group_id = '${staff}' AND user_id = '${ann.id}'`;
      await end({ userId: ann.id }, leaving);
      expect([await lost(), await kept(), await everybodys(), await bobs()]).toEqual([
        false,
        true,
        true,
        true,
      ]);
      // The consent is kept, so a person who regains access need not be asked again.
      expect((await findGrant(ann.id, one.id))?.scopes).toEqual(['openid']);
    });

    test('when a group that the app allows is deleted', async () => {
      const ann = await newUser();
      const bob = await newUser();
      const staff = await newGroup(ann, bob);
      const admins = await newGroup(bob);
      const app = await newClient({ access: 'listed' });
      await allow(app.id, { groups: [staff, admins], people: [] }, [], now);
      const anns = await signedIn(ann.id, app.id);
      const bobs = await signedIn(bob.id, app.id);
      await end({ groupId: staff });
      expect([await anns(), await bobs()]).toEqual([false, true]);
    });

    test('when the app’s access is limited to its list', async () => {
      const ann = await newUser();
      const bob = await newUser();
      const carl = await newUser();
      const app = await newClient();
      await allow(app.id, { groups: [await newGroup(bob)], people: [carl.id] }, [], now);
      const anns = await signedIn(ann.id, app.id);
      const bobs = await signedIn(bob.id, app.id);
      const carls = await signedIn(carl.id, app.id);
      await end({ clientId: app.id });
      expect([await anns(), await bobs(), await carls()]).toEqual([true, true, true]);
      await end(
        { clientId: app.id },
        `UPDATE clients SET access = 'listed' WHERE id = '${app.id}'`,
      );
      expect([await anns(), await bobs(), await carls()]).toEqual([false, true, true]);
    });

    test('when the app no longer lists a group or a user', async () => {
      const ann = await newUser();
      const bob = await newUser();
      const staff = await newGroup(ann, bob);
      const app = await newClient({ access: 'listed' });
      await allow(app.id, { groups: [staff], people: [bob.id] }, [], now);
      const anns = await signedIn(ann.id, app.id);
      const bobs = await signedIn(bob.id, app.id);
      await disallow(app.id, { groups: [staff], people: [] }, [], now);
      expect([await anns(), await bobs()]).toEqual([false, true]);
      await disallow(app.id, { groups: [], people: [bob.id] }, [], now);
      expect(await bobs()).toBe(false);
    });
  });

  test('the access list of an app is limited, and ignores unknown groups and users', async () => {
    const { id } = await newClient({ access: 'listed' });
    const people: string[] = [];
    for (let each = 0; each < mostListed.people + 1; each += 1) people.push((await newUser()).id);
    await allow(id, { groups: ['no such group'], people: ['nobody', ...people] }, [], now);
    const rows = await read('SELECT user_id FROM client_users WHERE client_id = $1', [id]);
    expect(rows).toHaveLength(mostListed.people);
    expect(await read('SELECT 1 AS one FROM client_groups WHERE client_id = $1', [id])).toEqual([]);
    expect(await allow('no such app', nothing, [], now)).toBe(false);
    expect(await disallow('no such app', nothing, [], now)).toBe(false);
  });

  test('ending access requires a user, a group or a client to be named', () => {
    expect(() => endingAccess({}, now)).toThrow('Whose access?');
  });
});
