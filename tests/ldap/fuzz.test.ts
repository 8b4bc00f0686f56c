import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectPlainly } from 'node:net';
import { expect, test } from 'vitest';
import { element, octets, sequence } from '#lib/ldap/ber.ts';
import { filterText } from '#lib/ldap/filter.ts';
import { matcherOf } from '#lib/ldap/match.ts';
import {
  readBind,
  readCompare,
  readExtended,
  readMessage,
  readSearch,
  requests,
} from '#lib/ldap/message.ts';
import { connect, newLdapApp, openLdapServer } from '../support/ldap.ts';
import { bindOf, messageOf, pageOf, present, searchOf, whoAmI } from '../support/ldap-wire.ts';

const { ldap } = await openLdapServer();
/** Seconds for each test. */
const seconds = Number(process.env.FUZZ_SECONDS ?? 3);

const filter = element(
  0xa0,
  element(0xa3, octets('uid'), octets('anna')),
  element(
    0xa4,
    octets('cn'),
    element(sequence, octets('a', 0x80), octets('b', 0x81), octets('c', 0x82)),
  ),
  element(0xa2, present('mail')),
  element(0xa9, octets('2.5.13.2', 0x81), octets('cn', 0x82), octets('x', 0x83)),
  element(0xa5, octets('modifyTimestamp'), octets('20260101000000Z')),
);
const seeds = (base: string, secret: string) => [
  messageOf(1, bindOf(base, secret)),
  messageOf(2, searchOf({ filter, base, scope: 'sub', attributes: ['*'] }), pageOf(5, '2 abc')),
  messageOf(
    3,
    element(requests.compare, octets(base), element(sequence, octets('cn'), octets('x'))),
  ),
  messageOf(4, whoAmI),
];

/** Some bytes changed, cut out or doubled. */
function mutated(bytes: Buffer): Buffer {
  let now = Buffer.from(bytes);
  for (let times = randomInt(1, 5); times > 0; times--) {
    const at = randomInt(0, Math.max(1, now.length));
    const kind = randomInt(0, 4);
    if (kind < 2) now[at] = randomInt(0, 256);
    else if (kind === 2)
      now = Buffer.concat([now.subarray(0, at), now.subarray(at + randomInt(1, 4))]);
    else
      now = Buffer.concat([
        now.subarray(0, at),
        now.subarray(0, randomInt(0, 40)),
        now.subarray(at),
      ]);
  }
  return now;
}

test('bytes of any kind are read, or refused as such, in little time', () => {
  const originals = seeds('cn=app,dc=localhost', 'secret');
  const end = performance.now() + seconds * 1000;
  let [read, longest] = [0, 0];
  const entry = {
    dn: 'uid=anna',
    values: new Map([
      ['uid', ['anna']],
      ['cn', ['a b c']],
    ]),
  };
  while (performance.now() < end) {
    const bytes = mutated(originals[randomInt(0, originals.length)] ?? Buffer.alloc(0));
    const from = process.threadCpuUsage();
    try {
      const { tag, body } = readMessage(bytes);
      if (tag === requests.bind) readBind(body);
      else if (tag === requests.compare) readCompare(body);
      else if (tag === requests.extended) readExtended(body);
      else if (tag === requests.search) {
        const search = readSearch(body);
        filterText(search.filter);
        matcherOf(search.filter)(entry);
      }
      read += 1;
    } catch (error) {
      expect(['BadBer', 'Refused']).toContain((error as Error).name);
    }
    longest = Math.max(longest, process.threadCpuUsage(from).user / 1000);
  }
  expect(read).toBeGreaterThan(100);
  expect(longest).toBeLessThan(500);
});

test('a server that is sent such bytes, before and after a bind, goes on', async () => {
  const app = await newLdapApp();
  const originals = seeds(app.dn, app.secret);
  const [bind = Buffer.alloc(0)] = originals;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const socket = connectPlainly(ldap.port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.resume();
    if (randomInt(0, 2) === 1) socket.write(bind);
    for (let times = 0; times < 10; times++)
      socket.write(mutated(originals[randomInt(0, originals.length)] ?? bind));
    socket.end();
    await Promise.race([once(socket, 'close'), new Promise((resume) => setTimeout(resume, 2000))]);
    socket.destroy();
  }
  const client = await connect(ldap.url, app);
  expect((await client.search(app.dn, { scope: 'base' })).searchEntries).toHaveLength(1);
});
