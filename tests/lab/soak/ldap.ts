import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from '../../support/certificate.ts';
import { crowd } from '../../support/crowd.ts';
import { freePort } from '../../support/free-port.ts';
import { heaviest, honest, mutated, nested } from '../../support/ldap-hostile.ts';
import { bindOf, messageOf, present, searchOf, startTls, Wire } from '../../support/ldap-wire.ts';
import { newClient } from '../../support/seed.ts';
import { failuresIn } from '../../support/serve-setup.ts';
import { residentOf } from './ground.ts';
import { type Part, pause, startSoakServer } from './part.ts';

/** What the listener may grow by in all (MiB), and how long others wait for a page (ms). */
const most = { growth: 600, wait: 60_000 };

/** Somebody who attacks: the port, the DN of an app, and its secret. */
type Ground = { port: number; dn: string; secret: string };

async function open({ port }: Ground): Promise<Socket> {
  // Another address than that of whoever is attacked.
  const from = { host: '127.0.0.1', localAddress: '127.0.0.2' };
  const socket = connect({ port, ...from }).on('error', () => {});
  await once(socket, 'connect').catch(() => {});
  socket.resume();
  return socket;
}

/** Waits until the server ends a connection, or destroys it after a while. */
async function ended(socket: Socket, milliseconds = 3000): Promise<void> {
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  if (!socket.closed) await Promise.race([closed, pause(milliseconds)]);
  socket.destroy();
}

const bound = ({ dn, secret }: Ground) => messageOf(1, bindOf(dn, secret));

/** One way to attack each; all end by themselves. */
const attacks: Record<string, (ground: Ground) => Promise<void>> = {
  'changed bytes': async (ground) => {
    const originals = honest(ground.dn, ground.secret);
    const socket = await open(ground);
    if (randomInt(2) === 1) socket.write(bound(ground));
    for (let times = 0; times < 20; times++)
      socket.write(mutated(originals[randomInt(originals.length)] ?? bound(ground)));
    socket.end();
    await ended(socket);
  },
  'nested filters': async (ground) => {
    const socket = await open(ground);
    if (randomInt(2) === 1) socket.write(bound(ground));
    for (const depth of [3, 15, 17, 200, 2000])
      socket.write(messageOf(2, searchOf({ filter: nested(depth), base: ground.dn })));
    socket.end();
    await ended(socket);
  },
  'giant messages': async (ground) => {
    const socket = await open(ground);
    if (randomInt(2) === 1) socket.write(bound(ground));
    const size = randomInt(2) === 1 ? 500_000 : 0x7fff_ffff;
    const head = Buffer.from([0x30, 0x84, 0, 0, 0, 0]);
    head.writeUInt32BE(size, 2);
    socket.write(head);
    for (let sent = 0; sent < 600_000 && !socket.destroyed; sent += 60_000) {
      socket.write(Buffer.alloc(60_000, 0x30));
      await pause(5);
    }
    await ended(socket, 500);
  },
  'slow bytes': async (ground) => {
    const socket = await open(ground);
    socket.setNoDelay(true);
    if (randomInt(2) === 1) socket.write(bound(ground));
    const bytes = messageOf(2, searchOf({ base: ground.dn, attributes: ['x'.repeat(8000)] }));
    for (let at = 0; at < 2000 && !socket.destroyed; at++) {
      socket.write(bytes.subarray(at, at + 1));
      if (at % 50 === 0) await pause(1);
    }
    await ended(socket, 200);
  },
  'bytes behind StartTLS': async (ground) => {
    const socket = await open(ground);
    socket.write(Buffer.concat([messageOf(1, startTls), bound(ground)]));
    await ended(socket);
    const second = await open(ground);
    second.write(messageOf(1, startTls));
    second.write(bound(ground));
    await ended(second);
  },
  'heavy filters': async (ground) => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(ground)));
    for (const socket of sockets) {
      socket.write(bound(ground));
      socket.write(messageOf(2, searchOf({ filter: heaviest(), base: ground.dn, scope: 'sub' })));
    }
    await pause(500);
    for (const socket of sockets) socket.destroy();
  },
  'nobody reads': async (ground) => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(ground)));
    for (const socket of sockets) {
      socket.pause();
      socket.write(bound(ground));
      for (let times = 2; times < 12; times++)
        socket.write(
          messageOf(
            times,
            searchOf({ filter: present('objectClass'), base: ground.dn, scope: 'sub' }),
          ),
        );
    }
    await pause(500);
    for (const socket of sockets) socket.destroy();
  },
};

/**
 * Hostile bytes and requests at the LDAP server, before and after a bind. Meanwhile another app binds
 * and searches, and a page is asked for.
 */
export const ldap: Part = async ({ databaseUrl, goesOn }) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-soak-'));
  const { key, cert } = selfSigned('localhost');
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'cert.pem'), cert);
  await crowd(3000, 3);
  const app = await newClient({ ldap: true });
  const other = await newClient({ ldap: true });
  const port = await freePort();
  const server = await startSoakServer(databaseUrl, undefined, {
    LDAP_PORT: String(port),
    LDAP_CERTIFICATE: join(folder, 'cert.pem'),
    LDAP_KEY: join(folder, 'key.pem'),
  });
  const ground = { port, dn: `cn=${app.id},dc=localhost`, secret: app.secret };
  const calm = { port, dn: `cn=${other.id},dc=localhost`, secret: other.secret };
  const figures = { rounds: 0, attacks: 0, MiB_before: 0, MiB_most: 0, slowest_ms: 0 };
  const failures: string[] = [];
  const uses = async () => {
    const from = performance.now();
    const wire = await Wire.open(port);
    const { code } = await wire.ask(bindOf(calm.dn, calm.secret));
    const { entries } = await wire.ask(
      searchOf({ base: calm.dn, scope: 'sub', filter: present('dc') }),
    );
    wire.close();
    const { status } = await fetch(`${server.base}/login`);
    if (code !== 0 || entries !== 0 || status !== 200)
      failures.push(`another app was answered ${code} with ${entries}, a page ${status}`);
    const taken = Math.round(performance.now() - from);
    figures.slowest_ms = Math.max(figures.slowest_ms, taken);
    if (taken > most.wait) failures.push(`another app waited for ${taken} ms`);
  };
  await uses();
  figures.MiB_before = residentOf(server.serverProcess);
  for (let round = 0; goesOn(round); round += 1) {
    const names = Object.keys(attacks);
    const some = Array.from({ length: 6 }, () => names[randomInt(names.length)] ?? '');
    const attacked = Promise.all(some.map((name) => attacks[name]?.(ground)));
    await uses().catch((error: Error) => failures.push(`${some.join(', ')}: ${error.message}`));
    await attacked;
    figures.rounds += 1;
    figures.attacks += some.length;
    figures.MiB_most = Math.max(figures.MiB_most, residentOf(server.serverProcess));
  }
  if (figures.MiB_most - figures.MiB_before > most.growth) failures.push('it grew too much');
  failures.push(...failuresIn(server.logFile).map((line) => `log: ${line.slice(0, 500)}`));
  await server.serverProcess.stop();
  rmSync(folder, { recursive: true });
  return { figures, failures };
};
