import { expect, test } from 'vitest';
import { createField } from '#lib/management/field/user-fields.ts';
import { createGroup, listGroups } from '#lib/management/group/groups.ts';
import { blockHost, listBlockedHosts } from '#lib/management/host/hosts.ts';
import { createScope, listScopes } from '#lib/management/scope/scopes.ts';
import { listFields } from '#lib/store/user-fields.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, unique } from './people.ts';

const now = new Date();
const several = (word: string) => Array.from({ length: 8 }, () => unique(word));

onEachDatabase(() => {
  test('groups, fields, scopes and blocked hosts created in one millisecond are listed in the order of creation', async () => {
    const made = [several('group'), several('field'), several('scope'), several('host')] as const;
    const [groups, fields, scopes, hosts] = made;
    for (const name of groups) await createGroup({ name }, actor, now);
    for (const name of fields)
      await createField({ name, label: name, scope: 'profile' }, actor, now);
    for (const name of scopes) await createScope({ name, description: name }, actor, now);
    for (const name of hosts) await blockHost(`${name}.example`, actor, now);
    const listed = await listGroups({ sort: 'newest' });
    expect(listed.rows.map(({ name }) => name)).toEqual(groups.toReversed());
    expect((await listFields()).slice(-8).map(({ name }) => name)).toEqual(fields);
    expect((await listScopes()).slice(-8).map(({ name }) => name)).toEqual(scopes);
    const blocked = (await listBlockedHosts()).map(({ host }) => host);
    expect(blocked).toEqual(hosts.toReversed().map((name) => `${name}.example`));
  });
});
