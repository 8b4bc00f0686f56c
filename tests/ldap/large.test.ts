import { expect, test } from 'vitest';
import { crowd } from '../support/crowd.ts';
import { connect, newLdapApp, openLdapServer } from '../support/ldap.ts';
import { newUser } from '../support/seed.ts';

const people = 1300;
const { ldap } = await openLdapServer();

// `npm run bench:ldap` measures a hundred thousand.
test('more people than are read at once are found once each, on pages or without', async () => {
  await crowd(people, 3);
  await newUser();
  const app = await newLdapApp();
  const client = await connect(ldap.url, app);
  const all = async (filter: string, pageSize?: number) => {
    const paged = pageSize && { paged: { pageSize } };
    const options = { filter, attributes: ['memberOf'], ...paged };
    const { searchEntries } = await client.search(app.dn, options);
    expect(new Set(searchEntries.map(({ dn }) => dn)).size).toBe(searchEntries.length);
    return searchEntries;
  };
  const everybody = `(memberOf=cn=everybody,ou=groups,${app.dn})`;
  for (const pageSize of [undefined, 7, 400, 1000]) {
    const found = await all(everybody, pageSize);
    expect(found).toHaveLength(people);
    expect(found.at(-1)?.memberOf).toHaveLength(4);
  }
  expect(await all('(&(objectClass=person)(mail=*99@example.com))', 3)).toHaveLength(people / 100);
  const { searchEntries } = await client.search(app.dn, { filter: '(cn=everybody)' });
  expect(searchEntries[0]?.member).toHaveLength(people);
});
