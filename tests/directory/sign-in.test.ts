import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readDirectories } from '#lib/identity/directory/configured.ts';
import { askForPassword } from '#lib/identity/directory/passwords.ts';
import { findDirectoryLink } from '#lib/store/directories.ts';
import { groupsWithIds, storeGroup } from '#lib/store/groups.ts';
import { findUserRecordById } from '#lib/store/user-list.ts';
import { findUserByLogin, storeUser } from '#lib/store/users.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import {
  element,
  entry,
  type LyingDirectory,
  message,
  operations,
  result,
  startLyingDirectory,
} from '../support/lying-directory.ts';
import { putMade } from '../support/made.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { prisma } from '../support/prisma.ts';
import {
  base,
  directoriesYaml,
  ldapPassword,
  people,
  personLdif,
  startSlapd,
} from '../support/slapd.ts';

const have = await haveDebianPackages('slapd', 'ldap-utils', 'openssl');
const [slapd, otherName] = have ? [await startSlapd(), await startSlapd('other.example')] : [];
afterAll(async () => {
  await slapd?.stop();
  await otherName?.stop();
});

/** Replaces the operator's file from now on. */
const say = (yaml: string) => {
  putMade('directories', readDirectories(yaml, '/'));
  forget();
};
/** Forgets failures, so that every server may be asked again. */
const forget = () => putMade('directory-servers', new Map());
const somebody = async (username: string, email: string) => {
  const account = { username, email, name: null, passwordHash: null, isAdmin: false };
  const stored = await storeUser(account, new Date());
  if ('taken' in stored) throw new Error(`The ${stored.taken} is taken.`);
  return stored;
};
const actor = { id: 'system' };
/** Forms refuse a NUL. */
const findLocal = async (login: string) => (login.includes('\0') ? null : findUserByLogin(login));
const ask = async (login: string, password = ldapPassword) =>
  askForPassword({ login, password, local: await findLocal(login) }, actor, new Date());
const userOf = async (login: string, password = ldapPassword) => {
  const answer = await ask(login, password);
  if (!('user' in answer)) throw new Error(JSON.stringify(answer));
  return answer.user;
};
const reasonOf = async (login: string, password = ldapPassword) => {
  const answer = await ask(login, password);
  return 'reason' in answer ? answer.reason : 'signed-in';
};

describe.runIf(slapd && otherName)('users of an LDAP directory', () => {
  if (!slapd || !otherName) return;
  onEachDatabase(() => {
    test('sign in by username or email, and get an account with the directory’s data', async () => {
      say(directoriesYaml(slapd, [slapd.tls]));
      for (const name of ['Inner', 'Outer'])
        await storeGroup(
          { name, description: null },
          () => ({ type: 'group.created' }),
          new Date(),
        );
      const user = await userOf('ada');
      expect(user).toMatchObject({
        username: 'ada',
        email: 'ada@people.example.org',
        passwordHash: null,
      });
      expect(await findUserRecordById(user.id)).toMatchObject({
        name: 'ada of the directory',
        emailVerified: true,
      });
      expect(await findDirectoryLink(user.id)).toMatchObject({
        directory: 'staff',
        entryId: await slapd.idOf(`uid=ada,${people}`),
      });
      const inside = await (await prisma()).groupMember.findMany({ where: { userId: user.id } });
      const groups = await groupsWithIds(inside.map(({ groupId }) => groupId));
      // Ada is in `outer` through `inner`. The two groups that contain each other cause no endless
      // loop.
      expect(groups.map(({ name }) => name)).toEqual(['Inner', 'Outer']);
      expect((await userOf('ada@people.example.org')).id).toBe(user.id);
    });

    test('sign in over StartTLS', async () => {
      say(directoriesYaml(slapd, [slapd.plain]));
      expect(await reasonOf('bea')).toBe('signed-in');
    });

    test('get one account from several first sign-ins at the same time', async () => {
      say(directoriesYaml(slapd, [slapd.tls]));
      const all = await Promise.all(Array.from({ length: 6 }, () => userOf('cleo')));
      expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    });

    test('are refused with a wrong, empty or NUL password, and not found by an unknown name', async () => {
      say(directoriesYaml(slapd, [slapd.tls]));
      expect(await reasonOf('dora', 'wrong')).toBe('directory-password');
      for (const empty of ['', '\0', '\0\0\0', '\0secret'])
        expect(await reasonOf('dora', empty)).toBe('directory-password');
      expect(await reasonOf('nobody')).toBe('none');
    });

    test.each([
      '*',
      'd*',
      '*)(uid=*',
      'dora)(objectClass=*',
      'x)(|(uid=*',
      '\\2a',
      'dora\0',
      '{login}',
      '$&',
      `uid=dora,${people}`,
      'dora,ou=people',
      ')',
      '(',
      'a'.repeat(5000),
      '\ud800',
    ])('are not found by a name that could be a filter, since it is escaped: %s', async (login) => {
      say(directoriesYaml(slapd, [slapd.tls]));
      expect(await reasonOf(login)).toBe('none');
    });

    test('are refused if two entries match, and not found through a referral', async () => {
      say(directoriesYaml(slapd, [slapd.tls]));
      expect(await reasonOf('twin@people.example.org')).toBe('directory-several');
      expect(await reasonOf('elsewhere')).toBe('none');
    });

    test('do not get an existing account by its username or email', async () => {
      say(directoriesYaml(slapd, [slapd.tls]));
      const byName = await somebody('emma', 'emma@elsewhere.example');
      expect(await ask('emma')).toMatchObject({
        reason: 'directory-collision',
        account: byName.id,
      });
      // No account here has this address, but the user name is taken.
      expect(await reasonOf('emma@people.example.org')).toBe('directory-collision');
      await somebody('someone-else', 'odd@people.example.org');
      expect(await reasonOf('odd')).toBe('directory-collision');
      expect(await findDirectoryLink(byName.id)).toBeNull();
    });

    test('have one count of wrong passwords for all names that only the directory maps to them', async () => {
      const login = '(|(uid={login})(mail={login})(description={login}))';
      const yaml = directoriesYaml(slapd, [slapd.tls]);
      say(yaml.replace(`base: ${people}\n`, `base: ${people}\n      login: "${login}"\n`));
      const name = `folded-${Date.now()}`;
      const others = Array.from({ length: 14 }, (_, index) => `${name}-${index}`);
      await slapd.modify(personLdif(name, others.map((each) => `description: ${each}`).join('\n')));
      const [one = '', another = ''] = others.slice(-2);
      const failAs = async (names: readonly string[]) => {
        for (const each of names) expect(await reasonOf(each, 'wrong')).toBe('directory-password');
      };
      // Nine wrong passwords and a right one, which creates the account and resets the count.
      await failAs(others.slice(0, 9));
      expect(await reasonOf(one)).toBe('signed-in');
      await failAs(others.slice(0, 10));
      for (const each of [one, another]) expect(await reasonOf(each)).toBe('directory-tries');
      // The names that the account has here have their own counts, before the directory is asked.
      for (const each of [name, `${name}@people.example.org`])
        expect(await reasonOf(each)).toBe('signed-in');
      const db = await prisma();
      const entryId = await slapd.idOf(`uid=${name},${people}`);
      const where = { key: `directory:staff:${entryId}` };
      const { blocks, blockedUntil, windowStart, userId } = await db.throttle.findUniqueOrThrow({
        where,
      });
      expect({ blocks, pause: blockedUntil.getTime() - windowStart.getTime(), userId }).toEqual({
        blocks: 1,
        pause: 60_000,
        userId: (await findUserByLogin(name))?.id,
      });
      await db.throttle.update({ where, data: { blockedUntil: new Date(Date.now() - 1) } });
      expect(await reasonOf(another)).toBe('signed-in');
      expect(await db.throttle.count({ where })).toBe(0);
    });

    test('do not get the account of a former user with the same name', async () => {
      say(directoriesYaml(slapd, [slapd.tls]));
      const name = `again-${Date.now()}`;
      await slapd.modify(personLdif(name));
      const { id } = await userOf(name);
      await slapd.modify(`dn: uid=${name},${people}\nchangetype: delete\n`);
      await slapd.modify(personLdif(name, 'description: somebody else'));
      expect(await reasonOf(name)).toBe('directory-gone');
      expect(await reasonOf(`${name}@people.example.org`)).toBe('directory-gone');
      expect((await findUserByLogin(name))?.id).toBe(id);
    });

    test('are refused over a certificate for another name or of another authority', async () => {
      say(directoriesYaml(otherName, [otherName.tls]));
      expect(await reasonOf('ada')).toBe('directory-away');
      say(directoriesYaml(otherName, [otherName.plain]));
      expect(await reasonOf('ada')).toBe('directory-away');
      say(directoriesYaml({ ...slapd, caFile: otherName.caFile }, [slapd.tls]));
      expect(await reasonOf('ada')).toBe('directory-away');
    });

    test('are checked by the next server if one is away, which is then not asked for a while', async () => {
      const silent = await startLyingDirectory(() => {});
      try {
        say(directoriesYaml(slapd, [silent.url, slapd.tls], '    timeout: 1 second\n'));
        expect(await reasonOf('ada')).toBe('signed-in');
        const heard = silent.asked.length;
        const began = performance.now();
        expect(await reasonOf('ada')).toBe('signed-in');
        expect(silent.asked.length).toBe(heard);
        expect(performance.now() - began).toBeLessThan(10_000);
      } finally {
        silent.stop();
      }
    });
  });

  describe('a dishonest LDAP server', () => {
    onEachDatabase(() => {
      const someone = entry(`uid=ada,${people}`, {
        entryUUID: '11111111-2222-3333-4444-555555555555',
        uid: 'ada',
        mail: 'ada@people.example.org',
      });
      const yes = (request: { id: number; operation: number }) =>
        request.operation === operations.bind
          ? [message(request.id, result(0x61, 0))]
          : [message(request.id, someone), message(request.id, result(0x65, 0))];
      const at = async (lying: LyingDirectory, check: () => Promise<void>, isPlain = true) => {
        const more = `    timeout: 2 seconds\n${isPlain ? '    unencrypted: passwords can be read on the way\n' : ''}`;
        say(directoriesYaml(slapd, [lying.url], more));
        try {
          await check();
        } finally {
          lying.stop();
        }
      };

      /** Answers every search with a result code. */
      async function answeringWith(code: number) {
        const asked = { searches: 0 };
        const lying = await startLyingDirectory((request, socket) => {
          const isBind = request.operation === operations.bind;
          if (!isBind) asked.searches += 1;
          socket.write(message(request.id, result(isBind ? 0x61 : 0x65, isBind ? 0 : code)));
        });
        return { lying, asked };
      }

      test('that accepts any password is not believed', async () => {
        const lying = await startLyingDirectory((request, socket) => {
          for (const bytes of yes(request)) socket.write(bytes);
        });
        await at(lying, async () => expect(await reasonOf('ada')).toBe('directory-away'));
      });

      test.each([1, 2, 3, 11, 12, 16, 32, 50, 53, 80])(
        'that answers a search with result code %i refuses one person, and is asked on',
        async (code) => {
          const { lying, asked } = await answeringWith(code);
          await at(lying, async () => {
            for (const times of [1, 2]) {
              expect(await reasonOf('ada')).toBe('directory-refused');
              expect(asked.searches).toBe(times);
            }
          });
        },
      );

      test.each([51, 52])(
        'that answers a search with result code %i cannot now, and rests',
        async (code) => {
          const { lying, asked } = await answeringWith(code);
          await at(lying, async () => {
            for (const _ of [1, 2]) expect(await reasonOf('ada')).toBe('directory-away');
            expect(asked.searches).toBe(1);
          });
        },
      );

      test('that sends a referral is not followed: the other server is never asked', async () => {
        const elsewhere = await startLyingDirectory((request, socket) => {
          for (const bytes of yes(request)) socket.write(bytes);
        });
        const url = element(0x04, Buffer.from(`${elsewhere.url}/uid=ada,${people}`));
        const reference = element(0x73, url);
        const referral = element(
          0x65,
          Buffer.from('0a010a', 'hex'),
          element(0x04),
          element(0x04),
          element(0xa3, url),
        );
        for (const answers of [
          (id: number) => [message(id, reference), message(id, result(0x65, 0))],
          (id: number) => [message(id, referral)],
        ]) {
          const lying = await startLyingDirectory(({ id, operation }, socket) => {
            // It is honest about passwords: it accepts the reader's bind and refuses all others.
            const code = operation === operations.bind && id > 1 ? 49 : 0;
            const said =
              operation === operations.bind ? [message(id, result(0x61, code))] : answers(id);
            socket.write(Buffer.concat(said));
          });
          await at(lying, async () =>
            expect(await reasonOf('ada')).toMatch(/^(none|directory-away)$/),
          );
        }
        elsewhere.stop();
        expect(elsewhere.asked).toEqual([]);
      });

      test('that refuses StartTLS, or sends more after it, gets no password', async () => {
        for (const answers of [
          (id: number) => [message(id, result(0x78, 2))],
          (id: number) => [message(id, result(0x78, 0)), message(2, result(0x61, 0))],
          (id: number) => [
            message(id, result(0x78, 0)),
            message(2, result(0x61, 0)).subarray(0, -1),
          ],
          (id: number) => [message(id, result(0x61, 0))],
        ]) {
          const lying = await startLyingDirectory(({ id }, socket) => {
            socket.write(Buffer.concat(answers(id)));
          });
          await at(
            lying,
            async () => {
              expect(await reasonOf('ada')).toBe('directory-away');
              const heard = Buffer.concat(lying.asked);
              expect(heard.includes(Buffer.from(ldapPassword))).toBe(false);
              expect(heard.length).toBe(31);
            },
            false,
          );
        }
      });

      test.each<[string, (id: number) => Buffer]>([
        ['that are no LDAP', () => Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
        ['of random bytes', () => Buffer.from('30ffffffffff', 'hex')],
        ['that say they are huge', () => Buffer.from('30847fffffff', 'hex')],
        [
          'that never end',
          (id) =>
            Buffer.concat(
              Array.from({ length: 400 }, () =>
                message(id, entry('uid=x', { description: 'x'.repeat(10_000) })),
              ),
            ),
        ],
        [
          'of many small messages',
          () =>
            Buffer.concat(
              Array.from({ length: 100_000 }, () => element(0x30, Buffer.from('02017f', 'hex'))),
            ),
        ],
        ['that are nothing inside', (id) => message(id, element(0x61))],
        ['that send elsewhere', (id) => message(id, result(0x65, 10))],
      ])('is refused for search results %s', async (_, answer) => {
        const lying = await startLyingDirectory((request, socket) => {
          socket.write(
            request.operation === operations.search
              ? answer(request.id)
              : Buffer.concat(yes(request)),
          );
        });
        // frames.test.ts counts the cost, because measured time means nothing on a busy machine.
        const refused = /^directory-(away|refused)$/;
        await at(lying, async () => expect(await reasonOf('ada')).toMatch(refused));
      });
    });
  });
});

describe('the directories file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'directories-'));
  mkdirSync(join(folder, 'secrets'));
  writeFileSync(join(folder, 'password'), 'secret\n');
  writeFileSync(join(folder, 'empty'), '\n');
  const file = (changes: string) => `directories:\n  - id: staff\n    name: Staff\n${changes}`;
  const sound = `    servers: [ldaps://ldap.example.org]\n    people: { base: "${base}" }\n`;

  test('is read, with the attribute names of its kind', () => {
    const [ad] = readDirectories(file(`    kind: active-directory\n${sound}`), folder);
    expect(ad).toMatchObject({
      servers: [{ host: 'ldap.example.org', port: 636, secured: 'tls' }],
      attributes: { id: 'objectGUID', username: 'sAMAccountName' },
      groups: { nested: 'chain' },
    });
  });

  test('in docs/ldap.md is read as written', () => {
    const page = readFileSync('docs/ldap.md', 'utf8');
    const yaml = /```yaml\n([^`]*)```/.exec(page)?.[1] ?? '';
    const here = yaml
      .replace('/etc/gatehouse/ca.pem', 'password')
      .replace('/etc/gatehouse/ldap-password', 'password');
    expect(readDirectories(here, folder)).toMatchObject([
      { id: 'staff', timeout: 5000, sync: { everySeconds: 3600, stopAbove: 10 } },
    ]);
  });

  test.each([
    ['http://ldap.example.org', /servers are ldaps/],
    ['ldap://user:secret@ldap.example.org', /servers are ldaps/],
  ])('is refused with the server %s', (url, why) => {
    const text = file(`    servers: ["${url}"]\n    people: { base: x }\n`);
    expect(() => readDirectories(text, folder)).toThrow(why);
  });

  test.each([
    [`${sound}    bind_dn: cn=x\n`, /go together/],
    [`${sound}    bind_dn: cn=x\n    bind_password_file: empty\n`, /is empty/],
    [`${sound}    bind_dn: cn=x\n    bind_password_file: gone\n`, /cannot be read/],
    [`${sound}    unencrypted: on\n`, /passwords can be read on the way/],
    [`${sound}    verify: off\n`, /verify/],
    ['    servers: [ldaps://x]\n    people: { base: x, login: "(uid=*{login}*)" }\n', /no filter/],
    ['    servers: [ldaps://x]\n    people: { base: x, login: "(uid={login}" }\n', /no filter/],
    ['    servers: [ldaps://x]\n    people: { base: x, login: "(uid=ada)" }\n', /\{login\}/],
  ])('is refused with the settings %s', (text, why) => {
    expect(() => readDirectories(file(text), folder)).toThrow(why);
  });
});
