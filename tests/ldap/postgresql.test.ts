import { expect, onTestFinished, test } from 'vitest';
import { allow } from '#lib/store/access.ts';
import { namedGroup } from '../support/groups.ts';
import { connect, newLdapApp, openLdapServer } from '../support/ldap.ts';
import { compareFilters, valuesIn } from '../support/ldap-filters.ts';
import { bindOf, Wire } from '../support/ldap-wire.ts';
import { newUser, password } from '../support/seed.ts';

const { ldap } = await openLdapServer({ LDAP_POSIX: 'on' }, 'postgresql');

test('on PostgreSQL people and groups are found, paged and numbered alike', async () => {
  const app = await newLdapApp({ access: 'listed', ldapPasswords: true });
  const people = [];
  for (let each = 0; each < 5; each++) people.push(await newUser({ name: `Person ${each}` }));
  await newUser();
  const group = await namedGroup('pg-staff', ...people);
  await allow(app.id, { groups: [group], people: [] }, [], new Date());
  const client = await connect(ldap.url, app);
  const [first] = people;
  const dn = `uid=${first?.username},ou=people,${app.dn}`;
  const staff = `cn=pg-staff,ou=groups,${app.dn}`;
  const names = async (filter: string, paged?: { pageSize: number }) => {
    const { searchEntries } = await client.search(app.dn, { filter, ...(paged && { paged }) });
    return searchEntries.map((entry) => entry.dn);
  };
  const all = people.map(({ username }) => `uid=${username},ou=people,${app.dn}`);
  expect(await names('(objectClass=person)', { pageSize: 2 })).toEqual(all);
  expect(await names(`(memberOf=${staff})`)).toEqual(all);
  expect(await names(`(|(uid=${first?.username})(&(mail=nobody@example.com)(cn=x)))`)).toEqual([
    dn,
  ]);
  expect(await names('(cn=person*)')).toEqual(all);
  expect(await names(`(member=${dn})`)).toEqual([staff]);
  const { searchEntries } = await client.search(app.dn, { filter: '(uidNumber>=200000)' });
  const numbers = searchEntries.map(({ uidNumber }) => Number(uidNumber));
  expect(new Set(numbers).size).toBe(5);
  expect(await names(`(uidNumber=${numbers[2]})`)).toEqual([all[2]]);
  await client.bind(dn, password);
  expect(await names('(objectClass=*)')).toContain(dn);
  await client.bind(app.dn, app.secret);
  const whole = await client.search(app.dn, { attributes: ['*', '+'] });
  const wire = await Wire.open(ldap.port);
  onTestFinished(() => wire.close());
  await wire.ask(bindOf(app.dn, app.secret));
  expect((await wire.ask(bindOf(`uid=a\\00b,ou=people,${app.dn}`, 'x'))).code).toBe(49);
  await wire.ask(bindOf(app.dn, app.secret));
  expect((await compareFilters(wire, app.dn, valuesIn(whole.searchEntries), 150)).differ).toEqual(
    [],
  );
});
