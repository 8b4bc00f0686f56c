import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect as connectPlainly, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { Client } from 'ldapts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Elements, element, octets, sequence, tags } from '#lib/ldap/ber.ts';
import { updateClient } from '#lib/management/client/clients.ts';
import { write } from '#lib/store/engine/database.ts';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { selfSigned } from '../support/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { baseDn, connect, newLdapApp, openLdapServer } from '../support/ldap.ts';
import { bindOf, messageOf, present, searchOf, startTls } from '../support/ldap-wire.ts';
import { newUser } from '../support/seed.ts';
import { attemptWith } from '../support/traces.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ldap-'));
const { key, cert } = selfSigned('localhost');
writeFileSync(join(folder, 'key.pem'), key);
writeFileSync(join(folder, 'cert.pem'), cert);
const securePort = await freePort();
const { ldap } = await openLdapServer({
  LDAP_HOST: '0.0.0.0',
  LDAPS_PORT: String(securePort),
  LDAP_CERTIFICATE: join(folder, 'cert.pem'),
  LDAP_KEY: join(folder, 'key.pem'),
});

async function open(): Promise<Socket> {
  const socket = connectPlainly(ldap.port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** The result code of the next response. */
async function codeOf(socket: Socket): Promise<number | 'closed'> {
  const [bytes] = (await Promise.race([
    once(socket, 'data'),
    once(socket, 'close').then(() => [null]),
  ])) as [Buffer | null];
  if (!bytes) return 'closed';
  const parts = new Elements(bytes).within(sequence);
  parts.number();
  return new Elements(parts.next().content).number(tags.enumerated);
}

describe('a bind', () => {
  test('needs the secret, a name and a password', async () => {
    const app = await newLdapApp();
    const client = await connect(ldap.url);
    await expect(client.bind(app.dn, 'wrong')).rejects.toMatchObject({ code: 49 });
    await expect(client.bind(app.dn, '')).rejects.toMatchObject({ code: 53 });
    await expect(client.bind(`cn=nobody,${baseDn}`, app.secret)).rejects.toMatchObject({
      code: 49,
    });
    await expect(client.bind('cn=nobody,dc=elsewhere', 'x')).rejects.toMatchObject({ code: 49 });
    await client.bind(app.dn, app.secret);
    const { searchEntries } = await client.search(app.dn, { scope: 'base' });
    expect(searchEntries.map(({ dn }) => dn)).toEqual([app.dn]);
  });

  test('is refused for an app that does not use LDAP, and says in its attempts why', async () => {
    const app = await newLdapApp({ ldap: false });
    const client = await connect(ldap.url);
    const error = (await client.bind(app.dn, app.secret).catch((thrown) => thrown)) as Error;
    const [, request = ''] = /Request (\w+)/.exec(error.message) ?? [];
    expect((await attemptWith(request)).trace).toMatchObject({
      clientId: app.id,
      rule: 'ldap.off',
      steps: [{ step: 'bind', requestId: request }],
    });
  });

  test('ends with the secret, and with the right to use LDAP', async () => {
    const app = await newLdapApp();
    const client = await connect(ldap.url, app);
    await updateClient(app.id, { ldap: false }, { actor: { id: 'cli' }, now: new Date() });
    await expect(client.search(app.dn)).rejects.toMatchObject({ code: 50 });
    const other = await newLdapApp();
    const second = await connect(ldap.url, other);
    await write('DELETE FROM client_secrets WHERE client_id = $1', [other.id]);
    await raiseRevision();
    await expect(second.search(other.dn)).rejects.toMatchObject({ code: 50 });
  });
});

/** An address of this machine that is not its loopback. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

test.runIf(outside)('a password without TLS is taken from this machine alone', async () => {
  const app = await newLdapApp();
  const client = await connect(`ldap://${outside}:${ldap.port}`);
  await expect(client.bind(app.dn, app.secret)).rejects.toMatchObject({ code: 13 });
  await client.startTLS({ ca: cert, servername: 'localhost' });
  await client.bind(app.dn, app.secret);
  expect((await client.search(app.dn, { scope: 'base' })).searchEntries).toHaveLength(1);
});

describe('TLS', () => {
  test('from the first byte, and by StartTLS', async () => {
    const app = await newLdapApp();
    const tlsOptions = { ca: cert, servername: 'localhost' };
    const secure = new Client({ url: `ldaps://127.0.0.1:${securePort}`, tlsOptions });
    onTestFinished(() => secure.unbind());
    await secure.bind(app.dn, app.secret);
    expect((await secure.search(app.dn, { scope: 'base' })).searchEntries).toHaveLength(1);
    const plain = await connect(ldap.url);
    await plain.startTLS(tlsOptions);
    await plain.bind(app.dn, app.secret);
    expect((await plain.search(app.dn, { scope: 'base' })).searchEntries).toHaveLength(1);
    await expect(secure.startTLS(tlsOptions)).rejects.toThrow();
  });

  test('takes nothing that came before it', async () => {
    const app = await newLdapApp();
    const socket = await open();
    const injected = messageOf(2, bindOf(app.dn, app.secret));
    socket.write(Buffer.concat([messageOf(1, startTls), injected]));
    expect(await codeOf(socket)).toBe(0);
    const secure = connectSecurely({ socket, ca: cert, servername: 'localhost' });
    secure.on('error', () => {});
    const event = await once(secure, 'secureConnect').then(
      () => 'secure',
      () => 'closed',
    );
    expect(event).toBe('closed');
  });
});

describe('bounds', () => {
  test('a filter that is nested too deeply or too long ends the search, not the server', async () => {
    const app = await newLdapApp();
    const socket = await open();
    let nested = present('objectClass');
    for (let depth = 0; depth < 60; depth++) nested = element(0xa2, nested);
    socket.write(messageOf(1, searchOf({ filter: nested })));
    expect(await codeOf(socket)).toBe(11);
    socket.write(messageOf(2, bindOf(app.dn, app.secret)));
    expect(await codeOf(socket)).toBe(0);
    const many = element(0xa1, ...Array.from({ length: 400 }, () => present('objectClass')));
    socket.write(messageOf(3, searchOf({ filter: many, base: app.dn, scope: 'sub' })));
    expect(await codeOf(socket)).toBe(11);
  });

  test('a message that is too large before a bind, or is none, ends the connection', async () => {
    for (const bytes of [
      Buffer.from('308400100000', 'hex'),
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.from('3080020101', 'hex'),
      messageOf(1, element(0x60, octets('x'))),
      messageOf(1, Buffer.from([0x60, 0x7f, 0x02])),
    ]) {
      const socket = await open();
      socket.write(bytes);
      socket.resume();
      await once(socket, 'close');
    }
  });

  test('a control that is not known and critical is refused', async () => {
    const socket = await open();
    const control = element(sequence, octets('1.2.3'), element(tags.boolean, Buffer.from([0xff])));
    socket.write(messageOf(1, searchOf({}), element(0xa0, control)));
    expect(await codeOf(socket)).toBe(12);
  });
});

test('whoami, compare, and changes that are refused', async () => {
  const app = await newLdapApp();
  const user = await newUser();
  const client = await connect(ldap.url, app);
  const dn = `uid=${user.username},ou=people,${app.dn}`;
  expect(await client.compare(dn, 'mail', user.email.toUpperCase())).toBe(true);
  expect(await client.compare(dn, 'mail', 'another@example.com')).toBe(false);
  await expect(client.compare(dn, 'givenName', 'x')).rejects.toMatchObject({ code: 16 });
  const { value } = await client.exop('1.3.6.1.4.1.4203.1.11.3');
  expect(value).toBe(`dn:${app.dn}`);
  await expect(client.exop('1.3.6.1.4.1.4203.1.11.1')).rejects.toThrow(/app passwords, at http/);
  await expect(client.del(dn)).rejects.toMatchObject({ code: 53 });
  await expect(client.add(dn, { cn: 'x' })).rejects.toMatchObject({ code: 53 });
});
