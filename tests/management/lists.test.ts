import { text as readText } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { type ApprovalsSaid, readFilter } from '#lib/management/grant/filter.ts';
import { listGrants, revokeGrants } from '#lib/management/grant/grants.ts';
import { exportApprovals } from '#lib/management/grant/grants-export.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { audit } from '#lib/store/audit.ts';
import { write } from '#lib/store/engine/database.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newApp, newPerson, unique } from './people.ts';
import { possess } from './possessions.ts';

const now = () => new Date();
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600_000);

const usedAt = (userId: string, clientId: string, at: Date | null) =>
  write('UPDATE grants SET last_used_at = :at WHERE user_id = :userId AND client_id = :clientId', {
    at,
    userId,
    clientId,
  });

onEachDatabase(() => {
  test('approvals are listed by user and by client', async () => {
    const ada = await newPerson();
    const bob = await newPerson();
    const one = (await newApp()).client;
    const two = (await newApp()).client;
    for (const [user, client] of [
      [ada, one],
      [ada, two],
      [bob, one],
    ] as const)
      await possess(user.id, client.id, 'email');
    const of = async (filter: Parameters<typeof listGrants>[0]) =>
      (await listGrants(filter)).rows.map((row) => [row.username, row.clientId]);
    expect(await of({ userId: ada.id })).toHaveLength(2);
    expect(await of({ clientId: one.id })).toHaveLength(2);
    expect(await of({ userId: ada.id, clientId: one.id })).toEqual([[ada.username, one.id]]);
    const first = await listGrants({ userId: ada.id, limit: 1 });
    const second = await listGrants({ userId: ada.id, limit: 1, cursor: first.next ?? '' });
    expect(new Set([first.rows[0]?.clientId, second.rows[0]?.clientId])).toEqual(
      new Set([one.id, two.id]),
    );
    expect(second.next).toBeNull();
  });

  test('approvals are filtered by group and by last use, and exported as CSV', async () => {
    const ada = await newPerson();
    const bob = await newPerson();
    const eve = await newPerson();
    const { client } = await newApp({ name: 'Wiki, "old"' });
    for (const { id } of [ada, bob, eve]) await possess(id, client.id, 'email');
    await usedAt(ada.id, client.id, daysAgo(2));
    await usedAt(bob.id, client.id, daysAgo(100));
    await usedAt(eve.id, client.id, null);
    const { id: group } = await createGroup({ name: unique('group') }, actor, now());
    await addMembers(group, [ada.id, bob.id], actor, now());
    const of = async (said: ApprovalsSaid) => {
      const { rows } = await listGrants(readFilter({ client: client.id, ...said }, now()));
      return rows.map(({ username }) => username);
    };
    expect(await of({ member_of: group })).toEqual([bob.username, ada.username]);
    expect(await of({ used_within: '30 days' })).toEqual([ada.username]);
    expect(await of({ not_used_for: '90 days' })).toEqual([bob.username]);
    expect(await of({ not_used_for: '90 days', member_of: 'nothing' })).toEqual([]);
    // Never used, and given a long time ago.
    await write('UPDATE grants SET created_at = :at WHERE user_id = :id', {
      at: daysAgo(91),
      id: eve.id,
    });
    expect(await of({ not_used_for: '90 days' })).toEqual([eve.username, bob.username]);
    const filter = readFilter({ client: client.id, not_used_for: '90 days' }, now());
    const lines = (await readText(exportApprovals(filter))).trim().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(
      'user_id,username,name,client_id,client_name,scope,created_at,updated_at,last_used_at',
    );
    expect(lines[1]).toContain(`${eve.id},${eve.username},,${client.id},"Wiki, ""old""",email,`);
    expect(lines[1]?.endsWith(',')).toBe(true);
    expect(lines[2]).toMatch(/,\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await readText(exportApprovals(null))).toBe(`${lines[0]}\r\n`);
  });

  test('revoking approvals refuses an unknown user or client, and ends the tokens of a known one', async () => {
    expect(await faultsOf(revokeGrants({}, actor, now()))).toHaveProperty(['']);
    expect(await faultsOf(revokeGrants({ user: 'nobody' }, actor, now()))).toHaveProperty('user');
    expect(await faultsOf(revokeGrants({ client: 'nothing' }, actor, now()))).toHaveProperty(
      'client',
    );
    const { client } = await newApp();
    const user = await newPerson();
    const his = await possess(user.id, client.id, 'profile email');
    expect(await revokeGrants({ user: user.id, client: client.id }, actor, now())).toEqual({
      revoked: 1,
    });
    expect(await his.living()).toEqual(['session']);
    expect((await listGrants({ userId: user.id })).rows).toEqual([]);
    expect((await listAudit({ userId: user.id, type: 'consent' })).rows[0]).toMatchObject({
      actor: 'cli',
      clientId: client.id,
    });
  });

  test('audit events are found by type, area, user, client, actor and time, and read in pages', async () => {
    const client = unique('client');
    const user = await newPerson();
    const at = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, second));
    for (const [second, type] of (
      ['sign-in.success', 'sign-in.failure', 'sign-out', 'consent.given'] as const
    ).entries()) {
      await audit(
        { type, actor: user.id, userId: user.id, clientId: client, detail: { second } },
        at(second),
      );
    }
    const found = async (filter: Parameters<typeof listAudit>[0]) =>
      (await listAudit({ clientId: client, ...filter })).rows.map((row) => row.detail.second);
    expect(await found({})).toEqual([3, 2, 1, 0]);
    expect(await found({ type: 'sign-in' })).toEqual([1, 0]);
    expect(await found({ type: 'sign-in.success' })).toEqual([0]);
    expect(await found({ type: 'sign' })).toEqual([]);
    expect(await found({ since: at(1), until: at(3) })).toEqual([2, 1]);
    expect(await found({ actor: user.id, userId: user.id })).toHaveLength(4);
    expect(await found({ actor: 'cli' })).toEqual([]);
    const page = await listAudit({ clientId: client, limit: 3 });
    expect(page.rows[0]).toMatchObject({ actorName: user.username, username: user.username });
    expect(await found({ cursor: page.next ?? '' })).toEqual([0]);
  });
});
