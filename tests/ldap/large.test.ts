import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { database, write } from '#lib/store/engine/database.ts';
import { connect, namedGroup, newLdapApp, openLdapServer } from '../support/ldap.ts';
import { newUser, password } from '../support/seed.ts';

/** So many people; `LDAP_PEOPLE=100000 npm test -- tests/ldap/large` measures the promised number. */
const people = Number(process.env.LDAP_PEOPLE ?? 3000);
const { ldap, logFile } = await openLdapServer();

/** Copies of one person, each in three groups. */
async function crowd(): Promise<void> {
  const model = await newUser({ name: 'Model Person' });
  const groups = [];
  for (const name of ['large-a', 'large-b', 'large-c']) groups.push(await namedGroup(name));
  const numbers =
    database().kind === 'sqlite'
      ? `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${people}) SELECT i FROM n)`
      : `(SELECT generate_series(1, ${people}) AS i)`;
  const columns = 'password_hash, is_admin, epoch, created_at, updated_at';
  await write(
    `INSERT INTO users (id, username, username_key, email, email_key, name, name_key, ${columns})
    SELECT '019000000000000000000000' || substr('0000000' || i, -8), 'crowd' || i, 'crowd' || i, 'crowd' || i || '@example.com', 'crowd' || i || '@example.com',
      'Crowd ' || i, 'crowd ' || i, ${columns} FROM users, ${numbers} AS n WHERE users.id = :id`,
    { id: model.id },
  );
  for (const group of groups)
    await write(
      `INSERT INTO group_members (group_id, user_id, created_at) SELECT :group, id, :now FROM users WHERE username_key LIKE 'crowd%'`,
      { group, now: new Date() },
    );
}

async function timed(times: number, work: () => Promise<unknown>): Promise<string> {
  const all: number[] = [];
  for (let time = 0; time < times; time++) {
    const from = performance.now();
    await work();
    all.push(performance.now() - from);
  }
  all.sort((one, other) => one - other);
  const at = (part: number) => (all[Math.floor((all.length - 1) * part)] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

test('a large directory is searched by its indexes', async () => {
  await crowd();
  const app = await newLdapApp({ ldapPasswords: true });
  const client = await connect(ldap.url, app);
  const one = async (filter: string) => {
    const { searchEntries } = await client.search(app.dn, { filter });
    expect([filter, searchEntries.length]).toEqual([filter, 1]);
  };
  const number = () => 1 + Math.floor(Math.random() * people);
  const report: Record<string, string> = {};
  report['uid'] = await timed(200, () => one(`(uid=crowd${number()})`));
  report['uid or mail'] = await timed(200, () => {
    const name = `crowd${number()}`;
    return one(`(&(objectClass=inetOrgPerson)(|(uid=${name})(mail=${name})))`);
  });
  const large = `cn=large-b,ou=groups,${app.dn}`;
  report['uid in a large group'] = await timed(50, () =>
    one(`(&(memberOf=${large})(uid=crowd${number()}))`),
  );
  const page = async (filter: string) => {
    let entries = 0;
    for await (const { searchEntries } of client.searchPaginated(`ou=people,${app.dn}`, {
      filter,
      paged: { pageSize: 1000 },
      attributes: ['uid', 'mail', 'memberOf'],
    })) {
      entries += searchEntries.length;
      break;
    }
    expect(entries).toBe(1000);
  };
  report['a page of 1000 with memberOf'] = await timed(10, () => page('(objectClass=person)'));
  report['a page of the members of a large group'] = await timed(5, () =>
    page(`(memberOf=${large})`),
  );
  report['bind with the secret'] = await timed(200, () => client.bind(app.dn, app.secret));
  const whole = performance.now();
  const { searchEntries } = await client.search(`ou=people,${app.dn}`, { attributes: ['uid'] });
  report['all of them'] = `${searchEntries.length} in ${(performance.now() - whole).toFixed(0)} ms`;
  expect(searchEntries.length).toBeGreaterThan(people);
  await client.bind(`uid=crowd1,ou=people,${app.dn}`, password);
  console.log(report, readFileSync(logFile, 'utf8').length);
});
