import { mkdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { forChange } from '../lanes.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { freePort } from '../support/free-port.ts';
import { openServer } from '../support/open-server.ts';
import { isSignedIn } from '../support/person.ts';
import { newClient, type TestClient } from '../support/seed.ts';
import { listening, newFolder, start, write } from './recipe-app.ts';
import { AppBrowser, denyAt, locationOf, newPerson, openAt } from './visit.ts';

// The portal of LemonLDAP::NG, which signs people in here for the apps behind it.
const server = await openServer();
const images = ['libgd-securityimage-perl', 'libimage-magick-perl'];
const packages = ['liblemonldap-ng-portal-perl', 'libplack-perl', ...images];
const isHere = !forChange && (await haveDebianPackages(...packages));
const installed = '/var/lib/lemonldap-ng';

/** What an administrator sets in the manager: a provider of the portal, and nothing else. */
async function settingsFor(address: string, { id, secret }: TestClient) {
  const textOf = async (path: string) => (await fetch(server.issuer + path)).text();
  const own = JSON.parse(readFileSync(`${installed}/conf/lmConf-1.json`, 'utf8'));
  return {
    ...own,
    portal: `${address}/`,
    domain: 'localhost',
    securedCookie: 0,
    authentication: 'OpenIDConnect',
    userDB: 'OpenIDConnect',
    passwordDB: 'Null',
    registerDB: 'Null',
    oidcOPMetaDataJSON: { server: await textOf('/.well-known/openid-configuration') },
    oidcOPMetaDataJWKS: { server: await textOf('/oauth/jwks') },
    oidcOPMetaDataExportedVars: {
      server: { cn: 'name', mail: 'email', uid: 'preferred_username' },
    },
    oidcOPMetaDataOptions: {
      server: {
        oidcOPMetaDataOptionsClientID: id,
        oidcOPMetaDataOptionsClientSecret: secret,
        oidcOPMetaDataOptionsScope: 'openid profile email',
        oidcOPMetaDataOptionsCheckJWTSignature: 1,
        oidcOPMetaDataOptionsUseNonce: 1,
        oidcOPMetaDataOptionsStoreIDToken: 1,
        oidcOPMetaDataOptionsTokenEndpointAuthMethod: 'client_secret_basic',
      },
    },
  };
}

test.skipIf(!isHere)(
  'LemonLDAP::NG: its portal signs in after a denial, and signs out here, too',
  { timeout: 120_000 },
  async () => {
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const client = await newClient({
      redirectUris: [`${address}/?openidconnectcallback=1`],
      postLogoutRedirectUris: [`${address}/?logout=1`],
    });
    const folder = newFolder('lemonldap');
    for (const each of ['conf', 'cache', 'sessions/lock', 'psessions/lock'])
      mkdirSync(`${folder}/${each}`, { recursive: true });
    const moved = (text: string) => text.replaceAll(installed, folder);
    const ini = readFileSync('/etc/lemonldap-ng/lemonldap-ng.ini', 'utf8');
    write(folder, 'lemonldap-ng.ini', moved(ini));
    const settings = JSON.stringify(await settingsFor(address, client));
    write(folder, 'conf/lmConf-1.json', moved(settings));
    const psgi = '/usr/share/lemonldap-ng/portal/htdocs/index.psgi';
    const env = { LLNG_DEFAULTCONFFILE: `${folder}/lemonldap-ng.ini` };
    const args = ['--host', 'localhost', '--port', String(port), psgi];
    await listening(port, start(folder, 'plackup', args, env));

    const { user, person } = await newPerson(server);
    const browser = new AppBrowser();
    const home = () => browser.go(`${address}/`);
    const denied = await browser.go(await denyAt(person, locationOf(await home())));
    expect(await denied.text()).toContain('trmsg="106"');
    expect((await home()).status).toBe(302);

    await browser.signIn(person, `${address}/`);
    const menu = await home();
    expect(menu.status).toBe(200);
    expect(await menu.text()).toContain(user.id);
    const bye = locationOf(await browser.go(`${address}/?logout=1`));
    expect((await openAt(person, bye)).at).toBe(`${address}/?logout=1`);
    expect(await isSignedIn(person)).toBe(false);
    expect((await home()).status).toBe(302);
  },
);
