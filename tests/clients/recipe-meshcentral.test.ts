import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { join, leave } from '../openid/memberships.ts';
import { freePort } from '../support/free-port.ts';
import { openServer } from '../support/open-server.ts';
import { isSignedIn } from '../support/person.ts';
import type { TestUser } from '../support/seed.ts';
import { folderFromNpm } from './npm-packages.ts';
import { followRecipe, listening, newFolder, start, write } from './recipe-app.ts';
import { AppBrowser, allowAt, denyAt, locationOf, newPerson, openAt, proxyFrom } from './visit.ts';

// MeshCentral with the text of its recipe, behind a proxy that ends TLS.
const server = await openServer();
const modules = ['passport@0.7.0', 'connect-flash@0.1.1', 'openid-client@5.7.1'];
const meshCentral = await folderFromNpm('meshcentral', '1.1.55', modules);
const address = 'https://remote.example.org';

async function startMeshCentral() {
  const port = await freePort();
  const { text } = await followRecipe(server.issuer, 'meshcentral', { address });
  const settings = {
    cert: 'remote.example.org',
    port,
    aliasPort: 443,
    redirPort: 0,
    mpsPort: 0,
    tlsOffload: '127.0.0.1',
    WANonly: true,
    exactPorts: true,
    // It asks nobody outside.
    selfUpdate: false,
    autoBackup: false,
    agentTimeStampServer: false,
  };
  const folder = newFolder('meshcentral');
  const config = { settings, ...JSON.parse(text('config.json')) };
  write(folder, 'data/config.json', JSON.stringify(config));
  const args = ['--datapath', `${folder}/data`, '--filespath', `${folder}/files`];
  await listening(port, start(folder, process.execPath, [meshCentral ?? '', ...args]));
  return { folder, proxy: proxyFrom(address, port) };
}

/** The rights of a user on all of MeshCentral, from the last line about them in its database. */
function rightsOf(folder: string, { id }: TestUser): number | undefined {
  const lines = readFileSync(`${folder}/data/meshcentral.db`, 'utf8').split('\n');
  const last = lines.findLast((line) => line.includes(`"_id":"user//~oidc:${id}"`));
  return JSON.parse(last ?? '{}').siteadmin;
}

test.skipIf(!meshCentral)(
  'the recipe for MeshCentral: signs in after a denial, with administrators by group, and signs out',
  { timeout: 300_000 },
  async () => {
    const { folder, proxy } = await startMeshCentral();
    const link = `${address}/auth-oidc`;
    const nameAt = async (browser: AppBrowser) => {
      const page = await (await browser.go(`${address}/`)).text();
      return /logoutControls = JSON\.parse\(decodeURIComponent\('%7B%22name%22%3A%22(.*?)%22/.exec(
        page,
      )?.[1];
    };
    const { user, person } = await newPerson(server);
    const browser = new AppBrowser(proxy);
    const away = locationOf(await browser.go(link));
    expect(new URL(away).searchParams.get('code_challenge_method')).toBe('S256');
    await browser.go(await denyAt(person, away));
    expect(await nameAt(browser)).toBe(undefined);

    // The answer to somebody else's request.
    const forged = await allowAt(person, locationOf(await new AppBrowser(proxy).go(link)));
    const other = new AppBrowser(proxy);
    await other.go(forged);
    await other.go(link);
    await other.go(forged);
    expect(await nameAt(other)).toBe(undefined);

    await browser.signIn(person, link);
    expect(await nameAt(browser)).toBe('Ada%20Lovelace');
    expect(rightsOf(folder, user)).toBe(undefined);
    await join(user.id, 'meshcentral-admins');
    await new AppBrowser(proxy).signIn(person, link);
    await expect.poll(() => rightsOf(folder, user)).toBe(0xffffffff);
    await leave(user.id, 'meshcentral-admins');
    await new AppBrowser(proxy).signIn(person, link);
    await expect.poll(() => rightsOf(folder, user)).toBe(undefined);

    const page = await openAt(person, locationOf(await browser.go(`${address}/logout`)));
    expect((await person.submit(page, '/logout/submit')).at).toBe(`${address}/login`);
    expect(await isSignedIn(person)).toBe(false);
    expect(await nameAt(browser)).toBe(undefined);
  },
);
