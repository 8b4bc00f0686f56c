import { execFile } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { programWithGo } from '../clients/go-programs.ts';
import { packageFromNpm } from '../clients/npm-packages.ts';
import { namedGroup } from '../support/groups.ts';
import { connect, newLdapApp, openLdapServer } from '../support/ldap.ts';
import { newUser, password, type TestUser } from '../support/seed.ts';

const run = promisify(execFile);
const { ldap } = await openLdapServer({ LDAP_POSIX: 'on' });

let app: Awaited<ReturnType<typeof newLdapApp>>;
const people: TestUser[] = [];
const group = 'operators';

beforeAll(async () => {
  app = await newLdapApp({ ldapPasswords: true });
  for (const name of ['Zoë Ödegård', 'Anna Berg', 'Bert Carlsen, Jr.'])
    people.push(await newUser({ name }));
  await namedGroup(group, ...people.slice(0, 2));
});

const personDn = (index: number) => `uid=${people[index]?.username},ou=people,${app.dn}`;
const credentials = () => ['-x', '-H', ldap.url, '-D', app.dn, '-w', app.secret];

describe.runIf(existsSync('/usr/bin/ldapsearch'))('OpenLDAP’s programs', () => {
  const search = async (...args: string[]) =>
    (await run('ldapsearch', [...credentials(), '-LLL', '-o', 'ldif-wrap=no', ...args])).stdout;

  test('read pages, sorted or not', async () => {
    const paged = await search(
      '-b',
      `ou=people,${app.dn}`,
      '-E',
      'pr=2/noprompt',
      '(uid=*)',
      'uid',
    );
    expect(paged.match(/^uid: /gm)).toHaveLength(people.length);
    const sorted = await search('-b', app.dn, '-E', 'sss=cn', '(objectClass=person)', 'cn');
    expect([...sorted.matchAll(/^cn:+ (.*)$/gm)].map(([, name]) => name)).toEqual([
      'Anna Berg',
      'Bert Carlsen, Jr.',
      Buffer.from('Zoë Ödegård').toString('base64'),
    ]);
    const backwards = await search(
      '-b',
      app.dn,
      '-E',
      'sss=-cn',
      '-E',
      'pr=1/noprompt',
      '(sn=*)',
      'cn',
    );
    expect([...backwards.matchAll(/^cn:+ (.)/gm)].map(([, first]) => first)).toEqual([
      'W',
      'B',
      'A',
    ]);
  });

  test('get numbers that stay, and members by name', async () => {
    const read = () =>
      search(
        '-b',
        app.dn,
        '(|(uidNumber=*)(gidNumber=*))',
        'uidNumber',
        'gidNumber',
        'homeDirectory',
        'memberUid',
      );
    const first = await read();
    expect(await read()).toBe(first);
    const numbers = [...first.matchAll(/^uidNumber: (\d+)$/gm)].map(([, number]) => Number(number));
    expect(new Set(numbers).size).toBe(people.length);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(200_000);
    expect(first).toContain(`memberUid: ${people[0]?.username}`);
    const found = await search(
      '-b',
      app.dn,
      `(&(objectClass=posixAccount)(uidNumber=${numbers[1]}))`,
      'uid',
    );
    expect(found).toContain(`uid: ${people[1]?.username}`);
  });

  test('say who they are, compare, and are refused what a filter of 60 levels asks', async () => {
    const whoami = await run('ldapwhoami', [
      '-x',
      '-H',
      ldap.url,
      '-D',
      personDn(1),
      '-w',
      password,
    ]);
    expect(whoami.stdout.trim()).toBe(`dn:${personDn(1)}`);
    const same = await run('ldapcompare', [...credentials(), personDn(1), 'cn:anna BERG']).catch(
      (error) => error,
    );
    expect(same.stdout).toContain('TRUE');
    const deep = `${'(!'.repeat(60)}(uid=x)${')'.repeat(60)}`;
    await expect(search('-b', app.dn, deep)).rejects.toThrow(/Administrative limit exceeded/);
    await expect(search('-b', app.dn, '-z', '1', '(uid=*)')).rejects.toThrow(/Size limit exceeded/);
  });
});

const python = '/usr/bin/python3';
const has = async (module: string) =>
  run(python, ['-c', `import ${module}`]).then(
    () => true,
    () => false,
  );

describe.runIf(await has('ldap3'))('Python’s ldap3', () => {
  test('accepts the schema, and finds people by attributes that are in it', async () => {
    const text = `
import ldap3, sys
url, dn, secret, group = sys.argv[1:]
server = ldap3.Server(url, get_info=ldap3.ALL)
c = ldap3.Connection(server, dn, secret, auto_bind=True, check_names=True, raise_exceptions=True)
assert server.info.naming_contexts, server.info
assert 'memberOf' in server.schema.attribute_types and 'inetOrgPerson' in server.schema.object_classes
c.search(dn, f'(&(objectClass=inetOrgPerson)(memberOf={group}))', attributes=['uid', 'memberOf', 'entryUUID', 'createTimestamp', 'uidNumber'])
for e in c.entries: print(e.uid.value, type(e.createTimestamp.value).__name__, type(e.uidNumber.value).__name__, e.memberOf.value == group)
g = c.extend.standard.paged_search(dn, '(uid=*)', attributes=['*', '+'], paged_size=1, generator=True)
print(len([e for e in g if e['type'] == 'searchResEntry']))
print(c.extend.standard.who_am_i())
`;
    const dn = `cn=${group},ou=groups,${app.dn}`;
    const { stdout } = await run(python, ['-c', text, ldap.url, app.dn, app.secret, dn]);
    expect(stdout.trim().split('\n')).toEqual([
      ...people.slice(0, 2).map(({ username }) => `${username} datetime int True`),
      String(people.length),
      `dn:${app.dn}`,
    ]);
  });
});

describe.runIf(await has('ldap'))('python-ldap', () => {
  test('searches with a list of sixty attributes, and is told of a wrong password', async () => {
    const text = `
import ldap, sys
url, dn, secret, person, password = sys.argv[1:]
c = ldap.initialize(url); c.simple_bind_s(dn, secret)
print(len(c.search_s(dn, ldap.SCOPE_SUBTREE, '(cn=*berg)', ['uid', 'mail'] + [f'extensionAttribute{n}' for n in range(60)])))
p = ldap.initialize(url); p.simple_bind_s(person, password); print(p.whoami_s())
try: p.simple_bind_s(person, 'wrong')
except ldap.INVALID_CREDENTIALS: print('refused')
try: p.simple_bind_s(person, '')
except ldap.UNWILLING_TO_PERFORM: print('empty')
`;
    const args = [ldap.url, app.dn, app.secret, personDn(1), password];
    const { stdout } = await run(python, ['-c', text, ...args]);
    expect(stdout.trim().split('\n')).toEqual(['1', `dn:${personDn(1)}`, 'refused', 'empty']);
  });
});

test('ldapts reads a name with a comma, and every attribute there is', async () => {
  const client = await connect(ldap.url, app);
  const { searchEntries } = await client.search(personDn(2), {
    scope: 'base',
    attributes: ['*', '+'],
  });
  expect(searchEntries[0]).toMatchObject({ cn: 'Bert Carlsen, Jr.', gecos: 'Bert Carlsen  Jr.' });
});

const goProgram = await programWithGo(
  resolve(import.meta.dirname, '../clients/go/ldap.go'),
  'github.com/go-ldap/ldap/v3@v3.4.12',
);

test.runIf(goProgram)('go-ldap finds a person, binds as them, and reads pages', async () => {
  const args = [ldap.url, app.dn, app.secret, people[1]?.username ?? '', password];
  const { stdout } = await run(goProgram ?? '', args);
  expect(stdout.trim().split('\n')).toEqual([
    '1 Anna Berg 1',
    'true',
    'true',
    String(people.length),
    'true',
    'true',
  ]);
});

type Ldapjs = {
  createClient: (options: { url: string }) => {
    bind: (dn: string, password: string, done: (error: Error | null) => void) => void;
    search: (
      base: string,
      options: object,
      done: (error: Error | null, result: EventEmitter) => void,
    ) => void;
    unbind: () => void;
    on: (event: string, listener: () => void) => void;
  };
};
const ldapjs = await packageFromNpm<Ldapjs>('ldapjs', '3.0.7');

test.runIf(ldapjs)('ldapjs binds as a person and as the app, and reads pages', async () => {
  const client = ldapjs?.createClient({ url: ldap.url });
  client?.on('error', () => {});
  onTestFinished(() => client?.unbind());
  const bind = (dn: string, secret: string) =>
    new Promise<string>((settle) =>
      client?.bind(dn, secret, (error) => settle(error?.name ?? 'bound')),
    );
  expect(await bind(personDn(1), password)).toBe('bound');
  expect(await bind(personDn(1), 'wrong')).toBe('InvalidCredentialsError');
  expect(await bind(app.dn, app.secret)).toBe('bound');
  const names = await new Promise<string[]>((settle, reject) => {
    const found: string[] = [];
    const options = {
      scope: 'sub',
      filter: '(&(objectClass=person)(cn=*))',
      paged: { pageSize: 1 },
    };
    client?.search(app.dn, options, (error, result) => {
      if (error) return reject(error);
      result.on('searchEntry', (entry: { objectName: unknown }) =>
        found.push(String(entry.objectName)),
      );
      result.on('error', reject);
      result.on('end', () => settle(found));
    });
  });
  expect(names).toHaveLength(people.length);
  expect(names[1]).toBe(personDn(1));
});
