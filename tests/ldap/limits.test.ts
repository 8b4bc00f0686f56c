import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { element } from '#lib/ldap/ber.ts';
import { filterText } from '#lib/ldap/filter.ts';
import { readMessage, readSearch, requests } from '#lib/ldap/message.ts';
import { inTurn } from '#lib/ldap/turns.ts';
import { selfSigned } from '../support/certificate.ts';
import { crowd } from '../support/crowd.ts';
import { freePort } from '../support/free-port.ts';
import { connect, newLdapApp, openLdapServer } from '../support/ldap.ts';
import { heaviest } from '../support/ldap-hostile.ts';
import { bindOf, equal, messageOf, present, searchOf, Wire, whoAmI } from '../support/ldap-wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ldap-'));
const { key, cert } = selfSigned('localhost');
writeFileSync(join(folder, 'key.pem'), key);
writeFileSync(join(folder, 'cert.pem'), cert);
const securePort = await freePort();
const { ldap } = await openLdapServer({
  LDAPS_PORT: String(securePort),
  LDAP_CERTIFICATE: join(folder, 'cert.pem'),
  LDAP_KEY: join(folder, 'key.pem'),
});
beforeAll(() => crowd(3000, 3));

type App = Awaited<ReturnType<typeof newLdapApp>>;

async function bound(app: App): Promise<Wire> {
  const wire = await Wire.open(ldap.port);
  onTestFinished(() => wire.close());
  expect((await wire.ask(bindOf(app.dn, app.secret))).code).toBe(0);
  return wire;
}

const heavy = (app: App) => searchOf({ filter: heaviest(), base: app.dn, scope: 'sub' });

test('a search that is abandoned has no answer, and the next request has one', async () => {
  const app = await newLdapApp();
  const wire = await bound(app);
  const abandon = element(requests.abandon, Buffer.from([2]));
  wire.socket.write(Buffer.concat([wire.next(heavy(app)), wire.next(abandon), wire.next(whoAmI)]));
  expect(await wire.answer()).toMatchObject({ id: 4, code: 0, entries: 0 });
});

test('others are answered while the tables are searched for one', async () => {
  const app = await newLdapApp();
  const wire = await bound(app);
  const beside = await bound(await newLdapApp());
  const order: string[] = [];
  const searched = wire.ask(heavy(app)).then(({ code }) => order.push(`heavy ${code}`));
  const answered = beside.ask(whoAmI).then(({ code }) => order.push(`beside ${code}`));
  await Promise.all([searched, answered]);
  expect(order).toEqual(['beside 0', 'heavy 0']);
});

test('one app or person has four searches at a time, and no other waits for them', async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const begun: string[] = [];
  const work = (who: string) =>
    inTurn(who, async () => {
      begun.push(who);
      await ended;
    });
  const all = [...Array.from({ length: 5 }, () => work('one')), work('other')];
  await new Promise((resume) => setImmediate(resume));
  expect(begun).toEqual(['one', 'one', 'one', 'one', 'other']);
  end();
  await Promise.all(all);
  expect(begun).toHaveLength(6);
});

test('before a bind a filter is smaller', async () => {
  const app = await newLdapApp();
  const wire = await Wire.open(ldap.port);
  onTestFinished(() => wire.close());
  const many = element(0xa1, ...Array.from({ length: 25 }, () => present('objectClass')));
  expect((await wire.ask(searchOf({ filter: many }))).code).toBe(11);
  expect((await wire.ask(bindOf(app.dn, app.secret))).code).toBe(0);
  expect((await wire.ask(searchOf({ filter: many }))).code).toBe(0);
});

test('a great many alternatives are looked up together', async () => {
  const app = await newLdapApp();
  const wire = await bound(app);
  for (const attribute of ['uid', 'cn', 'mail']) {
    const value = (index: number) => `crowd${index}${attribute === 'mail' ? '@example.com' : ''}`;
    const each = Array.from({ length: 290 }, (_, index) => equal(attribute, value(index + 1)));
    const filter = element(0xa1, ...each);
    const answer = await wire.ask(searchOf({ filter, base: app.dn, scope: 'sub' }));
    expect([attribute, answer.code, answer.entries]).toEqual([
      attribute,
      0,
      attribute === 'cn' ? 0 : 290,
    ]);
  }
});

test('a number below zero ends the connection', async () => {
  const app = await newLdapApp();
  const wire = await bound(app);
  const bytes = searchOf({ base: app.dn });
  // The size limit is the first INTEGER.
  bytes[bytes.indexOf(Buffer.from([2, 1, 0])) + 2] = 0xff;
  expect(await wire.ask(bytes)).toMatchObject({ id: 0, code: 2 });
});

test('what looks like a password in a filter is not kept', () => {
  const filter = element(0xa0, equal('uid', 'anna'), equal('userPassword', 'hunter2'));
  const { body } = readMessage(messageOf(1, searchOf({ filter })));
  expect(filterText(readSearch(body, true).filter)).toBe('(&(uid=anna)(userPassword=…))');
});

test('connections with TLS are given back when they end', async () => {
  const app = await newLdapApp();
  for (let each = 0; each < 60; each++) {
    const socket = connectSecurely({ port: securePort, ca: cert, servername: 'localhost' });
    await new Promise<void>((resolve, reject) => {
      socket.on('secureConnect', () => socket.destroy());
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
  }
  await connect(`ldap://127.0.0.1:${ldap.port}`, app);
});

test('a connection cannot ask for one handshake after the other', async () => {
  const terms = { ca: cert, servername: 'localhost', maxVersion: 'TLSv1.2' } as const;
  const socket = connectSecurely({ port: securePort, ...terms });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  const end = await new Promise<string>((settle) => {
    socket.on('close', () => settle('closed'));
    socket.renegotiate({}, (error) => settle(error ? 'refused' : 'done'));
  });
  expect(end).not.toBe('done');
});

test('a change is refused with the place where people make it', async () => {
  const app = await newLdapApp();
  const client = await connect(ldap.url, app);
  const { Attribute, Change } = await import('ldapts');
  const modification = new Attribute({ type: 'userPassword', values: ['another'] });
  const change = new Change({ operation: 'replace', modification });
  await expect(client.modify(`uid=crowd1,ou=people,${app.dn}`, change)).rejects.toThrow(
    /app passwords, at http.*\/account/,
  );
});
