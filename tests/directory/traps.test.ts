import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDirectories } from '#lib/identity/directory/configured.ts';
import { askForPassword } from '#lib/identity/directory/passwords.ts';
import { createDatabase } from '../support/database.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import {
  element,
  entry,
  message,
  moreToCome,
  operations,
  referral,
  result,
  startLyingDirectory,
} from '../support/lying-directory.ts';
import { putMade } from '../support/made.ts';
import {
  directoriesYaml,
  ldapPassword,
  people,
  personLdif,
  readerDn,
  type Slapd,
  startSlapd,
} from '../support/slapd.ts';
import { workOn } from '../support/work-on.ts';

/*
 * Attacks from between us and a directory, and from a dishonest directory: plain bytes after the
 * answer to StartTLS, referrals that send a password elsewhere, and endless answers.
 */

const have = await haveDebianPackages('slapd', 'ldap-utils', 'openssl');
const slapd = have ? await startSlapd() : null;
const open: { close: () => unknown }[] = [];
beforeAll(async () => workOn(await createDatabase('sqlite')));
afterAll(async () => {
  for (const each of open) each.close();
  await slapd?.stop();
});

let serial = 0;
const newName = () => {
  serial += 1;
  return `trap-${serial}`;
};

/** The result of a password while the operator's file names only this server. */
async function reasonAt(at: Slapd, url: string, login: string, password: string, more = '') {
  // A person's groups are searched for, page by page.
  const yaml = directoriesYaml(at, [url], more).replace('groups:', 'groups:\n      nested: search');
  putMade('directories', readDirectories(yaml, '/'));
  putMade('directory-servers', new Map());
  const answer = await askForPassword(
    { login, password, local: null },
    { id: 'system' },
    new Date(),
  );
  return 'reason' in answer ? answer.reason : 'signed-in';
}

/**
 * A man in the middle who passes everything on and adds bytes after the first answer, in the same
 * segment or in a following one.
 */
async function standBetween(server: string, own: Buffer, how: 'with it' | 'after it') {
  const port = Number(new URL(server).port);
  const middle = createServer((near: Socket) => {
    const far = connect(port, '127.0.0.1');
    let isFirst = true;
    near.setNoDelay(true);
    near.on('data', (bytes) => far.write(bytes)).on('error', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('data', (bytes: Buffer) => {
      if (!isFirst) return near.write(bytes);
      isFirst = false;
      if (how === 'with it') return near.write(Buffer.concat([bytes, own]));
      return near.write(bytes, () => near.write(own));
    });
  });
  await once(middle.listen(0, '127.0.0.1'), 'listening');
  open.push(middle);
  return `ldap://localhost:${(middle.address() as AddressInfo).port}`;
}

/** Accepts every bind and answers every search that may follow. */
const yesToAll = (name: string) =>
  Buffer.concat(
    Array.from({ length: 12 }, (_, at) => [
      message(at + 1, someone(name)),
      message(at + 1, result(0x65, 0)),
      message(at + 1, result(0x61, 0)),
    ]).flat(),
  );
const someone = (name: string) =>
  entry(`uid=${name},${people}`, {
    entryUUID: `11111111-2222-3333-4444-${String(serial).padStart(12, '0')}`,
    uid: name,
    mail: `${name}@people.example.org`,
  });

describe.runIf(slapd)('LDAP answers after StartTLS', () => {
  if (!slapd) return;
  const brief = '    timeout: 3 seconds\n';

  test('without injected bytes, a password is checked through the machine in the middle', async () => {
    const name = newName();
    await slapd.modify(personLdif(name));
    const url = await standBetween(slapd.plain, Buffer.alloc(0), 'with it');
    expect(await reasonAt(slapd, url, name, 'not this one', brief)).toBe('directory-password');
    expect(await reasonAt(slapd, url, name, ldapPassword, brief)).toBe('signed-in');
  });

  test.each(['with it', 'after it'] as const)(
    'that are injected as plain text %s are not accepted, and nothing more is asked on that connection',
    async (how) => {
      const name = newName();
      await slapd.modify(personLdif(name));
      for (const own of [yesToAll(name), yesToAll(name).subarray(0, -1), Buffer.from([0x30])]) {
        const url = await standBetween(slapd.plain, own, how);
        for (const password of ['not this one', ldapPassword])
          expect(await reasonAt(slapd, url, name, password, brief)).toBe('directory-away');
      }
    },
  );
});

describe.runIf(slapd)('a dishonest LDAP directory', () => {
  if (!slapd) return;
  const plainly = '    unencrypted: passwords can be read on the way\n';

  /**
   * A directory that knows the reader, refuses a random password, and answers everything else with
   * these. `step` counts its requests from 1: the reader's bind, the search, a random password, the
   * password.
   */
  const lying = (
    answer: (request: { id: number; step: number; bytes: Buffer }, socket: Socket) => Buffer[],
  ) => {
    let step = 0;
    return startLyingDirectory((request, socket) => {
      const isReader = request.bytes.includes(Buffer.from(readerDn));
      step = request.id === 1 ? 1 : step + 1;
      const usual = (): Buffer[] => {
        if (request.operation === operations.search)
          return [message(request.id, someone('x')), message(request.id, result(0x65, 0))];
        const isNobody = request.bytes.includes(Buffer.from('cn=')) && !isReader;
        return [message(request.id, result(0x61, isNobody ? 49 : 0))];
      };
      const said = answer({ ...request, step }, socket);
      if (!socket.destroyed) socket.write(Buffer.concat(said.length > 0 ? said : usual()));
    });
  };

  test('that refers a password elsewhere: it is not sent there', async () => {
    const heard: string[] = [];
    const elsewhere = await lying(({ bytes }) => {
      heard.push(bytes.toString('latin1'));
      return [];
    });
    open.push({ close: elsewhere.stop });
    const url = `${elsewhere.url}/uid=x,${people}`;
    const answers: [asked: string, at: number, said: (id: number) => Buffer[]][] = [
      ['the bind of who searches', 1, (id) => [message(id, referral(0x61, url))]],
      ['the search', 2, (id) => [message(id, referral(0x65, url))]],
      [
        'the search, by the way',
        2,
        (id) => [
          message(id, element(0x73, element(0x04, Buffer.from(url)))),
          message(id, result(0x65, 0)),
        ],
      ],
      ['a password of nobody', 3, (id) => [message(id, referral(0x61, url))]],
      ['the password', 4, (id) => [message(id, referral(0x61, url))]],
    ];
    for (const [asked, at, said] of answers) {
      const liar = await lying(({ id, step }) => (step === at ? said(id) : []));
      const reason = await reasonAt(slapd, liar.url, 'x', ldapPassword, plainly);
      expect([asked, reason]).not.toEqual([asked, 'signed-in']);
      liar.stop();
    }
    expect(heard).toEqual([]);
  });

  test('that always has one more page is given up after a limited number, however long the timeout is', async () => {
    let asked = 0;
    const liar = await lying(({ id, step }) => {
      asked += 1;
      // From the groups on, which are requested page by page.
      if (step < 6) return [];
      const page = Array.from({ length: 100 }, (_, at) =>
        message(id, entry(`cn=group-${asked}-${at},${people}`, {})),
      );
      return [...page, message(id, result(0x65, 0), moreToCome())];
    });
    const patient = `${plainly}    timeout: 30 seconds\n`;
    expect(await reasonAt(slapd, liar.url, 'x', ldapPassword, patient)).toBe('directory-refused');
    expect(asked).toBeGreaterThan(20);
    expect(asked).toBeLessThan(100);
    liar.stop();
  }, 90_000);

  test.each([
    ['its answer to a search', 2, false],
    ['its answer to a bind', 1, false],
    ['its answer to StartTLS', 1, true],
  ] as const)(
    'that sends %s byte by byte is given up after the timeout',
    async (_, at, tls) => {
      const timers: NodeJS.Timeout[] = [];
      const liar = await lying(({ id, step }, socket) => {
        if (step !== at) return [];
        const never = tls
          ? message(id, element(0x78, Buffer.alloc(900)))
          : message(id, someone('x'.repeat(10_000)));
        let place = 0;
        timers.push(
          setInterval(() => {
            if (!socket.destroyed) socket.write(never.subarray(place, place + 1));
            place += 1;
          }, 50),
        );
        return [Buffer.alloc(0)];
      });
      const brief = `    timeout: 2 seconds\n${tls ? '' : plainly}`;
      expect(await reasonAt(slapd, liar.url, 'x', ldapPassword, brief)).toBe('directory-away');
      for (const timer of timers) clearInterval(timer);
      expect(timers).toHaveLength(1);
      liar.stop();
    },
    30_000,
  );

  test('that has a size limit for a person’s groups refuses that person, and is asked on', async () => {
    const liar = await lying(({ id, bytes }) =>
      bytes.includes('uniqueMember') ? [message(id, result(0x65, 4))] : [],
    );
    expect(await reasonAt(slapd, liar.url, 'x', ldapPassword, plainly)).toBe('directory-refused');
    const heard = liar.asked.length;
    const again = await askForPassword(
      { login: 'x', password: ldapPassword, local: null },
      { id: 'system' },
      new Date(),
    );
    expect(again).toMatchObject({ reason: 'directory-refused' });
    expect(liar.asked.length).toBeGreaterThan(heard);
    liar.stop();
  });

  test('that stops answering is not asked for a while, and other sign-ins do not wait for it', async () => {
    const liar = await lying(() => [Buffer.alloc(0)]);
    const brief = `${plainly}    timeout: 1 second\n`;
    expect(await reasonAt(slapd, liar.url, 'x', ldapPassword, brief)).toBe('directory-away');
    const heard = liar.asked.length;
    const all = await Promise.all(
      Array.from({ length: 60 }, () =>
        askForPassword(
          { login: 'x', password: ldapPassword, local: null },
          { id: 'system' },
          new Date(),
        ),
      ),
    );
    expect(new Set(all.map((each) => ('reason' in each ? each.reason : 'in')))).toEqual(
      new Set(['directory-away']),
    );
    expect(liar.asked.length).toBe(heard);
    liar.stop();
  }, 30_000);
});
