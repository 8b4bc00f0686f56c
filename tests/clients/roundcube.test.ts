import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { forChange } from '../lanes.ts';
import { actor } from '../management/people.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { freePort } from '../support/free-port.ts';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { listening, start, write } from './recipe-app.ts';
import { AppBrowser, denyAt, locationOf, newPerson } from './visit.ts';
import { renewals } from './web-app.ts';

// Roundcube hands the access token on to Dovecot, which asks this server whose it is.
const server = await openServer();
const packages = ['roundcube-core', 'roundcube-sqlite3', 'php-cli', 'php-sqlite3', 'dovecot-imapd'];
const isHere = !forChange && process.getuid?.() === 0 && (await haveDebianPackages(...packages));

/** A folder that Dovecot’s own users can reach. */
function ownFolder(): string {
  const folder = mkdtempSync(resolve(tmpdir(), 'mail-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  return folder;
}

async function startDovecot(folder: string): Promise<number> {
  const port = await freePort();
  mkdirSync(resolve(folder, 'mail'));
  execFileSync('chown', ['www-data:', resolve(folder, 'mail')]);
  write(
    folder,
    'oauth2.conf',
    `introspection_mode = auth\nintrospection_url = ${server.issuer}/oauth/me\nusername_attribute = email\n`,
  );
  write(
    folder,
    'dovecot.conf',
    `base_dir = ${folder}/run
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = xoauth2 oauthbearer
mail_location = maildir:~/Maildir
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth2.conf
}
userdb {
  driver = static
  args = uid=www-data gid=www-data home=${folder}/mail/%u
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`,
  );
  await listening(port, start(folder, '/usr/sbin/dovecot', ['-F', '-c', `${folder}/dovecot.conf`]));
  return port;
}

async function startRoundcube(folder: string, imap: number) {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const redirectUris = [`${address}/index.php/login/oauth`];
  // It renews ten seconds before the end, so at every page.
  const client = await newClient({ redirectUris, accessTokenTtl: 9 });
  const site = resolve(folder, 'site');
  cpSync('/usr/share/roundcube', site, { recursive: true, dereference: true });
  for (const each of ['temp', 'logs']) mkdirSync(resolve(folder, each));
  const settings = {
    db_dsnw: `sqlite:///${folder}/roundcube.db?mode=0646`,
    imap_host: `127.0.0.1:${imap}`,
    imap_auth_type: 'XOAUTH2',
    des_key: 'twenty-four characters!!',
    temp_dir: `${folder}/temp`,
    log_dir: `${folder}/logs`,
    oauth_provider: 'generic',
    oauth_provider_name: 'Gatehouse',
    oauth_client_id: client.id,
    oauth_client_secret: client.secret,
    oauth_auth_uri: `${server.issuer}/oauth/authorize`,
    oauth_token_uri: `${server.issuer}/oauth/token`,
    oauth_identity_uri: `${server.issuer}/oauth/me`,
    oauth_scope: 'openid email offline_access',
  };
  const lines = Object.entries(settings).map(([name, value]) => `$config['${name}'] = '${value}';`);
  const config = ['<?php', ...lines, "$config['oauth_identity_fields'] = ['email'];"];
  write(folder, 'config/config.inc.php', config.join('\n'));
  cpSync('/etc/roundcube/defaults.inc.php', resolve(folder, 'config/defaults.inc.php'));
  const schema = '/usr/share/dbconfig-common/data/roundcube/install/sqlite3';
  const load = `(new PDO('sqlite:${folder}/roundcube.db'))->exec(file_get_contents('${schema}'));`;
  execFileSync('php', ['-r', load]);
  const env = { ROUNDCUBE_CONFIG_DIR: `${folder}/config` };
  await listening(port, start(site, 'php', ['-S', `localhost:${port}`], env));
  return { address, client };
}

test.skipIf(!isHere)(
  'Roundcube and Dovecot: mail is open after a sign-in, renewed, and shut with the access',
  { timeout: 120_000 },
  async () => {
    const folder = ownFolder();
    const { address, client } = await startRoundcube(folder, await startDovecot(folder));
    const { user, person } = await newPerson(server);
    const browser = new AppBrowser();
    const link = `${address}/index.php/login/oauth`;
    const mail = async () => (await browser.go(`${address}/?_task=mail`)).text();
    const denied = await browser.go(await denyAt(person, locationOf(await browser.go(link))));
    expect(await denied.text()).toContain('The user denied access.');
    expect(await mail()).not.toContain(user.email);

    await browser.signIn(person, link);
    const count = () => renewals({ clientId: client.id }, { user });
    for (const before of [0, 1]) {
      expect(await mail()).toContain(user.email);
      expect(await count()).toBeGreaterThan(before);
    }
    await revokeGrants({ user: user.id, client: client.id }, actor, new Date());
    expect(await mail()).not.toContain(user.email);
  },
);
