// Real programs without a sign-in of their own behind a real nginx, with the texts of their recipes.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { makeAppPassword } from '#lib/management/app-password/app-passwords.ts';
import { fillGuard, guardTexts } from '#lib/recipes/guard.ts';
import { findClient } from '#lib/store/clients.ts';
import { forChange } from '../lanes.ts';
import { AtProxy } from '../support/at-proxy.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { freePort } from '../support/free-port.ts';
import { change, newGuarded } from '../support/guarded.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { makeCertificate, startGuard } from '../support/proxies.ts';
import { newUser } from '../support/seed.ts';
import { folderFromNpm } from './npm-packages.ts';
import { pythonWith } from './python.ts';
import { followRecipe, listening, newFolder, start, write } from './recipe-app.ts';

const { folder: keys, certificate } = makeCertificate();
afterAll(() => rmSync(keys, { recursive: true, force: true }));
setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')]);

const server = await openServer({ TRUSTED_PROXIES: '127.0.0.1' });
const hasNginx = !forChange && (await haveDebianPackages('nginx'));
const debian = async (...packages: string[]) => hasNginx && (await haveDebianPackages(...packages));
const python = hasNginx
  ? await pythonWith([
      'radicale==3.9.0',
      'vdirsyncer==0.21.0',
      'wsgidav==4.4.0',
      'cheroot==11.1.2',
      'Django==5.2.19',
      'Flask==3.1.3',
      'gunicorn==27.0.1',
      'jupyterlab==4.6.6',
    ])
  : null;
const nodeRed = hasNginx ? await folderFromNpm('node-red', '5.0.7') : null;

const timeout = 120_000;

/**
 * A guarded app on this machine behind nginx, and its port; `text` is what its recipe says to paste.
 * Programs of other names reach it by `localhost`.
 */
async function newScene(recipe: string | null) {
  const port = await freePort();
  const plainPort = await freePort();
  const app = await freePort();
  const site = `https://localhost:${port}`;
  const followed =
    recipe === null ? null : await followRecipe(server.issuer, recipe, { address: site });
  const id = followed?.clientId ?? (await newGuarded({ guardedSites: [site] })).id;
  await change(id, { appPasswords: true });
  const client = await findClient(id);
  if (!client) throw new Error('There is no such app.');
  const folder = newFolder(`guarded-${recipe ?? 'own'}`);
  const user = await newUser();
  const browser = new AtProxy(new Person(server, user.username), port, 'localhost');
  const named = { user: user.id, client: client.id, name: 'Program', secondFactor: true };
  const { secret } = await makeAppPassword(named, { id: 'cli' }, new Date());
  const [source] = guardTexts().filter(({ id }) => id === 'nginx');
  if (!source) throw new Error('There is no text for nginx.');
  /** Once the program listens. */
  const guard = async () => {
    const front = { port, plainPort, app, behind: server.port, folder: keys, host: 'localhost' };
    const places = { site, app: `127.0.0.1:${app}`, server: `127.0.0.1:${server.port}` };
    const proxy = await startGuard('nginx', {
      ...front,
      changed: (text) => {
        const blocks = source.blocks.slice(0, 1).map((block) => ({ ...block, text }));
        return fillGuard({ ...source, blocks }, client, places)[0]?.text ?? text;
      },
    });
    onTestFinished(() => proxy.stop());
    const stranger = await new AtProxy(browser.person, port, 'localhost').send('/');
    expect(stranger.status).toBe(401);
  };
  const text = (title: string) => followed?.text(title) ?? '';
  return { site, port, app, folder, user, browser, secret, guard, text };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

/** Runs a program of a person, and gives what it prints. */
function run({ folder }: Pick<Scene, 'folder'>, program: string, args: string[], input?: string) {
  const env = { ...process.env, HOME: folder, GIT_SSL_CAINFO: certificate };
  return execFileSync(program, args, { cwd: folder, env, encoding: 'utf8', input, stdio: 'pipe' });
}

/** What curl prints, by app password. */
function curl(scene: Scene, path: string, ...more: string[]): string {
  const user = `${scene.user.username}:${scene.secret}`;
  const own = ['--silent', '--show-error', '--fail', '--cacert', certificate, '--user', user];
  return run(scene, 'curl', [...own, ...more, scene.site + path]);
}

/** The words of an environment variable in a recipe's text. */
const words = (text: string, port: string, app: number) =>
  (/="(.*)"/.exec(text)?.[1] ?? '').replace(port, String(app)).split(' ');

async function up(scene: Scene, program: ReturnType<typeof start>) {
  await listening(scene.app, program);
  await scene.guard();
}

test.skipIf(!python)(
  'Radicale: calendars by app password, with vdirsyncer',
  { timeout },
  async () => {
    const scene = await newScene('radicale');
    const { folder, app, user, secret, browser, site } = scene;
    const config = scene.text('/etc/radicale/config').replace('5232', String(app));
    write(folder, 'config', `${config}\n[storage]\nfilesystem_folder = ${folder}/store\n`);
    await up(scene, start(folder, `${python}/radicale`, ['--config', 'config']));
    expect((await browser.enter('/.web/')).status).toBe(200);
    const principal = '<propfind xmlns="DAV:"><prop><current-user-principal/></prop></propfind>';
    const who = (headers = {}) =>
      browser.send('/', {
        method: 'PROPFIND',
        headers: { depth: '0', ...headers },
        body: principal,
      });
    expect((await who()).body).toContain(`/${user.username}/`);
    expect((await who({ 'x-remote-user': 'root' })).body).toContain(`/${user.username}/`);
    write(folder, 'mine/work/one.ics', event);
    write(
      folder,
      'vdirsyncer.conf',
      `[general]
status_path = "${folder}/status"
[pair mine]
a = "here"
b = "there"
collections = ["work"]
[storage here]
type = "filesystem"
path = "${folder}/mine"
fileext = ".ics"
[storage there]
type = "caldav"
url = "${site}/"
username = "${user.username}"
password = "${secret}"
verify = "${certificate}"
`,
    );
    const sync = (...args: string[]) =>
      run(scene, `${python}/vdirsyncer`, ['-c', 'vdirsyncer.conf', ...args], 'y\ny\n');
    sync('discover');
    sync('sync');
    const stored = globSync(`${folder}/store/collection-root/${user.username}/work/*.ics`);
    expect(stored.map((file) => readFileSync(file, 'utf8'))).toEqual([
      expect.stringContaining('SUMMARY:Tea'),
    ]);
  },
);

const event = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Gatehouse//Tests//EN
BEGIN:VEVENT
UID:one@gatehouse
DTSTAMP:20261129T120000Z
DTSTART:20261130T150000Z
SUMMARY:Tea
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n');

test.skipIf(!python)('WsgiDAV: files by app password, with curl', { timeout }, async () => {
  const scene = await newScene(null);
  const { folder, app, browser, user } = scene;
  write(folder, 'files/here.txt', 'hello');
  write(
    folder,
    'wsgidav.yaml',
    `host: 127.0.0.1
port: ${app}
server: cheroot
provider_mapping: {"/": "${folder}/files"}
http_authenticator: {trusted_auth_header: HTTP_REMOTE_USER}
simple_dc: {user_mapping: {"*": {"nobody": {"password": "never-used"}}}}
verbose: 3
`,
  );
  const program = start(folder, `${python}/wsgidav`, ['--config', 'wsgidav.yaml']);
  let log = '';
  program.stdout?.on('data', (data) => {
    log += data;
  });
  await up(scene, program);
  curl(scene, '/there.txt', '--upload-file', 'files/here.txt');
  expect(readFileSync(`${folder}/files/there.txt`, 'utf8')).toBe('hello');
  expect(curl(scene, '/', '--request', 'PROPFIND')).toContain('there.txt');
  expect((await browser.enter('/here.txt')).body).toBe('hello');
  expect(log).toContain(`- ${user.username} -`);
});

test.skipIf(!(await debian('apache2-bin', 'git')))(
  'git’s own HTTP server and WebDAV of Apache: by app password, with git and curl',
  { timeout },
  async () => {
    const scene = await newScene(null);
    const { folder, app, user, secret, port } = scene;
    const git = (...args: string[]) => run(scene, 'git', args);
    git('init', '--quiet', '--bare', 'store/notes.git');
    git('-C', 'store/notes.git', 'config', 'http.receivepack', 'true');
    write(folder, 'dav/readme.txt', 'hello');
    execFileSync('chmod', ['-R', 'a+rwX', folder]);
    const modules =
      'mpm_event authn_core authz_core alias env setenvif dav dav_fs cgid dir unixd'.split(' ');
    const loaded = modules
      .filter((name) => existsSync(`/usr/lib/apache2/modules/mod_${name}.so`))
      .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
    write(
      folder,
      'apache.conf',
      `${loaded.join('\n')}
ServerName localhost
Listen 127.0.0.1:${app}
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
PidFile ${folder}/pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/errors
ScriptSock ${folder}/cgi
DavLockDB ${folder}/lock
SetEnv GIT_PROJECT_ROOT ${folder}/store
SetEnv GIT_HTTP_EXPORT_ALL
SetEnv GIT_CONFIG_COUNT 1
SetEnv GIT_CONFIG_KEY_0 safe.directory
SetEnv GIT_CONFIG_VALUE_0 *
SetEnvIf Remote-User "(.+)" REMOTE_USER=$1
ScriptAlias /git/ /usr/lib/git-core/git-http-backend/
<Directory /usr/lib/git-core>
Require all granted
</Directory>
Alias /dav ${folder}/dav
<Directory ${folder}/dav>
Dav On
Require all granted
</Directory>
`,
    );
    await up(scene, start(folder, '/usr/sbin/apache2', ['-X', '-f', `${folder}/apache.conf`]));
    const address = `https://${user.username}:${secret}@localhost:${port}/git/notes.git`;
    git('init', '--quiet', '-b', 'main', 'mine');
    write(folder, 'mine/note.txt', 'buy tea');
    git('-C', 'mine', 'add', '.');
    const by = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    git('-C', 'mine', ...by, 'commit', '--quiet', '-m', 'note');
    git('-C', 'mine', 'push', '--quiet', address, 'main');
    git('clone', '--quiet', '-b', 'main', address, 'again');
    expect(readFileSync(`${folder}/again/note.txt`, 'utf8')).toBe('buy tea');
    const wrong = address.replace(secret, `${secret.slice(0, -1)}x`);
    expect(() => git('clone', '--quiet', wrong, 'never')).toThrow(/Authentication failed/);
    curl(scene, '/dav/there.txt', '--upload-file', 'mine/note.txt');
    expect(curl(scene, '/dav/there.txt')).toBe('buy tea');
  },
);

test.skipIf(!(await debian('transmission-daemon', 'transmission-cli')))(
  'Transmission: in the browser, and transmission-remote by app password',
  { timeout },
  async () => {
    const scene = await newScene('transmission');
    const { folder, app, user, secret, browser, site } = scene;
    write(folder, 'settings.json', scene.text('settings.json').replace('9091', String(app)));
    await up(scene, start(folder, 'transmission-daemon', ['-f', '-g', folder]));
    expect((await browser.enter('/transmission/web/')).body).toContain('Transmission');
    const remote = [`${site}/transmission`, '--auth', `${user.username}:${secret}`, '--list'];
    expect(run(scene, 'transmission-remote', remote)).toContain('Sum:');
  },
);

test.skipIf(!(await debian('prometheus')))(
  'Prometheus: in the browser, and queries by app password',
  { timeout },
  async () => {
    const scene = await newScene('prometheus');
    const { folder, app, browser } = scene;
    write(folder, 'prometheus.yml', 'global: {}\n');
    const own = ['--config.file=prometheus.yml', `--storage.tsdb.path=${folder}/data`];
    const said = words(scene.text('/etc/default/prometheus'), '9090', app);
    await up(scene, start(folder, 'prometheus', [...own, ...said]));
    expect((await browser.enter('/metrics')).body).toContain('prometheus_build_info');
    expect(JSON.parse(curl(scene, '/api/v1/query?query=up'))).toMatchObject({ status: 'success' });
  },
);

test.skipIf(!(await debian('prometheus-alertmanager')))(
  'Alertmanager: in the browser',
  { timeout },
  async () => {
    const scene = await newScene('alertmanager');
    const { folder, app, browser } = scene;
    write(folder, 'a.yml', 'route: {receiver: a}\nreceivers: [{name: a}]\n');
    const own = ['--config.file=a.yml', `--storage.path=${folder}/data`];
    const said = words(scene.text('/etc/default/prometheus-alertmanager'), '9093', app);
    const args = [...own, '--cluster.listen-address=', ...said];
    await up(scene, start(folder, 'prometheus-alertmanager', args));
    expect((await browser.enter('/')).body).toContain('Alertmanager');
    expect((await browser.send('/api/v2/status')).status).toBe(200);
  },
);

test.skipIf(!(await debian('syncthing')))('Syncthing: in the browser', { timeout }, async () => {
  const scene = await newScene('syncthing');
  const { folder, app, browser } = scene;
  run(scene, 'syncthing', ['generate', `--home=${folder}`]);
  const before = readFileSync(resolve(folder, 'config.xml'), 'utf8');
  const text = scene.text('In config.xml').replace('8384', String(app));
  write(
    folder,
    'config.xml',
    before.replace(/<gui.*?<\/gui>/s, () => text),
  );
  const args = ['serve', `--home=${folder}`, '--no-browser', '--no-upgrade'];
  await up(scene, start(folder, 'syncthing', args));
  expect((await browser.enter('/')).body).toContain('Syncthing');
});

test.skipIf(!(await debian('netdata-core')))('Netdata: its API', { timeout }, async () => {
  const scene = await newScene('netdata');
  const { folder, app, browser } = scene;
  const own = `[global]\n  run as user = root\n[directories]\n  cache = ${folder}\n  lib = ${folder}\n  log = ${folder}\n`;
  const said = scene.text('/etc/netdata/netdata.conf').replace('19999', String(app));
  write(folder, 'netdata.conf', own + said);
  const args = ['-D', '-c', `${folder}/netdata.conf`, '-P', `${folder}/pid`];
  await up(scene, start(folder, 'netdata', args));
  expect((await browser.enter('/api/v1/info')).body).toContain('mirrored_hosts');
});

test.skipIf(!nodeRed)('Node-RED: its editor, and its flows are open', { timeout }, async () => {
  const scene = await newScene('node-red-guarded');
  const { folder, app, browser, port } = scene;
  const said = scene.text('settings.js').replace('1880', String(app));
  write(folder, 'settings.js', `module.exports = { ${said} };`);
  write(folder, 'package.json', '{}');
  const args = ['--settings', 'settings.js', '--userDir', folder];
  await up(scene, start(folder, process.execPath, [resolve(nodeRed ?? '', 'red.js'), ...args]));
  expect((await browser.enter('/')).body).toContain('Node-RED');
  expect((await browser.send('/settings')).body).toContain('httpNodeRoot');
  const stranger = new AtProxy(browser.person, port, 'localhost');
  expect((await stranger.send('/flows/anything')).status).toBe(404);
  expect((await stranger.send('/settings')).status).toBe(401);
});

test.skipIf(!python)('JupyterLab: a notebook server without a token', { timeout }, async () => {
  const scene = await newScene('jupyterlab');
  const { folder, app, browser } = scene;
  const said = scene.text('~/.jupyter/jupyter_server_config.py').replace('8888', String(app));
  write(folder, 'jupyter_server_config.py', said);
  const args = ['lab', '--no-browser', '--allow-root', '--config=jupyter_server_config.py'];
  await up(scene, start(folder, `${python}/jupyter`, args, { HOME: folder }));
  expect((await browser.enter('/lab')).body).toContain('JupyterLab');
  expect(JSON.parse((await browser.send('/api/contents')).body)).toMatchObject({
    type: 'directory',
  });
});

test.skipIf(!python)('Django: RemoteUserMiddleware makes the user', { timeout }, async () => {
  const scene = await newScene(null);
  const { folder, app, browser, user } = scene;
  write(folder, 'site.py', djangoSite);
  const args = ['site.py', 'runserver', '--noreload', `127.0.0.1:${app}`];
  await up(scene, start(folder, `${python}/python`, args));
  expect((await browser.enter('/')).body).toBe(user.username);
  const forged = { headers: { 'remote-user': 'root', remote_user: 'root' } };
  expect((await browser.send('/', forged)).body).toBe(user.username);
});

const djangoSite = `import os, sys
from django.conf import settings
from django.core.management import call_command, execute_from_command_line
from django.http import HttpResponse
from django.urls import path

settings.configure(
    DEBUG=True,
    SECRET_KEY=os.urandom(24).hex(),
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["localhost"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "people.db"}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "__main__.FromProxy",
    ],
    AUTHENTICATION_BACKENDS=["django.contrib.auth.backends.RemoteUserBackend"],
)
import django
django.setup()
from django.contrib.auth.middleware import RemoteUserMiddleware

class FromProxy(RemoteUserMiddleware):
    header = "HTTP_REMOTE_USER"

urlpatterns = [path("", lambda request: HttpResponse(request.user.username))]
call_command("migrate", verbosity=0)
execute_from_command_line(sys.argv)
`;

test.skipIf(!python)('Flask under Gunicorn: reads the headers', { timeout }, async () => {
  const scene = await newScene(null);
  const { folder, app, browser, user } = scene;
  write(
    folder,
    'program.py',
    `from flask import Flask, request
app = Flask(__name__)
@app.get("/")
def home():
    return [request.headers.get(name) for name in ("Remote-User", "Remote-Sub", "Authorization")]
`,
  );
  const args = ['--bind', `127.0.0.1:${app}`, 'program:app'];
  await up(scene, start(folder, `${python}/gunicorn`, args));
  const told = [user.username, user.id, null];
  expect(JSON.parse((await browser.enter('/')).body)).toEqual(told);
  expect(JSON.parse(curl(scene, '/'))).toEqual(told);
});
