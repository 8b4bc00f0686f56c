import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { actor } from '../management/people.ts';
import { join } from '../openid/memberships.ts';
import { newApi } from '../support/apis.ts';
import { redeem } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import { missing } from '../support/missing.ts';
import { openServer } from '../support/open-server.ts';
import { isSignedIn } from '../support/person.ts';
import { newClient } from '../support/seed.ts';
import { listening, newFolder, start, write } from './recipe-app.ts';
import { AppBrowser, allowAt, denyAt, locationOf, newPerson, openAt } from './visit.ts';
import { renewals } from './web-app.ts';

// WildFly with its subsystem elytron-oidc-client, as it comes, and an app whose pages are protected in
// web.xml. It reads the access token of every sign-in as a JWT, so the app has a default API.
const server = await openServer();
const version = '39.0.1.Final';
const home = await wildFly();

/** The folder of WildFly, which Maven fetches once; null if it cannot be had. */
async function wildFly(): Promise<string | null> {
  const folder = resolve(import.meta.dirname, '../../node_modules/.cache/wildfly');
  const [found, stamp] = [
    resolve(folder, `wildfly-${version}`),
    resolve(folder, `ready-${version}`),
  ];
  if (existsSync(stamp)) return found;
  try {
    mkdirSync(folder, { recursive: true });
    const run = promisify(execFile);
    const artifact = `-Dartifact=org.wildfly:wildfly-dist:${version}:zip`;
    const copy = ['-q', '-B', 'dependency:copy', artifact, '-DoutputDirectory=.'];
    await run('mvn', copy, { cwd: folder });
    await run('jar', ['xf', `wildfly-dist-${version}.zip`], { cwd: folder });
    rmSync(resolve(folder, `wildfly-dist-${version}.zip`));
    writeFileSync(stamp, '');
    return found;
  } catch (error) {
    missing('WildFly', 'apt-get install maven default-jdk-headless', error);
    return null;
  }
}

/** Who may open which page: anybody who is signed in, or only a role. */
const descriptor = `<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
  <context-param><param-name>sign-out</param-name><param-value>${server.issuer}/oauth/logout</param-value></context-param>
  ${guarded('me.jsp', '**')}${guarded('bye.jsp', '**')}${guarded('editors.jsp', 'editors')}
  <login-config><auth-method>OIDC</auth-method></login-config>
  <security-role><role-name>editors</role-name></security-role>
</web-app>
`;

function guarded(page: string, role: string): string {
  const pages = `<web-resource-name>${page}</web-resource-name><url-pattern>/${page}</url-pattern>`;
  return `<security-constraint>
    <web-resource-collection>${pages}</web-resource-collection>
    <auth-constraint><role-name>${role}</role-name></auth-constraint>
  </security-constraint>`;
}

const pages = {
  'me.jsp': '<%= request.getUserPrincipal().getName() %>',
  'editors.jsp': 'For editors',
  // The subsystem has no sign-out of its own: the app sends people here with the ID token.
  'bye.jsp': `<%
Object who = request.getUserPrincipal();
String token = ((org.wildfly.security.http.oidc.OidcPrincipal) who).getOidcSecurityContext().getIDTokenString();
request.logout();
response.sendRedirect(application.getInitParameter("sign-out") + "?id_token_hint=" + token);
%>`,
};

/** What lets a page see the classes of the subsystem. */
const dependency = `<jboss-deployment-structure><deployment><dependencies>
  <module name="org.wildfly.security.elytron-http-oidc"/>
</dependencies></deployment></jboss-deployment-structure>
`;

/** WildFly with an app at `/app`, and an API at `/api` that takes bearer tokens alone. */
async function startWildFly(client: { id: string; secret: string }, api: string, port: number) {
  const folder = newFolder('wildfly');
  cpSync(resolve(home ?? '', 'standalone'), folder, { recursive: true });
  const common = { 'provider-url': server.issuer, 'ssl-required': 'none' };
  const settings = {
    app: {
      ...common,
      'client-id': client.id,
      credentials: { secret: client.secret },
      scope: 'profile email groups offline_access',
      // At every page, instead of waiting until a token expires.
      'always-refresh-token': true,
    },
    api: { ...common, 'client-id': api, 'bearer-only': true, 'verify-token-audience': true },
  };
  for (const [name, said] of Object.entries(settings)) {
    const war = `deployments/${name}.war`;
    for (const [page, text] of Object.entries(pages)) write(folder, `${war}/${page}`, text);
    write(folder, `${war}/WEB-INF/web.xml`, descriptor);
    write(folder, `${war}/WEB-INF/jboss-deployment-structure.xml`, dependency);
    write(folder, `${war}/WEB-INF/oidc.json`, JSON.stringify(said));
    write(folder, `${war}.dodeploy`, '');
  }
  const ports = { http: port, https: 0, 'management.http': await freePort(), ajp: 0 };
  // `jar` unpacks programs without their right to be run.
  const child = start(folder, 'sh', [
    resolve(home ?? '', 'bin/standalone.sh'),
    `-Djboss.server.base.dir=${folder}`,
    ...Object.entries(ports).map(([name, number]) => `-Djboss.${name}.port=${number}`),
    // Its API wants a claim `typ` in tokens, as Keycloak has it.
    '-Dwildfly.elytron.oidc.disable.typ.claim.validation=true',
    // For `scope` in the settings.
    '--stability=preview',
  ]);
  await listening(port, child);
  const wars = Object.keys(settings).map((name) => resolve(folder, `deployments/${name}.war`));
  const ready = () => wars.every((war) => existsSync(`${war}.deployed`));
  const failed = () => wars.some((war) => existsSync(`${war}.failed`));
  await expect.poll(() => ready() || failed(), { timeout: 180_000 }).toBe(true);
  expect(failed()).toBe(false);
}

test.skipIf(!home)(
  'WildFly: signs in after a denial, renews, knows roles, ends with the access, and signs out',
  { timeout: 400_000 },
  async () => {
    const port = await freePort();
    const app = `http://localhost:${port}/app`;
    const { identifier } = await newApi({ tokenFormat: 'jwt' });
    const redirectUri = `${app}/me.jsp`;
    const redirectUris = ['me', 'editors', 'bye'].map((page) => `${app}/${page}.jsp`);
    const client = await newClient({ redirectUris, groupsClaim: 'roles', defaultApi: identifier });
    await startWildFly(client, identifier, port);

    const { user, person } = await newPerson(server);
    await join(user.id, 'editors');
    const browser = new AppBrowser();
    const open = (page: string) => browser.go(`${app}/${page}.jsp`);
    expect((await browser.go(await denyAt(person, locationOf(await open('me'))))).status).toBe(400);
    // The answer to somebody else's request.
    const forged = await allowAt(person, locationOf(await new AppBrowser().go(redirectUri)));
    expect((await browser.go(forged)).status).toBe(400);

    const signIn = async () => browser.follow(await browser.signIn(person, redirectUri), app);
    expect((await (await signIn()).text()).trim()).toBe(user.id);
    expect((await open('editors')).status).toBe(200);
    const count = () => renewals({ clientId: client.id }, { user });
    const before = await count();
    for (let times = 0; times < 2; times += 1) expect((await open('me')).status).toBe(200);
    expect(await count()).toBeGreaterThan(before + 1);

    await revokeGrants({ user: user.id, client: client.id }, actor, new Date());
    expect(locationOf(await open('me'))).toContain('/oauth/authorize');
    await signIn();
    expect((await openAt(person, locationOf(await open('bye')))).status).toBe(200);
    expect(await isSignedIn(person)).toBe(false);
    expect(locationOf(await open('me'))).toContain('/oauth/authorize');

    const asked = { client_id: client.id, response_type: 'code', scope: 'openid groups' };
    const code = await person.code({ ...asked, redirect_uri: redirectUri });
    const { body } = await redeem(server, client, code, { redirect_uri: redirectUri });
    const bearer = async (page: string, token: unknown) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`http://localhost:${port}/api/${page}.jsp`, { headers });
      return [answer.status, (await answer.text()).trim()] as const;
    };
    expect(await bearer('me', body.access_token)).toEqual([200, user.id]);
    expect((await bearer('editors', body.access_token))[0]).toBe(200);
    for (const refused of [`${body.access_token}x`, body.id_token, 'none'])
      expect((await bearer('me', refused))[0]).toBe(401);
  },
);
