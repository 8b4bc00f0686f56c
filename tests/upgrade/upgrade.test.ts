import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyMigrations, pendingMigrations } from '#lib/tooling/migrate.ts';
import { databases } from '#lib/tooling/schema.ts';
import { cli, folder, json } from '../cli/command-line.ts';
import { me, post, readAnswer } from '../support/app.ts';
import { Authenticator } from '../support/authenticator.ts';
import { createEmptyDatabase, newLogFile } from '../support/database.ts';
import { ask, postAnswer } from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import type { TestServer } from '../support/open-server.ts';
import { authorizePath, Person } from '../support/person.ts';
import { leftDatabases, putIn } from '../support/restored.ts';
import { failuresIn } from '../support/serve-setup.ts';
import { type Server, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';
import { asked, type Left } from './life.ts';
import { rowsOf, type TableRows } from './rows.ts';

// Each folder was made by an earlier version: see make.ts.
const fixtures = leftDatabases;
const versions = readdirSync(fixtures);
const everyOne = versions.flatMap((version) => databases.map((kind) => [version, kind] as const));

describe.each(everyOne)('a database of %s on %s', (version, kind) => {
  const left: Left = JSON.parse(readFileSync(`${fixtures}/${version}/${kind}.json`, 'utf8'));
  const { apps, tokens } = left;
  let before: TableRows = {};
  let after: TableRows = {};
  let server: Server;
  let gatehouse: TestServer;
  let pending: string[] = [];
  let behind = 0;

  beforeAll(async () => {
    const databaseUrl = await createEmptyDatabase(kind);
    workOn(databaseUrl);
    await putIn(databaseUrl, `${fixtures}/${version}`, kind);
    before = await rowsOf(databaseUrl);
    pending = await pendingMigrations(databaseUrl);
    await applyMigrations(databaseUrl);
    after = await rowsOf(databaseUrl);
    // A minute after the old version left it, so that codes and sessions are as they were.
    behind = Date.now() - Date.parse(left.at) - 60_000;
    const logFile = newLogFile('upgrade');
    const clock = `--import ${resolve(import.meta.dirname, '../support/clock.mjs')}`;
    const env = { NODE_OPTIONS: clock, TEST_CLOCK_BEHIND: String(behind) };
    server = await startServer({ mount: 'direct', databaseUrl, logFile, env });
    const base = `http://127.0.0.1:${server.port}`;
    gatehouse = { base, issuer: server.origin, logFile, databaseUrl } as TestServer;
    process.env.ISSUER = server.origin;
  });
  afterAll(async () => {
    await server?.stop();
    delete process.env.ISSUER;
    expect(failuresIn(gatehouse.logFile)).toEqual([]);
  });

  const browserOf = (name: 'ada' | 'bob') => {
    const person = new Person(gatehouse, name);
    for (const [cookie, value] of left.sessions[name]) person.cookies.set(cookie, value);
    return person;
  };

  test('is migrated, and no row is lost or changed', () => {
    expect(pending.length).toBeGreaterThan(0);
    expect(Object.keys(before).length).toBeGreaterThan(30);
    const kept = Object.keys(before).map((table) => [table, withColumnsOf(after, before, table)]);
    expect(Object.fromEntries(kept)).toEqual(before);
  });

  test('keeps its sessions and consents', async () => {
    const [ada, bob] = [browserOf('ada'), browserOf('bob')];
    expect((await ada.open('/admin/users')).at).toBe('/admin/users');
    expect(textOf((await bob.open('/account/profile')).html)).toContain('Engines');
    const page = await bob.open(authorizePath({ ...asked(apps.web), scope: 'openid profile' }));
    expect(page.at).toMatch(/^https:\/\/app\.example\/callback\?code=/);
  });

  test('keeps its decisions on who may use an app', async () => {
    const params = authorizePath({ ...asked(apps.listed), scope: 'openid profile' });
    expect((await browserOf('ada').open(params)).at).toMatch(/\?code=/);
    const refused = await browserOf('bob').open(params);
    expect(refused.at).not.toMatch(/code=/);
  });

  test('keeps its access tokens, with the same user information', async () => {
    expect((await me(gatehouse, tokens.lasting.access_token)).body).toMatchObject({
      username: 'bob',
      email: 'bob@example.org',
      name: 'Bob ’ü漢',
      groups: ['editors'],
      plan: 'pro',
      department: 'Engines',
    });
    const { body } = await post(gatehouse, '/oauth/introspect', {
      ...apps.machine,
      token: tokens.machine.access_token,
    });
    expect(body).toMatchObject({ active: true, scope: 'photos.read' });
  });

  test('keeps its codes, which can be redeemed once', async ({ task }) => {
    const code = left.codes[tryOf(task)] ?? '';
    const redeem = () =>
      post(gatehouse, '/oauth/token', {
        ...apps.web,
        grant_type: 'authorization_code',
        code,
        redirect_uri: asked(apps.web).redirect_uri,
      });
    const { status, body } = await redeem();
    expect([status, typeof body.refresh_token]).toEqual([200, 'string']);
    expect((await redeem()).body.error).toBe('invalid_grant');
  });

  test('keeps its refresh tokens, and reuse of an old one ends the sign-in', async ({ task }) => {
    const had = left.rotated[tryOf(task)];
    const refresh = (refresh_token: string) =>
      post(gatehouse, '/oauth/token', { ...apps.web, grant_type: 'refresh_token', refresh_token });
    const second = await refresh(had?.second.refresh_token ?? '');
    expect(second.status).toBe(200);
    const third = await refresh(second.body.refresh_token as string);
    expect(third.status).toBe(200);
    expect((await refresh(had?.first.refresh_token ?? '')).body.error).toBe('invalid_grant');
    expect((await me(gatehouse, third.body.access_token as string)).status).toBe(401);
  });

  test('keeps the published keys that verify its ID tokens', async () => {
    const answer = await readAnswer(await fetch(`${gatehouse.base}/oauth/jwks`));
    const keys = createLocalJWKSet(answer.body as unknown as JSONWebKeySet);
    const then = { currentDate: new Date(left.at) };
    expect((await jwtVerify(tokens.lasting.id_token, keys, then)).payload.aud).toBe(
      apps.web.client_id,
    );
  });

  test('keeps its authenticator apps and recovery codes', async ({ task }) => {
    const { name, secret, codes } = left.totp;
    const timestamp = Date.now() - behind + tryOf(task) * 30_000;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
    const ways: Record<string, string>[] = [{ code }, { recovery_code: codes[tryOf(task)] ?? '' }];
    for (const filled of ways) {
      const person = new Person(gatehouse, name);
      const page = await person.signIn();
      expect(page.at).toBe('/login/factor');
      expect((await person.submit(page, '/login/factor/submit', filled)).at).toBe('/account');
    }
  });

  test('keeps its passkeys', async () => {
    const { name, authenticator: kept } = left.passkey;
    const person = new Person(gatehouse, name);
    const page = await person.signIn();
    const { options, challenge } = await ask(person, page, 'factor');
    const answer = new Authenticator(gatehouse.issuer, { kept }).get(options);
    const home = await postAnswer(person, page, '/login/factor/submit', answer, challenge);
    expect(home.at).toBe('/account');
  });

  test('works with the commands of docs/upgrade.md as described', async () => {
    const version = await cli(['--version']);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const file = `${folder}/before-${randomUUID()}.backup`;
    expect((await json(['backup', file])).rows).toBeGreaterThan(50);
    const { stdout } = await cli(['doctor']);
    expect(stdout.split('\n')[0]).toBe(`Gatehouse ${version.stdout.trim()}`);
    expect(stdout).not.toMatch(/^TROUBLE .*migration/m);
  });

  test('keeps sign-in attempts, audit events, settings and scopes', async () => {
    const attempts = await json(['trace', 'list', '--client', apps.web.client_id]);
    expect(JSON.stringify(attempts)).toContain('redirect-uri.unregistered');
    const events = await json(['audit', 'list', '--type', 'user.created']);
    expect(events.events).toHaveLength(5);
    expect(JSON.stringify(await json(['settings', 'list']))).toContain('3600');
    expect(JSON.stringify(await json(['scope', 'list']))).toContain('Ihre Fotos sehen');
  });
});

/** The number of this try: a try must not use what an earlier one has used up. */
const tryOf = ({ result }: { result?: { retryCount?: number } | undefined }) =>
  result?.retryCount ?? 0;

/** A table's rows, reduced to the columns that the table had before. */
function withColumnsOf(after: TableRows, before: TableRows, table: string) {
  const columns = Object.keys(before[table]?.[0] ?? {});
  return after[table]?.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
}
