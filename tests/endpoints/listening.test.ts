import { afterAll, describe, expect, test } from 'vitest';
import type { Heard } from '#app/admin/traces/listening/heard.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { redeem } from '../support/app.ts';
import { type Events, listenAs } from '../support/events.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newAdmin, newPerson, Person } from '../support/person.ts';
import { newClient } from '../support/seed.ts';
import { isOneProcess } from '../support/server.ts';

const server = await openServer({});
const person = await newPerson(server);
const open: Events[] = [];
afterAll(async () => {
  await Promise.all(open.map((events) => events.leave()));
});

const pathOf = (client: { id: string }) => `/admin/listen?client=${client.id}`;

async function listen(admin: Person, client: { id: string }): Promise<Events> {
  const events = await listenAs(admin, pathOf(client));
  open.push(events);
  return events;
}

const tryAt = (client: { id: string }, redirect_uri: string) =>
  new Person(server).request(
    authorizePath({ client_id: client.id, response_type: 'code', redirect_uri }),
  );

// Attempts are written once a second, and each test waits for that.
describe.concurrent('the listen page', () => {
  test('shows an attempt as it happens, what was received and expected, and the fix', async () => {
    const client = await newClient({ redirectUris: ['https://app.example/cb'] });
    const events = await listen(await newAdmin(server), client);
    expect(events.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(events.response.headers.get('cache-control')).toContain('no-store');
    expect(events.response.headers.get('access-control-allow-origin')).toBeNull();
    await events.until<Heard>(({ attempts }) => attempts.length === 0);
    await tryAt(client, 'https://app.example/cb/');
    const { attempts, works } = await events.until<Heard>((heard) => heard.attempts.length > 0);
    expect(works).toBeNull();
    expect(attempts).toEqual([
      expect.objectContaining({
        tone: 'refused',
        sentence: 'The redirect URI isn’t registered',
        received: { before: 'https://app.example/cb', differing: '/', after: '' },
        expected: ['https://app.example/cb'],
        offer: expect.objectContaining({ button: 'Add this redirect URI' }),
      }),
    ]);
  });

  test('says "It works" with the user once the code is redeemed, and shows no secret', async () => {
    const client = await newClient();
    const events = await listen(await newAdmin(server), client);
    const code = await person.code({ client_id: client.id, response_type: 'code' });
    const waiting = await events.until<Heard>(({ attempts }) =>
      attempts.some(({ sentence }) => sentence.endsWith('hasn’t exchanged its code yet')),
    );
    expect(waiting.works).toBeNull();
    const answer = await redeem(server, client, code);
    const { attempts, works } = await events.until<Heard>((heard) => heard.works !== null);
    expect(works).toMatchObject({
      sentence: expect.stringContaining(person.username),
      traceId: attempts[0]?.id,
    });
    const told = JSON.stringify(attempts);
    for (const secret of [code, client.secret, String(answer.body.access_token)])
      expect(told).not.toContain(secret);
  });

  test('shows attempts served by another process', async () => {
    const other = await server.secondProcess();
    const client = await newClient();
    const events = await listen(await newAdmin(other), client);
    await events.until<Heard>(() => true);
    await tryAt(client, 'https://elsewhere.example/');
    const { attempts } = await events.until<Heard>((heard) => heard.attempts.length > 0);
    expect(attempts[0]?.offer?.text).toContain('elsewhere.example');
  });

  test('does not show attempts of other apps', async () => {
    const client = await newClient();
    const other = await newClient();
    const events = await listen(await newAdmin(server), client);
    await tryAt(other, 'https://other.example/');
    await tryAt(client, 'https://own.example/');
    const { attempts } = await events.until<Heard>((heard) => heard.attempts.length > 0);
    expect(JSON.stringify(attempts)).not.toContain('other.example');
  });

  test('is only for an admin, same-origin, and an app that exists', async () => {
    const client = await newClient();
    const admin = await newAdmin(server);
    const path = pathOf(client);
    const status = async (who: Person, at: string, headers = {}) => {
      const response = await who.request(at, { headers });
      await response.body?.cancel();
      return response.status;
    };
    expect(await status(new Person(server), path)).toBe(401);
    expect(await status(person, path)).toBe(404);
    expect(await status(admin, path, { 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await status(admin, path, { 'Sec-Fetch-Site': 'same-site' })).toBe(403);
    expect(await status(admin, path, { Origin: 'https://evil.example' })).toBe(403);
    expect(await status(admin, path, { Origin: 'null' })).toBe(403);
    expect(await status(admin, '/admin/listen?client=nobody')).toBe(404);
    expect(await status(admin, '/admin/listen')).toBe(404);
    expect((await admin.request(path, { method: 'POST', body: '' })).status).toBe(405);
    expect((await admin.request(path, { method: 'HEAD' })).status).toBe(405);
  });

  test('ends once the user is no longer an admin', async () => {
    const client = await newClient();
    const admin = await newAdmin(server);
    const events = await listen(admin, client);
    await events.until<Heard>(() => true);
    await write('UPDATE users SET is_admin = $2 WHERE id = $1', [admin.id, false]);
    await raiseRevision();
    await tryAt(client, 'https://late.example/');
    expect(await events.end()).toEqual([]);
  });

  test('ends once the admin has signed out', async () => {
    const client = await newClient();
    const admin = await newAdmin(server);
    const events = await listen(admin, client);
    await events.until<Heard>(() => true);
    await admin.signOut();
    await tryAt(client, 'https://late.example/');
    expect(await events.end()).toEqual([]);
  });

  // Each process counts only the pages that listen to it.
  test.runIf(isOneProcess)(
    'is open three times in one session of an admin; a fourth ends the oldest, which is told why',
    async () => {
      const client = await newClient();
      const admin = await newAdmin(server);
      const other = await listen(await newAdmin(server), client);
      const pages = [];
      for (let count = 0; count < 4; count += 1) {
        const events = await listen(admin, client);
        await events.until<Heard>(() => true);
        pages.push(events);
      }
      const [oldest, ...others] = pages;
      expect(await oldest?.end()).toEqual([expect.stringMatching(/^event: elsewhere\n/)]);
      await tryAt(client, 'https://still.example/');
      for (const events of [...others, other])
        await events.until<Heard>(({ attempts }) => attempts.length > 0);
    },
  );

  test('does not prolong the session', async () => {
    const client = await newClient();
    const admin = await newAdmin(server);
    const before = new Date(Date.now() - 3_600_000);
    await write('UPDATE sessions SET last_seen_at = $2 WHERE user_id = $1', [admin.id, before]);
    const events = await listen(admin, client);
    await events.until<Heard>(() => true);
    await tryAt(client, 'https://seen.example/');
    await events.until<Heard>(({ attempts }) => attempts.length > 0);
    const [row] = await read<{ lastSeenAt: Date }>(
      'SELECT last_seen_at FROM sessions WHERE user_id = $1',
      [admin.id],
    );
    expect(row?.lastSeenAt.getTime()).toBe(before.getTime());
  });
});
