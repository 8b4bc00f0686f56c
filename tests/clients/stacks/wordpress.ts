import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { forChange } from '../../lanes.ts';
import { haveDebianPackages } from '../../support/debian-packages.ts';
import { freePort } from '../../support/free-port.ts';
import { formsOf, textOf } from '../../support/html.ts';
import { missing } from '../../support/missing.ts';
import { followRecipe, listening, start, write } from '../recipe-app.ts';
import { AppBrowser } from '../visit.ts';
import type { WebApp } from '../web-app.ts';
import type { Stack } from './stack.ts';

// WordPress and MariaDB as Debian packages them, and the plugin as it is published.
const packages = ['wordpress', 'php-cli', 'php-mysql', 'composer', 'mariadb-server-core'];
const isHere = !forChange && (await haveDebianPackages(...packages));
const cache = resolve(import.meta.dirname, '../../../node_modules/.cache/wordpress');
const plugin = resolve(cache, 'vendor/daggerhart/openid-connect-generic');
if (isHere && !existsSync(plugin)) await installPlugin();

/** Installs the plugin, only once. */
async function installPlugin(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const env = { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1', COMPOSER_NO_INTERACTION: '1' };
  const args = ['require', '--quiet', 'daggerhart/openid-connect-generic'];
  const refusal = await promisify(execFile)('composer', args, { cwd: cache, env }).catch(String);
  if (typeof refusal === 'string') missing('WordPress', `composer ${args.join(' ')}`, refusal);
}

export const hasWordPress = isHere && existsSync(plugin);
const admin = { log: 'root', pwd: 'a long enough password' };

/** Where the tests see who is signed in. What is pressed there are functions of WordPress. */
const homePage = `<?php
add_action('template_redirect', function () {
    if (isset($_GET['in'])) {
        exit(wp_redirect(do_shortcode('[openid_connect_generic_auth_url]')));
    }
    $who = wp_get_current_user();
    exit($who->exists()
        ? "Signed in as $who->user_email <a href=\\"" . wp_logout_url(home_url('/')) . '">Sign out</a>'
        : '<a href="/?in">Sign in</a>');
});
`;

const install = `define('WP_INSTALLING', true);
require 'wp-load.php';
require 'wp-admin/includes/upgrade.php';
wp_install('Blog', '${admin.log}', 'root@example.org', false, '', '${admin.pwd}');
activate_plugin('openid-connect-generic/openid-connect-generic.php');`;

/** Makes what WordPress keeps of sign-ins due to be asked about. */
const makeDue = `require 'wp-load.php';
foreach (get_users() as $user) {
    $sessions = get_user_meta($user->ID, 'session_tokens', true) ?: [];
    foreach ($sessions as &$session) {
        $session['openid-connect-generic-refresh']['expires'] = 0;
    }
    update_user_meta($user->ID, 'session_tokens', $sessions);
}`;

async function startDatabase(folder: string): Promise<string> {
  const [data, socket] = [resolve(folder, 'database'), resolve(folder, 'socket')];
  const own = ['--no-defaults', `--datadir=${data}`, '--user=root'];
  execFileSync('mariadb-install-db', [...own, '--skip-test-db'], { stdio: 'pipe' });
  const served = [...own, `--socket=${socket}`, '--skip-networking', '--skip-grant-tables'];
  const child = start(folder, '/usr/sbin/mariadbd', served);
  while (!existsSync(socket)) {
    if (child.exitCode !== null) throw new Error(child.complaints());
    await new Promise((done) => setTimeout(done, 50));
  }
  return socket;
}

const settingsOf = (socket: string, address: string) => `<?php
define('DB_NAME', 'blog');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socket}');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $name) {
    define($name, hash('sha256', $name . '${socket}'));
}
define('WP_HOME', '${address}');
define('WP_SITEURL', '${address}');
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_ACCESSIBLE_HOSTS', 'localhost');
$table_prefix = 'wp_';
define('ABSPATH', __DIR__ . '/');
require ABSPATH . 'wp-settings.php';
`;

/** WordPress with the recipe's text, typed into the form of the plugin by its administrator. */
export async function startWordPress(issuer: string): Promise<WebApp> {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, text, clientId } = await followRecipe(issuer, 'wordpress', { address });
  const site = resolve(folder, 'site');
  cpSync('/usr/share/wordpress', site, { recursive: true, dereference: true });
  cpSync(plugin, resolve(site, 'wp-content/plugins/openid-connect-generic'), { recursive: true });
  rmSync(resolve(site, 'wp-content/mu-plugins'), { recursive: true, force: true });
  const ofRecipe = 'wp-content/mu-plugins/gatehouse.php';
  write(site, ofRecipe, text(ofRecipe));
  write(site, 'wp-content/mu-plugins/home.php', homePage);

  const socket = await startDatabase(folder);
  const php = (program: string) =>
    execFileSync('php', ['-r', program], { cwd: site, encoding: 'utf8', stdio: 'pipe' });
  php(`mysqli_connect(null, 'root', '', null, 0, '${socket}')->query('CREATE DATABASE blog');`);
  write(site, 'wp-config.php', settingsOf(socket, address));
  php(install);
  const env = { PHP_CLI_SERVER_WORKERS: '4' };
  await listening(port, start(site, 'php', ['-S', `localhost:${port}`], env));
  await typeSettings(address, text('Settings → OpenID Connect Client'));
  return { address, clientId, makeDue: () => void php(makeDue) };
}

/** Fills the plugin's form in by its labels, and saves it. */
async function typeSettings(address: string, lines: string): Promise<void> {
  const browser = new AppBrowser();
  await browser.go(`${address}/wp-login.php`);
  await browser.go(`${address}/wp-login.php`, admin);
  const at = `${address}/wp-admin/options-general.php?page=openid-connect-generic-settings`;
  // WordPress puts some values into single quotes.
  const html = (await (await browser.go(at)).text()).replace(/='([^']*)'/g, '="$1"');
  const form = formsOf(html).find(({ action }) => action.endsWith('options.php'));
  if (!form) throw new Error(`There is no form: ${textOf(html)}`);
  const rows = [...html.matchAll(/<tr\b.*?<th scope="row">(.*?)<\/th>(.*?)<\/tr>/gs)];
  const filled = { ...form.fields };
  for (const line of lines.trim().split('\n')) {
    const [, label = '', value = ''] = /^(.*?): (.*)$/.exec(line) ?? [];
    const [, , field = ''] = rows.find(([, said = '']) => textOf(said) === label) ?? [];
    const name = /name="([^"]+)"/.exec(field)?.[1];
    if (!name) throw new Error(`The form has no field “${label}”.`);
    const option = [...field.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)/g)].find(
      ([, , words]) => words === value,
    );
    if (value === 'not ticked') filled[name] = '0';
    else filled[name] = value === 'ticked' ? '1' : (option?.[1] ?? value);
  }
  await browser.go(new URL(form.action, at), filled);
}

export const wordpress: Stack = { start: hasWordPress ? startWordPress : null };
