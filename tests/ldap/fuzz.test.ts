import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectPlainly } from 'node:net';
import { expect, test } from 'vitest';
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
import { honest, mutated } from '../support/ldap-hostile.ts';

const { ldap } = await openLdapServer();
/** Seconds for each test; `npm run soak -- --only ldap` takes longer. */
const seconds = Number(process.env.FUZZ_SECONDS ?? 3);

test('bytes of any kind are read, or refused as such, in little time', () => {
  const originals = honest('cn=app,dc=localhost', 'secret');
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
        const search = readSearch(body, true);
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
  const originals = honest(app.dn, app.secret);
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
