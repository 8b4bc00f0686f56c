import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { join, leave } from '../openid/memberships.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { freePort } from '../support/free-port.ts';
import { openServer } from '../support/open-server.ts';
import { followRecipe, listening, start, write } from './recipe-app.ts';
import { AppBrowser, locationOf, newPerson } from './visit.ts';

const server = await openServer();
const hasApache = await haveDebianPackages('apache2-bin', 'libapache2-mod-auth-openidc');

/**
 * Requests a page as a browser navigates to it. `fetch` sends requests like a script's, and the
 * module starts no sign-in for scripts.
 */
async function navigate({ url, headers }: Request): Promise<Response> {
  const sent = send(url, {
    headers: { ...Object.fromEntries(headers), accept: 'text/html' },
  }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  answer.resume();
  return new Response(null, { status: answer.statusCode ?? 0, headers: pairs });
}

/** Apache as Debian packages it, with the recipe's lines and what has to be added to them. */
async function startApache(port: number, lines: string): Promise<void> {
  const folder = mkdtempSync(resolve(tmpdir(), 'apache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // When started by root, it serves as another user.
  chmodSync(folder, 0o755);
  mkdirSync(resolve(folder, 'logs'));
  write(folder, 'site/index.txt', 'Anybody’s page');
  write(folder, 'site/editors/index.txt', 'The editors’ page');
  const modules = [
    'mpm_event',
    'authn_core',
    'authz_core',
    'authz_user',
    'headers',
    'auth_openidc',
  ];
  const asRoot = process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : [];
  const config = [
    ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    'ServerName localhost',
    `Listen 127.0.0.1:${port}`,
    ...asRoot,
    `PidFile ${folder}/pid`,
    `DocumentRoot ${folder}/site`,
    `ErrorLog ${folder}/errors`,
    'Header set X-User "expr=%{REMOTE_USER}"',
    'Header set X-Groups "%{OIDC_CLAIM_groups}e"',
    lines,
  ];
  write(folder, 'apache.conf', config.join('\n'));
  const args = ['-X', '-d', folder, '-f', `${folder}/apache.conf`];
  await listening(port, start(folder, '/usr/sbin/apache2', args));
}

test.skipIf(!hasApache)(
  'the recipe for mod_auth_openidc signs in, and “Require claim” admits group members only',
  { timeout: 120_000 },
  async () => {
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const { text } = await followRecipe(server.issuer, 'mod-auth-openidc', { address });
    await startApache(port, text('The virtual host'));
    const signIn = async (...groups: string[]) => {
      const { user, person } = await newPerson(server);
      await join(user.id, ...groups);
      const browser = new AppBrowser(navigate);
      const answer = await browser.signIn(person, `${address}/index.txt`);
      return { user, person, page: await browser.go(locationOf(answer)), browser };
    };
    const editor = await signIn('staff', 'editors');
    expect(editor.page.status).toBe(200);
    expect(editor.page.headers.get('x-user')).toBe(editor.user.username);
    expect(editor.page.headers.get('x-groups')).toBe('editors,staff');
    expect((await editor.browser.go(`${address}/editors/index.txt`)).status).toBe(200);

    const reader = await signIn('staff', 'editors-of-old');
    expect(reader.page.status).toBe(200);
    expect((await reader.browser.go(`${address}/editors/index.txt`)).status).toBe(401);

    await leave(editor.user.id, 'editors');
    const again = new AppBrowser(navigate);
    const back = await again.signIn(editor.person, `${address}/editors/index.txt`);
    expect((await again.go(locationOf(back))).status).toBe(401);
  },
);
