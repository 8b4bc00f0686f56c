import { expect, test, vi } from 'vitest';
import { write } from '#lib/store/engine/database.ts';
import { findUser } from '#lib/store/users.ts';
import { races } from '../lanes.ts';
import { redeem } from '../support/app.ts';
import { beside } from '../support/beside.ts';
import { confirmedBy } from '../support/factors.ts';
import { Receiver } from '../support/logout-receiver.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient } from '../support/seed.ts';

const server = await openServer({ BACKCHANNEL_TO_PRIVATE_ADDRESSES: 'on' });
const second = await server.secondProcess();

const asking = (client: { id: string }) => ({
  client_id: client.id,
  response_type: 'code',
  scope: 'openid',
});

test('a code issued before sign-out is refused after it, and does not count as reused (RFC 6749 section 5.2)', async () => {
  const person = await newPerson(server);
  const client = await newClient();
  const code = await person.code(asking(client));
  await person.signOut();
  for (const each of [server, second]) {
    const { status, body } = await redeem(each, client, code);
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  }
  const reused = { userId: person.user.id, type: 'code.reused' };
  expect(await (await prisma()).auditEvent.count({ where: reused })).toBe(0);
});

test('a code that is reused several times is one event in the audit log (RFC 6749 section 4.1.2)', async () => {
  const person = await newPerson(server);
  const client = await newClient();
  const code = await person.code(asking(client));
  expect((await redeem(server, client, code)).status).toBe(200);
  for (const each of [server, second, server])
    expect((await redeem(each, client, code)).body.error).toBe('invalid_grant');
  const reused = { userId: person.user.id, type: 'code.reused' };
  expect(await (await prisma()).auditEvent.count({ where: reused })).toBe(1);
});

test('sign-in to an app during sign-out: a logout token or no tokens (Back-Channel Logout section 2.5)', async () => {
  const receiver = await new Receiver().listen();
  for (let round = 0; round < races(6); round += 1) {
    const person = await newPerson(server);
    const about = Array.from({ length: 4 }, async (_, index) => {
      const uri = `/bye?app=${round}-${index}`;
      const backchannelLogoutUri = `http://localhost:${receiver.port}${uri}`;
      return { uri, client: await newClient({ backchannelLogoutUri }) };
    });
    const apps: { uri: string; signIn: () => ReturnType<typeof redeem> }[] = [];
    for (const { uri, client } of await Promise.all(about)) {
      const code = await person.code(asking(client));
      const where = apps.length % 2 ? server : second;
      apps.push({ uri, signIn: () => redeem(where, client, code) });
    }
    const page = await person.open('/logout');
    const [, ...answers] = await Promise.all([
      person.submit(page, '/logout/submit'),
      ...apps.map(({ signIn }) => signIn()),
    ]);
    for (const { status, body } of answers)
      expect([status, body.error]).toEqual(
        status === 200 ? [200, undefined] : [400, 'invalid_grant'],
      );
    const signedIn = apps.filter((_, index) => answers[index]?.status === 200);
    const where = { userId: person.user.id };
    const left = async () => (await prisma()).logoutDelivery.count({ where });
    await vi.waitFor(async () => expect(await left()).toBe(0), 20_000);
    const told = receiver.received
      .map(({ path }) => path)
      .filter((path) => path.includes(`=${round}-`));
    expect(told.sort()).toEqual(signedIn.map(({ uri }) => uri).sort());
  }
});

test('a password change is visible only once the sessions of the old password have ended', async () => {
  const person = await newPerson(server);
  const thief = new Person(server, person.username);
  await thief.signIn();
  const { id: userId } = person.user;
  const before = (await findUser(userId))?.passwordHash;
  const db = await prisma();
  const sessions = await db.session.findMany({ where: { userId }, orderBy: { createdAt: 'desc' } });
  const page = await person.open('/account/sign-in');
  const wanted = { ...confirmedBy(), new_password: 'entirely other words here' };
  const [, done] = await beside(
    () =>
      write('UPDATE sessions SET brief = brief WHERE hash = :hash', {
        hash: sessions[0]?.hash ?? '',
      }),
    () => person.submit(page, '/account/password/submit', wanted),
    async () => expect((await findUser(userId))?.passwordHash).toBe(before),
  );
  expect(done.at).toBe('/account/sign-in');
  expect((await findUser(userId))?.passwordHash).not.toBe(before);
  expect((await thief.open('/account')).at).toMatch(/^\/login/);
  expect((await person.open('/account')).at).toBe('/account');
  const events = await db.auditEvent.count({ where: { userId, type: 'password.changed' } });
  expect(events).toBe(1);
});
