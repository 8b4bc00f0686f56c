import { describe, expect, onTestFinished, test } from 'vitest';
import { allow } from '#lib/store/access.ts';
import { write } from '#lib/store/engine/database.ts';
import { namedGroup } from '../support/groups.ts';
import { baseDn, connect, newLdapApp, openLdapServer } from '../support/ldap.ts';
import { compareFilters, valuesIn } from '../support/ldap-filters.ts';
import { bindOf, Wire } from '../support/ldap-wire.ts';
import { newUser } from '../support/seed.ts';

const { ldap } = await openLdapServer();

const found = async (url: string, app: Awaited<ReturnType<typeof newLdapApp>>, filter: string) => {
  const client = await connect(url, app);
  const { searchEntries } = await client.search(app.dn, { scope: 'sub', filter });
  return searchEntries.map(({ dn }) => dn);
};

describe('an app that is bound', () => {
  test('finds a person by name, address, UUID and group, in any case', async () => {
    const app = await newLdapApp();
    const user = await newUser({
      name: 'Anna Berg',
      claims: { given_name: 'Anna', family_name: 'Berg' },
    });
    await namedGroup(`staff-${user.username}`, user);
    const client = await connect(ldap.url, app);
    const filters = [
      `(uid=${user.username.toUpperCase()})`,
      `(mail=${user.email.toUpperCase()})`,
      `(&(objectClass=inetOrgPerson)(|(uid=${user.username})(mail=${user.username})))`,
      `(memberOf=CN=staff-${user.username}, ou=Groups,${app.dn})`,
      `(&(uid=${user.username.slice(0, -2)}*)(cn=anna  BERG))`,
      `(&(uid=${user.username})(sn=be*g)(!(givenName=Bert)))`,
      `(&(uid=${user.username})(createTimestamp>=20200101000000Z))`,
      `(&(uid=${user.username})(modifyTimestamp<=20990101000000.0+0100))`,
      `(&(uid=${user.username})(memberOf:1.2.840.113556.1.4.1941:=cn=staff-${user.username},ou=groups,${app.dn}))`,
    ];
    for (const filter of filters) {
      const { searchEntries } = await client.search(app.dn, { scope: 'sub', filter });
      expect([filter, searchEntries.map(({ dn }) => dn)]).toEqual([
        filter,
        [`uid=${user.username},ou=people,${app.dn}`],
      ]);
    }
    const { searchEntries } = await client.search(`ou=people,${app.dn}`, {
      scope: 'one',
      filter: `(uid=${user.username})`,
      attributes: ['*', '+'],
    });
    expect(searchEntries[0]).toMatchObject({
      uid: user.username,
      cn: 'Anna Berg',
      displayName: 'Anna Berg',
      givenName: 'Anna',
      sn: 'Berg',
      mail: user.email,
      memberOf: `cn=staff-${user.username},ou=groups,${app.dn}`,
      objectClass: ['top', 'person', 'organizationalPerson', 'inetOrgPerson'],
      structuralObjectClass: 'inetOrgPerson',
    });
    const uuid = String(searchEntries[0]?.entryUUID);
    expect(uuid.replaceAll('-', '')).toBe(user.id);
    for (const base of [`entryUUID=${uuid}`, `cn=${user.username}`, `mail=${user.email}`]) {
      const one = await client.search(`${base},ou=people,${app.dn}`, { scope: 'base' });
      expect(one.searchEntries.map(({ uid }) => uid)).toEqual([user.username]);
    }
  });

  test('finds groups by name and member, and their members', async () => {
    const app = await newLdapApp();
    const one = await newUser();
    const other = await newUser();
    const name = `admins-${one.username}`;
    await namedGroup(name, one, other);
    const client = await connect(ldap.url, app);
    const dn = (user: { username: string }) => `uid=${user.username},ou=people,${app.dn}`;
    const expected = { dn: `cn=${name},ou=groups,${app.dn}`, cn: name };
    for (const filter of [
      `(cn=${name})`,
      `(member=${dn(one)})`,
      `(&(objectClass=groupOfNames)(member=${dn(other)}))`,
    ]) {
      const { searchEntries } = await client.search(app.dn, { filter });
      expect(searchEntries).toEqual([expect.objectContaining(expected)]);
      expect(searchEntries[0]?.member).toEqual([dn(one), dn(other)]);
    }
  });

  test('sees only those who may use it, and the groups that it lists', async () => {
    const app = await newLdapApp({ access: 'listed' });
    const inside = await newUser();
    const outside = await newUser();
    const gone = await newUser();
    const group = await namedGroup(`in-${inside.username}`, inside, gone);
    await namedGroup(`out-${inside.username}`, inside, outside);
    await allow(app.id, { groups: [group], people: [] }, [], new Date());
    await write('UPDATE users SET disabled_at = $1 WHERE id = $2', [new Date(), gone.id]);
    const client = await connect(ldap.url, app);
    const all = await client.search(app.dn, { attributes: ['dn', 'member', 'memberOf'] });
    expect(all.searchEntries.map(({ dn }) => dn)).toEqual([
      app.dn,
      `ou=people,${app.dn}`,
      `uid=${inside.username},ou=people,${app.dn}`,
      `ou=groups,${app.dn}`,
      `cn=in-${inside.username},ou=groups,${app.dn}`,
    ]);
    expect(all.searchEntries[2]?.memberOf).toBe(`cn=in-${inside.username},ou=groups,${app.dn}`);
    expect(all.searchEntries[4]?.member).toBe(`uid=${inside.username},ou=people,${app.dn}`);
    expect(await found(ldap.url, app, `(uid=${outside.username})`)).toEqual([]);
    const base = `uid=${outside.username},ou=people,${app.dn}`;
    await expect(client.search(base, { scope: 'base' })).rejects.toThrow(/There is no entry/);
  });

  test('sees no tree of another app', async () => {
    const app = await newLdapApp();
    const other = await newLdapApp();
    const client = await connect(ldap.url, app);
    await expect(client.search(other.dn)).rejects.toMatchObject({ code: 32 });
    await expect(client.search('dc=elsewhere')).rejects.toMatchObject({ code: 32 });
  });

  test('reads pages of any size, the whole only once', async () => {
    const app = await newLdapApp();
    for (let each = 0; each < 7; each++) await newUser();
    const client = await connect(ldap.url, app);
    const people = `ou=people,${app.dn}`;
    const all = await client.search(people, { filter: '(objectClass=person)' });
    for (const pageSize of [1, 3, 1000]) {
      const paged = await client.search(people, {
        filter: '(objectClass=person)',
        paged: { pageSize },
      });
      expect(paged.searchEntries.map(({ dn }) => dn)).toEqual(
        all.searchEntries.map(({ dn }) => dn),
      );
    }
  });
});

test('everybody reads what the server can do, and nothing else', async () => {
  const client = await connect(ldap.url);
  const { searchEntries } = await client.search('', { scope: 'base', attributes: ['+'] });
  expect(searchEntries[0]).toMatchObject({ namingContexts: baseDn, supportedLDAPVersion: '3' });
  await expect(client.search(baseDn)).rejects.toMatchObject({ code: 50 });
});

test('several blanks in a stored name are compared as one', async () => {
  const app = await newLdapApp();
  const word = `Blank${Date.now()}`;
  const user = await newUser({ name: `${word}  Berg` });
  const dn = `uid=${user.username},ou=people,${app.dn}`;
  for (const filter of [
    `(cn=${word} Berg)`,
    `(cn=${word}   berg)`,
    `(displayName=${word} b*)`,
    `(&(cn=${word} b*)(displayName=*rg))`,
  ])
    expect([filter, await found(ldap.url, app, filter)]).toEqual([filter, [dn]]);
});

test('what the tables narrow down is what every entry would be asked for', async () => {
  const app = await newLdapApp({ description: 'An app' });
  const people = [];
  for (const name of ['Zoë Ödegård', 'Anna  Berg', 'x,y=z', ''])
    people.push(await newUser({ ...(name && { name }), claims: { phone_number: '+49 30-12' } }));
  await namedGroup('Filtered, Group', ...people.slice(0, 2));
  const client = await connect(ldap.url, app);
  const { searchEntries } = await client.search(app.dn, { attributes: ['*', '+'] });
  const wire = await Wire.open(ldap.port);
  onTestFinished(() => wire.close());
  await wire.ask(bindOf(app.dn, app.secret));
  const { differ, found } = await compareFilters(wire, app.dn, valuesIn(searchEntries), 300);
  expect(differ).toEqual([]);
  expect(found).toBeGreaterThan(50);
});
