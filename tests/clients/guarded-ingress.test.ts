// Runs what ingress-nginx renders from docs/guard/kubernetes.md in front of an app, and attacks it.
import { readFileSync, rmSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { makeAppPassword } from '#lib/management/app-password/app-passwords.ts';
import { AtProxy, connecting } from '../support/at-proxy.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { freePort } from '../support/free-port.ts';
import { claims, elsewhere, names, paths } from '../support/guard-attacks.ts';
import { newGuarded } from '../support/guarded.ts';
import { startHeaderApp } from '../support/header-app.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { ingressNginx, makeCertificate, startGuard } from '../support/proxies.ts';
import { newUser } from '../support/seed.ts';

const { folder, certificate } = makeCertificate();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')]);

const server = await openServer({ TRUSTED_PROXIES: '127.0.0.1' });
const app = await startHeaderApp();
afterAll(() => app.server.close());

test.skipIf(!(await haveDebianPackages(...ingressNginx.packages)))(
  'ingress-nginx lets in nobody whom this server has not named',
  async () => {
    const front = { port: await freePort(), plainPort: 0, behind: server.port, folder };
    const site = `https://app.example.org:${front.port}`;
    const { id } = await newGuarded({
      guardedSites: [site],
      openPaths: ['/open/'],
      appPasswords: true,
    });
    const theirs = `open.example.org:${front.port}`;
    await newGuarded({ guardedSites: [`https://${theirs}`], openPaths: ['/theirs/'] });
    const proxy = await startGuard('ingress-nginx', { ...front, app: app.port });
    try {
      const user = await newUser();
      const browser = new AtProxy(new Person(server, user.username), front.port);
      const seen = () => app.seen.splice(0);

      const deep = `/a%2Fb/c?d=e&f=%20g&h=${'x'.repeat(1500)}`;
      expect(await browser.enter(deep)).toMatchObject({ status: 200, at: deep });
      const [first] = seen();
      expect(first).toMatchObject({ url: deep, headers: { 'remote-user': [user.username] } });
      expect((first?.headers.authorization ?? ['']).join()).toBe('');
      expect(await browser.send('/ws', { headers: connecting })).toMatchObject({ echoed: 'hello' });
      expect((await browser.send('/form', { method: 'POST', body: 'a=b' })).status).toBe(200);
      seen();

      for (const [title, headers] of Object.entries(claims)) {
        await browser.send('/', { headers });
        await new AtProxy(browser.person, front.port).send('/open/x', { headers });
        const [own, open] = seen();
        expect([title, own?.headers['remote-user']]).toEqual([title, [user.username]]);
        for (const name of names) {
          expect([title, name, own?.headers[name]?.join()]).not.toEqual([title, name, 'admin']);
          expect([title, name, open?.headers[name] ?? []]).toEqual([title, name, []]);
        }
      }

      const stranger = new AtProxy(browser.person, front.port);
      for (const headers of elsewhere)
        for (const method of ['GET', 'POST', 'OPTIONS'])
          await stranger.send('/secret', { method, headers }).catch(String);
      for (const target of paths) await stranger.send(target).catch(String);
      // Another host in Host, in the request line, or in both.
      for (const host of [theirs, 'localhost'])
        for (const target of ['/theirs/x', `${site}/theirs/x`, `https://${theirs}/theirs/x`])
          await stranger.send(target, { host }).catch(String);
      expect(seen().map(({ url }) => url)).toEqual([]);
      expect((await stranger.send('/secret')).status).toBe(302);

      const named = { user: user.id, client: id, name: 'Phone', secondFactor: true };
      const { secret } = await makeAppPassword(named, { id: 'cli' }, new Date());
      const came = async (text: string) =>
        (await stranger.send('/dav', { headers: { authorization: `Bearer ${text}` } })).status;
      expect(await came(secret)).toBe(200);
      expect(seen()[0]?.headers['remote-user']).toEqual([user.username]);
      expect([await came('ghap-wrong'), seen()]).toEqual([302, []]);
    } finally {
      await proxy.stop();
    }
  },
);
