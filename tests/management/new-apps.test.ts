import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { approvalOf } from '#lib/access/approval.ts';
import { approveApp, listWaitingApps, refuseApp } from '#lib/management/approval/new-apps.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { deleteClient } from '#lib/management/client/clients.ts';
import {
  blockHost,
  listBlockedHosts,
  lookUpHost,
  readHost,
  removeAppsOfHost,
  unblockHost,
} from '#lib/management/host/hosts.ts';
import type { Client, Unstored } from '#lib/oauth/client.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { findClientRecord } from '#lib/store/client-list.ts';
import {
  findClientRequest,
  mostWaitingApps,
  storeClientRequest,
} from '#lib/store/client-requests.ts';
import { write } from '#lib/store/engine/database.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newUser } from '../support/seed.ts';
import { newHost, newUnverifiedApp } from '../support/unverified-apps.ts';
import { possess } from './possessions.ts';

const cli = { id: 'cli' };
const newApp = (host = newHost()) => ({
  id: `https://${host}/${randomBytes(4).toString('hex')}`,
  name: 'Notes',
  host,
  origin: 'document' as const,
});
const event = { type: 'client.requested' } as const;
const ask = (app: ReturnType<typeof newApp>, userId: string) =>
  storeClientRequest(app, userId, event, new Date());
const unstored = { unstored: {} as Unstored };
const asking = { approveNewApps: 'on' } as const;

test.each([
  [' Apps.Example.org ', 'apps.example.org'],
  ['https://apps.example.org/path?x', 'apps.example.org'],
  ['localhost:8080', 'localhost'],
  ['com.Example.app:', 'com.example.app:'],
  ['[::1]:80', '[::1]'],
  ['[2001:DB8:0:0:0:0:0:1]', '[2001:db8::1]'],
  ['[::ffff:1.2.3.4]', '[::ffff:102:304]'],
  ['0x1.2.3.4', '1.2.3.4'],
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['apps.example.org.', 'apps.example.org'],
  ['some_app.pages.example', 'some_app.pages.example'],
  ['app.example, 127.0.0.1', 'app.example'],
  ['an app on your device (scheme claude.ai)', 'claude.ai:'],
])('the host of an app entered as "%s" is read in its canonical form', (typed, host) =>
  expect(readHost(typed)).toBe(host),
);

test.each([
  '',
  ' ',
  '*.example.org',
  'a b',
  'user@host.example',
  '-a.example',
  `${'a'.repeat(64)}.example`,
])('"%s" is not read as the host of an app', (typed) =>
  expect(() => readHost(typed)).toThrow(/is not a host/),
);

test.each([
  'apps.example.org/path',
  'https://apps.example.org//other.example',
  'app.example, 127.0.0.1',
  'apps.example.org/..',
])(
  'blocking, unblocking and removing apps of a host refuse "%s", which only begins with a host',
  async (typed) => {
    for (const work of [blockHost, unblockHost, removeAppsOfHost])
      await expect(work(typed, cli, new Date())).rejects.toThrow(/is not a host/);
  },
);

onEachDatabase(() => {
  describe('a blocked host', () => {
    test('ends the tokens of its apps, and unblocking it revives none of them', async () => {
      const user = await newUser();
      const app = await newUnverifiedApp();
      const other = await newUnverifiedApp();
      const lost = await possess(user.id, app.id);
      const kept = await possess(user.id, other.id);
      const ended = await blockHost(app.host.toUpperCase(), cli, new Date());
      expect(ended).toEqual({ host: app.host, apps: 1, people: 1, signIns: 1 });
      expect(await lost.living()).toEqual(['session']);
      expect(await kept.living()).toContain('access token');
      expect((await listBlockedHosts()).map(({ host }) => host)).toContain(app.host);
      await expect(blockHost(app.host, cli, new Date())).rejects.toThrow('is blocked already');
      await unblockHost(app.host, cli, new Date());
      expect(await lost.living()).toEqual(['session']);
      await expect(unblockHost(app.host, cli, new Date())).rejects.toThrow('is not blocked');
    });

    test.each([
      (host: string) => `https://${host}/cb`,
      (host: string) => `https://${host}`,
      (host: string) => `https://${host}:8443/cb`,
      (host: string) => `https://${host}?to=cb`,
      (host: string) => `https://a!'b.${host}/cb`,
    ])('ends the tokens of registered apps with a redirect URI of that host (%#)', async (at) => {
      const user = await newUser();
      const host = newHost();
      const redirectUris = [`https://${newHost()}/cb`, at(host)];
      const app = await newUnverifiedApp({ redirectUris });
      const had = await possess(user.id, app.id);
      expect(await blockHost(host, cli, new Date())).toMatchObject({ apps: 1, people: 1 });
      expect(await had.living()).toEqual(['session']);
    });

    test('may be a custom URI scheme', async () => {
      const scheme = `${newHost()}:`;
      const beside = `x${scheme}`;
      for (const each of [scheme, beside]) await newUnverifiedApp({ redirectUris: [`${each}/cb`] });
      expect(await lookUpHost(scheme, new Date())).toMatchObject({ apps: 1 });
    });

    test('does not affect apps whose addresses contain it elsewhere than as the host', async () => {
      const host = newHost();
      for (const uri of [`https://x.example/y.${host}/`, `https://not${host}/`, `my://${host}/`])
        await newUnverifiedApp({ redirectUris: [uri] });
      expect(await lookUpHost(host, new Date())).toMatchObject({ apps: 0 });
    });

    test('affects apps that have it in any of their addresses, however they were added', async () => {
      const host = newHost();
      await newUnverifiedApp({ origin: 'document', redirectUris: [`https://${host}/cb`] });
      await newUnverifiedApp({ postLogoutRedirectUris: [`https://${host}/bye`] });
      await newUnverifiedApp({ backchannelLogoutUri: `https://${host}/out` });
      await newUnverifiedApp({ initiateLoginUri: `https://${host}/in` });
      expect(await lookUpHost(host, new Date())).toMatchObject({ apps: 4 });
    });

    test('affects its subdomains, and no other host', async () => {
      const host = newHost();
      const [below, beside] = [`mail.${host}`, `not-${host}`];
      for (const each of [host, below, beside]) await newUnverifiedApp({ host: each });
      expect(await lookUpHost(host, new Date())).toMatchObject({ apps: 2, isBlocked: false });
    });

    test('may contain an underscore, which is not a wildcard', async () => {
      const host = newHost();
      for (const each of [`a_b.${host}`, `x.a_b.${host}`, `x.a-b.${host}`])
        await newUnverifiedApp({ host: each });
      expect(await lookUpHost(`a_b.${host}`, new Date())).toMatchObject({ apps: 2 });
    });

    test('has audit events for blocking and unblocking', async () => {
      const host = newHost();
      await newUnverifiedApp({ host });
      await blockHost(host, cli, new Date());
      await unblockHost(host, cli, new Date());
      for (const type of ['host.blocked', 'host.unblocked']) {
        const details = (await listAudit({ type })).rows.map(({ detail }) => detail);
        expect(details).toContainEqual(expect.objectContaining({ host }));
      }
    });
  });

  test('all apps of one host are removed with the tokens issued to them, and nothing else', async () => {
    const user = await newUser();
    const host = newHost();
    const other = await newUnverifiedApp();
    const apps = [await newUnverifiedApp({ host }), await newUnverifiedApp({ host })];
    const had = await possess(user.id, apps[0]?.id ?? '');
    expect(await removeAppsOfHost(host, cli, new Date())).toMatchObject({ apps: 2, people: 1 });
    for (const { id } of apps) expect(await findClientRecord(id)).toBeNull();
    expect(await had.living()).toEqual(['session']);
    expect(await findClientRecord(other.id)).not.toBeNull();
    await expect(removeAppsOfHost(host, cli, new Date())).rejects.toThrow('has added itself');
  });

  describe('an app that an admin has to approve', () => {
    const of = (app: ReturnType<typeof newApp>, more = {}) =>
      approvalOf({ ...app, ...more } as Client, asking);

    test('is requested once, however many users want it', async () => {
      const app = newApp();
      const ada = await newUser();
      const bob = await newUser();
      expect(await of(app, unstored)).toBe('needed');
      expect(await Promise.all([ask(app, ada.id), ask(app, ada.id)])).toContain('stored');
      expect(await ask(app, bob.id)).toBe('waiting');
      expect((await listWaitingApps()).filter(({ clientId }) => clientId === app.id)).toMatchObject(
        [{ host: app.host, username: ada.username }],
      );
      expect(await of(app, unstored)).toBe('asked');
    });

    test('may be used once it is approved, and is no longer waiting', async () => {
      const app = newApp();
      const ada = await newUser();
      await ask(app, ada.id);
      await approveApp(app.id, cli, new Date());
      expect(await of(app, unstored)).toBe('given');
      expect((await listWaitingApps()).some(({ clientId }) => clientId === app.id)).toBe(false);
    });

    test('cannot be used once it is refused, even while approval is turned off', async () => {
      const app = newApp();
      const ada = await newUser();
      await ask(app, ada.id);
      await refuseApp(app.id, cli, new Date());
      for (const approveNewApps of ['on', 'off'] as const)
        expect(await approvalOf({ ...app, ...unstored }, { approveNewApps })).toBe('refused');
      expect(await of(app)).toBe('refused');
      await approveApp(app.id, cli, new Date());
      expect(await of(app, unstored)).toBe('given');
    });

    test('is one that is not stored yet and that no admin made', async () => {
      expect(await of(newApp())).toBe('given');
      expect(await of(newApp(), { origin: 'admin', ...unstored })).toBe('given');
      expect(await approvalOf({ ...newApp(), ...unstored }, { approveNewApps: 'off' })).toBe(
        'given',
      );
    });

    test('cannot be approved or refused if no one requested it', async () => {
      for (const decide of [approveApp, refuseApp])
        await expect(decide('https://nobody.example/x', cli, new Date())).rejects.toThrow(
          'No one has asked',
        );
    });

    test('needs approval again after it was removed', async () => {
      const app = newApp();
      const ada = await newUser();
      await ask(app, ada.id);
      await approveApp(app.id, cli, new Date());
      await newUnverifiedApp({ id: app.id, host: app.host });
      await deleteClient(app.id, cli, new Date());
      expect(await of(app, unstored)).toBe('needed');
    });

    test('waits a month at most, but a decision is kept', async () => {
      const app = newApp();
      const other = newApp();
      const ada = await newUser();
      for (const each of [app, other]) await ask(each, ada.id);
      await refuseApp(other.id, cli, new Date());
      const long = new Date(Date.now() - 31 * 24 * 3600_000);
      await write('UPDATE client_requests SET asked_at = $1 WHERE user_id = $2', [long, ada.id]);
      await deleteExpired(new Date());
      expect(await findClientRequest(app.id)).toBeNull();
      expect((await findClientRequest(other.id))?.decision).toBe('refused');
    });

    test('the queue of waiting apps is limited for each user and in total', async () => {
      await write('DELETE FROM client_requests', []);
      const ada = await newUser();
      const outcomes = [];
      for (let each = 0; each <= mostWaitingApps.ofOne; each += 1)
        outcomes.push(await ask(newApp(), ada.id));
      expect(outcomes).toEqual([...Array(mostWaitingApps.ofOne).fill('stored'), 'full']);
      while ((await listWaitingApps()).length < mostWaitingApps.inAll) {
        const { id } = await newUser();
        for (let each = 0; each < mostWaitingApps.ofOne; each += 1) await ask(newApp(), id);
      }
      expect(await ask(newApp(), (await newUser()).id)).toBe('full');
      await write('DELETE FROM client_requests', []);
    });
  });
});
