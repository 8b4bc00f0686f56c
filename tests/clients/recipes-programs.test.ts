import { expect, test } from 'vitest';
import { forChange } from '../lanes.ts';
import { join } from '../openid/memberships.ts';
import { freePort } from '../support/free-port.ts';
import { openServer } from '../support/open-server.ts';
import { pythonWith } from './python.ts';
import { followRecipe, listening, start, write } from './recipe-app.ts';
import { AppBrowser, allowAt, locationOf, newPerson } from './visit.ts';

// Whole programs from their registries, with the texts of their recipes exactly as people paste
// them. Their installation takes minutes, so they are not run for every change.
const server = await openServer();
const programOf = async (...packages: string[]) => (forChange ? null : pythonWith(packages));
const jupyterHub = await programOf('jupyterhub==6.1.1', 'oauthenticator==17.4.0');
const pgAdmin = await programOf('pgadmin4==9.18');
const appBuilder = await programOf('Flask-AppBuilder==5.3.0', 'Authlib==1.9.9', 'requests==2.34.2');

const timeout = 180_000;

async function follow(id: string) {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  return { ...(await followRecipe(server.issuer, id, { address })), port, address };
}

/** A user in these groups, who goes to the program and comes back from this server. */
async function signIn(link: string, ...groups: string[]) {
  const { user, person } = await newPerson(server);
  await join(user.id, ...groups);
  const browser = new AppBrowser();
  return { user, browser, answer: await browser.signIn(person, link) };
}

/** The hub alone, because its own proxy is not a Python program. */
const withoutProxy = `
from jupyterhub.proxy import Proxy
class NoProxy(Proxy):
    should_start = False
    async def add_route(self, routespec, target, data): pass
    async def delete_route(self, routespec): pass
    async def get_all_routes(self): return {}
c.JupyterHub.proxy_class = NoProxy
`;

test.skipIf(!jupyterHub)('the recipe for JupyterHub admits by group', { timeout }, async () => {
  const { folder, port, address, text } = await follow('jupyterhub');
  const hub = `c.JupyterHub.hub_bind_url = '${address}'\n${withoutProxy}`;
  write(folder, 'jupyterhub_config.py', text('jupyterhub_config.py') + hub);
  await listening(port, start(folder, `${jupyterHub}/jupyterhub`, []));
  const link = `${address}/hub/oauth_login`;
  const pageOf = async (name: string, ...groups: string[]) => {
    const { browser, answer } = await signIn(link, ...groups);
    return answer.status === 302
      ? (await browser.go(`${address}/hub/${name}`)).status
      : answer.status;
  };
  expect(await pageOf('admin', 'jupyter-admins')).toBe(200);
  expect(await pageOf('token', 'jupyter-users')).toBe(200);
  expect(await pageOf('admin', 'jupyter-users')).toBe(403);
  expect(await pageOf('token', 'others')).toBe(403);
});

test.skipIf(!pgAdmin)('the recipe for pgAdmin admits by group', { timeout }, async () => {
  const { folder, port, address, text } = await follow('pgadmin');
  const own = `DATA_DIR = '${folder}/data'\nSERVER_MODE = True\nDEFAULT_SERVER_PORT = ${port}\n`;
  write(folder, 'config_local.py', own + text('config_local.py'));
  const env = {
    PYTHONPATH: folder,
    PGADMIN_SETUP_EMAIL: 'root@example.org',
    PGADMIN_SETUP_PASSWORD: 'a long enough password',
  };
  await listening(port, start(folder, `${pgAdmin}/pgadmin4`, [], env));
  const comeIn = async (...groups: string[]) => {
    const { user, person } = await newPerson(server);
    await join(user.id, ...groups);
    const browser = new AppBrowser();
    const page = await (await browser.go(`${address}/login?next=/`)).text();
    const [, csrf = ''] = /csrfToken&#34;: &#34;([^&]+)|"csrfToken": "([^"]+)/.exec(page) ?? [];
    const form = { oauth2_button: 'gatehouse', csrf_token: csrf };
    const sent = await browser.go(`${address}/authenticate/login`, form);
    const back = await browser.go(await allowAt(person, locationOf(sent)));
    return (await browser.go(new URL(locationOf(back), address))).status;
  };
  expect(await comeIn('pgadmin-users')).toBe(200);
  expect(await comeIn('others')).not.toBe(200);
});

/** A one-file program, built with the framework of Superset and Airflow. */
const ownProgram = `
import os
from flask import Flask
from flask_appbuilder import AppBuilder
from flask_appbuilder.models.sqla.base import SQLA
from flask_appbuilder.security.sqla.manager import SecurityManager
from gatehouse_sso import GatehouseSso

class Manager(GatehouseSso, SecurityManager):
    pass

app = Flask(__name__)
app.config['SECRET_KEY'] = os.urandom(24)
app.config['SQLALCHEMY_DATABASE_URI'] = 'sqlite:///' + os.path.abspath('people.db')
app.config.from_pyfile(os.path.abspath('settings.py'))
db = SQLA(app)
with app.app_context():
    appbuilder = AppBuilder(app, db.session, security_manager_class=Manager)

@app.get('/roles')
def roles():
    from flask_login import current_user
    return {'name': current_user.username, 'roles': [role.name for role in current_user.roles]}

app.run(port=int(os.environ['PORT']))
`;

test.skipIf(!appBuilder)('the recipe for Superset gives roles by group', { timeout }, async () => {
  const { folder, port, address, text } = await follow('superset');
  write(folder, 'settings.py', text('In superset_config.py or webserver_config.py'));
  write(folder, 'program.py', ownProgram);
  const env = { PORT: String(port) };
  await listening(port, start(folder, `${appBuilder}/python`, ['program.py'], env));
  const rolesOf = async (...groups: string[]) => {
    const { user, browser } = await signIn(`${address}/login/gatehouse`, ...groups);
    const { name, roles } = await (await browser.go(`${address}/roles`)).json();
    expect(name).toBe(user.username);
    return roles;
  };
  expect(await rolesOf('superset-admins', 'others')).toContain('Admin');
  expect(await rolesOf('others')).toEqual(['Public']);
});
