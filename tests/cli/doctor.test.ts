import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createNetServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { backupName } from '#lib/backup/schedule.ts';
import { judgeWrites } from '#lib/doctor/database.ts';
import type { Finding } from '#lib/doctor/finding.ts';
import { examineMachine, judgeMemory, leftWithin } from '#lib/doctor/machine.ts';
import { megabyte } from '#lib/management/alert/upkeep.ts';
import { selfSigned } from '../support/certificate.ts';
import { createDatabase, createEmptyDatabase, newLogFile } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { message, operations, result, startLyingDirectory } from '../support/lying-directory.ts';
import { MailServer } from '../support/mail-server.ts';
import { newClient } from '../support/seed.ts';
import { startServer, type Server as TestServer } from '../support/server.ts';
import { sharedEnv } from '../support/shared-env.ts';
import { endWork, workOn } from '../support/work-on.ts';
import { cli, inOwnProcess, run } from './command-line.ts';

// The command that docs/operating.md tells people to run.
const root = resolve(import.meta.dirname, '../..');
const data = mkdtempSync(resolve(tmpdir(), 'gatehouse-doctor-'));
afterAll(() => rmSync(data, { recursive: true }));

let databaseUrl = '';
let server: TestServer;
let proxyPort = 0;
/** What the proxy adds to requests, and how it changes answers. */
let forwarded: Record<string, string> = {};
let answered: (headers: Record<string, string | string[] | undefined>) => void = () => {};
const opened: Server[] = [];

const listen = (made: Server) =>
  new Promise<number>((ready) => {
    opened.push(made);
    made.listen(0, '127.0.0.1', () => ready((made.address() as AddressInfo).port));
  });

/** A proxy in front of the server, on the port of the server's issuer. */
function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url: path, headers } = incoming;
  const onward = { host: '127.0.0.1', port: server.port, method, path };
  const inner = request({ ...onward, headers: { ...headers, ...forwarded } }, (answer) => {
    const told = { ...answer.headers };
    answered(told);
    outgoing.writeHead(answer.statusCode ?? 500, told);
    answer.pipe(outgoing);
  });
  incoming.pipe(inner);
}

beforeAll(async () => {
  databaseUrl = await createDatabase('sqlite');
  chmodSync(databaseUrl.slice('file:'.length), 0o600);
  proxyPort = await freePort();
  server = await startServer({
    mount: 'direct',
    databaseUrl,
    logFile: newLogFile('doctor'),
    env: { ISSUER: `http://localhost:${proxyPort}`, TRUSTED_PROXIES: '' },
  });
  const proxy = createServer(pass);
  opened.push(proxy);
  await new Promise<void>((ready) => proxy.listen(proxyPort, '127.0.0.1', ready));
});
afterAll(async () => {
  for (const one of opened) one.close();
  await server.stop();
});
afterEach(() => {
  forwarded = {};
  answered = () => {};
});

/** What the doctor says in an environment like the server's. */
async function examine(env: Record<string, string> = {}, args: string[] = []) {
  const healthy = { ISSUER: `http://localhost:${proxyPort}`, DATABASE_URL: databaseUrl };
  const before = { ...process.env };
  Object.assign(process.env, sharedEnv, healthy, { DATA_DIR: data, MAIL_URL: '' }, env);
  // Node.js reads which certificates to trust when it starts.
  const start = env.NODE_EXTRA_CA_CERTS ? inOwnProcess : cli;
  const { stdout, stderr, code } = await start(['doctor', ...args, '--json']).finally(() => {
    process.env = before;
  });
  expect(stderr).toBe('');
  const { status, findings } = JSON.parse(stdout) as { status: string; findings: Finding[] };
  const of = (check: string) => findings.filter((one) => one.check === check);
  return { code, status, findings, of };
}

test('doctor: a healthy server has no trouble, and each check has a sentence', async () => {
  const { findings, code } = await examine();
  expect(findings.filter(({ is }) => is === 'trouble')).toEqual([]);
  expect(code).toBe(1);
  const warned = findings.filter(({ is }) => is === 'warning').map(({ check }) => check);
  expect(warned).toEqual(expect.arrayContaining(['backups', 'mail']));
  const looked = new Set(findings.map(({ check }) => check));
  for (const check of [
    'settings',
    'file-modes',
    'disk',
    'memory',
    'migrations',
    'write',
    'keys',
    'public-address',
    'proxy',
    'clock',
    'well-known',
    'cookies',
  ])
    expect(looked, check).toContain(check);
});

test('doctor: free space is checked separately for backups on another disk', async (context) => {
  const beside = dirname(databaseUrl.slice('file:'.length));
  const isElsewhere = (folder: string) =>
    existsSync(folder) && statSync(folder).dev !== statSync(beside).dev;
  const elsewhere = [data, '/dev/shm'].find(isElsewhere);
  if (elsewhere === undefined) return context.skip();
  const said = async (folder: string) =>
    (await examine({ BACKUP_DIR: folder })).of('disk').map(({ says }) => says);
  expect(await said(beside)).toEqual([expect.stringContaining(`MB are free for ${beside}.`)]);
  expect((await said(elsewhere))[1]).toContain(`MB are free for ${elsewhere}.`);
});

test('doctor: space is that above a data folder in which nothing is kept yet', async () => {
  const [found] = (await examine({ DATABASE_URL: `file:${data}/not/yet/nothing.db` })).of('disk');
  expect(found).toMatchObject({
    is: 'fine',
    says: expect.stringContaining(`MB are free for ${data}.`),
  });
});

test('doctor: the file of breached passwords is checked, and a missing or unsorted one is trouble', async () => {
  const file = resolve(data, 'known.txt');
  const [gone] = (await examine({ BREACHED_PASSWORDS: file })).of('breached-passwords');
  expect(gone).toMatchObject({ is: 'trouble', says: expect.stringContaining('ENOENT') });
  writeFileSync(file, `${'0'.repeat(40)}:1\n${'F'.repeat(40)}:2\n`);
  const [found] = (await examine({ BREACHED_PASSWORDS: file })).of('breached-passwords');
  expect(found).toMatchObject({ is: 'fine', says: expect.stringContaining('2 passwords') });
  writeFileSync(file, `${'F'.repeat(40)}:1\n${'0'.repeat(40)}:2\n`);
  const [shuffled] = (await examine({ BREACHED_PASSWORDS: file })).of('breached-passwords');
  expect(shuffled).toMatchObject({ is: 'trouble', fix: expect.stringContaining('Download it') });
});

test('doctor: directories are tried, with the reason why their users cannot sign in', async () => {
  const file = resolve(data, 'directories.yaml');
  const say = (urls: string[], more = '') =>
    writeFileSync(
      file,
      `directories:\n  - id: staff\n    name: Staff\n    servers: [${urls.join(', ')}]\n    people: { base: "dc=example,dc=org" }\n    timeout: 5 seconds\n${more}`,
    );
  const plain = '    unencrypted: passwords can be read on the way\n';
  const found = async () => (await examine({ DIRECTORIES_FILE: file })).of('directory');
  const honest = await startLyingDirectory(({ id, operation }, socket) => {
    const code = operation === operations.bind ? 49 : 0;
    socket.write(message(id, result(operation === operations.bind ? 0x61 : 0x65, code)));
  });
  const lying = await startLyingDirectory(({ id, operation }, socket) => {
    socket.write(message(id, result(operation === operations.bind ? 0x61 : 0x65, 0)));
  });
  try {
    const gone = `ldaps://127.0.0.1:${await freePort()}`;
    say([gone]);
    expect(await found()).toMatchObject([
      { is: 'trouble', says: expect.stringMatching(/ECONNREFUSED.* people cannot sign in/) },
    ]);
    // One of two servers that answers is enough for people to sign in.
    say([gone, honest.url], plain);
    expect(await found()).toMatchObject([{ is: 'warning' }, { is: 'fine' }]);
    say([lying.url], plain);
    expect(await found()).toMatchObject([
      { is: 'trouble', says: expect.stringContaining('It accepts any password') },
    ]);
  } finally {
    honest.stop();
    lying.stop();
  }
});

test('doctor: the LDAP server is asked where it should be, and its certificate is looked at', async () => {
  const port = await freePort();
  const tlsPort = await freePort();
  const env = { LDAP_HOST: '127.0.0.1', LDAP_PORT: String(port) };
  expect((await examine()).of('ldap')).toEqual([]);
  expect((await examine(env)).of('ldap')).toMatchObject([
    { is: 'trouble', says: expect.stringContaining('does not answer') },
  ]);
  workOn(databaseUrl);
  await newClient({ ldap: true });
  await endWork();
  expect((await examine()).of('ldap')).toMatchObject([
    { is: 'warning', says: expect.stringContaining('listens nowhere') },
  ]);
  const inDays = (days: number) => {
    const text = new Date(Date.now() + days * 24 * 3600_000).toISOString().replace(/[-:T]/g, '');
    return selfSigned('localhost', `${text.slice(2, 14)}Z`);
  };
  const [soon, later] = [inDays(3), inDays(90)];
  const files = { LDAP_CERTIFICATE: resolve(data, 'l.pem'), LDAP_KEY: resolve(data, 'l.key') };
  writeFileSync(files.LDAP_CERTIFICATE, later.cert);
  writeFileSync(files.LDAP_KEY, later.key);
  const both = { ...env, ...files, LDAPS_PORT: String(tlsPort) };
  const plain = createNetServer((socket) => socket.end()).listen(port, '127.0.0.1');
  const secure = createTlsServer(soon).listen(tlsPort, '127.0.0.1');
  opened.push(plain, secure);
  expect((await examine(both)).of('ldap')).toMatchObject([
    { is: 'fine' },
    { is: 'warning', says: expect.stringContaining('its certificate ends in 2 days') },
  ]);
  secure.setSecureContext(later);
  expect((await examine(both)).of('ldap')).toMatchObject([{ is: 'fine' }, { is: 'fine' }]);
});

/** File permissions do not apply to root, so another user runs the command. */
const nobody =
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    : ['env'];

/**
 * What the doctor says when another program starts it, which takes some rights or resources away.
 */
async function examineAs(by: readonly string[], env: Record<string, string>): Promise<Finding[]> {
  const before = { ...process.env };
  const ISSUER = `http://localhost:${proxyPort}`;
  Object.assign(process.env, sharedEnv, { ISSUER, MAIL_URL: '' }, env);
  const [program = '', ...args] = by;
  const command = [process.execPath, resolve(root, 'lib/cli.ts'), 'doctor', '--json'];
  const { stdout } = await run(program, [...args, ...command]).finally(() => {
    process.env = before;
  });
  return (JSON.parse(stdout) as { findings: Finding[] }).findings;
}

test('doctor --letter: reports whether the mail server accepted a test email, or why not', async () => {
  const mails = await MailServer.start();
  try {
    const env = { MAIL_URL: mails.url, MAIL_FROM: 'id@example.org' };
    const to = 'ada@example.org';
    const taken = await examine(env, ['--letter', to]);
    expect(taken.of('letter')).toEqual([
      {
        check: 'letter',
        is: 'fine',
        says: expect.stringContaining(`accepted the test email to ${to}`),
      },
    ]);
    mails.mood('refuses');
    const [refused] = (await examine(env, ['--letter', to])).of('letter');
    expect(refused).toMatchObject({ is: 'trouble', says: expect.stringContaining(to) });
    const [wrong] = (await examine(env, ['--letter', 'ada'])).of('letter');
    expect(wrong).toMatchObject({ is: 'trouble', says: '"ada" is no email address.' });
    const [off] = (await examine({}, ['--letter', to])).of('letter');
    expect(off).toMatchObject({ is: 'trouble', fix: 'Set MAIL_URL and MAIL_FROM.' });
  } finally {
    await mails.stop();
  }
});

test('doctor: without --json it prints one line for each finding, with its fix', async () => {
  const before = { ...process.env };
  Object.assign(process.env, sharedEnv, { DATABASE_URL: `file:${data}/nothing.db` });
  const { stdout, code } = await cli(['doctor']).finally(() => {
    process.env = before;
  });
  expect(stdout).toMatch(
    /^TROUBLE There is no database at .*nothing\.db\.\n {8}→ Run "npm start" once\.$/m,
  );
  expect(code).toBe(2);
});

describe('doctor reports trouble with its fix', () => {
  const expectTrouble = (
    found: Awaited<ReturnType<typeof examine>>,
    check: string,
    says: RegExp,
    fix: RegExp,
  ) => {
    expect(found.code).toBe(2);
    expect(found.of(check)).toContainEqual({
      check,
      is: 'trouble',
      says: expect.stringMatching(says),
      fix: expect.stringMatching(fix),
    });
  };

  test('if nothing answers at ISSUER', async () => {
    const found = await examine({ ISSUER: `http://localhost:${await freePort()}` });
    expectTrouble(found, 'public-address', /Nothing answers at .*ECONNREFUSED/, /ISSUER/);
  });

  test('if another server answers at ISSUER', async () => {
    const port = await listen(createServer((_, answer) => answer.end('{}')));
    const found = await examine({ ISSUER: `http://localhost:${port}` });
    expectTrouble(found, 'public-address', /is not this server/, /proxy/);
  });

  test('if the running server has another ISSUER', async () => {
    const port = await listen(createServer(pass));
    const found = await examine({ ISSUER: `http://localhost:${port}` });
    expectTrouble(found, 'well-known', /names http:\/\/localhost:\d+ instead of/, /Set ISSUER/);
  });

  test('with another server’s issuer shortened and without control characters', async () => {
    const document = { issuer: `\u001b[2J\u202e${'far'.repeat(1000)}` };
    const port = await listen(
      createServer((_, answer) => void answer.end(JSON.stringify(document))),
    );
    const { of } = await examine({ ISSUER: `http://localhost:${port}` });
    for (const { says } of of('well-known')) {
      expect(says).toMatch(/names \s*\[2J\s*(far)+/);
      expect(says).not.toMatch(/\p{C}/u);
      expect(says.length).toBeLessThan(400);
    }
    expect(of('well-known')).not.toEqual([]);
  });

  test('if a proxy is not in TRUSTED_PROXIES', async () => {
    forwarded = { 'x-forwarded-for': '203.0.113.9' };
    const found = await examine();
    expectTrouble(found, 'proxy', /A proxy at .*127\.0\.0\.1 forwards/, /^TRUSTED_PROXIES=/);
  });

  test('if a proxy changes cookies', async () => {
    answered = (headers) => {
      const cookies = [headers['set-cookie'] ?? []].flat();
      headers['set-cookie'] = cookies.map((cookie) =>
        cookie.replace(/;\s*(httponly|samesite=\w+)/gi, ''),
      );
    };
    expectTrouble(await examine(), 'cookies', /without Secure, HttpOnly or SameSite/, /Set-Cookie/);
  });

  test('if cookies at an https address are not Secure', async () => {
    const { key, cert } = selfSigned('localhost');
    const trusted = resolve(data, 'proxy.pem');
    writeFileSync(trusted, cert);
    const port = await listen(createSecureServer({ key, cert }, pass));
    const found = await examine({
      ISSUER: `https://localhost:${port}`,
      NODE_EXTRA_CA_CERTS: trusted,
    });
    expectTrouble(found, 'cookies', /without Secure/, /Set-Cookie/);
    expectTrouble(found, 'well-known', /names http:\/\/localhost/, /Set ISSUER/);
  });

  test('if the clock is off by an hour', async () => {
    answered = (headers) => {
      headers.date = new Date(Date.now() - 3_600_000).toUTCString();
    };
    expectTrouble(await examine(), 'clock', /36\d\d s behind/, /time service/);
  });

  test('if the certificate has expired', async () => {
    const port = await listen(createSecureServer(selfSigned('localhost', '260101000000Z')));
    const found = await examine({ ISSUER: `https://localhost:${port}` });
    expectTrouble(found, 'certificate', /ended on 2026-01-01/, /Renew/);
  });

  test('if a migration is missing', async () => {
    const empty = await createEmptyDatabase('sqlite');
    new BetterSqlite3(empty.slice('file:'.length)).exec('CREATE TABLE something (id TEXT)').close();
    const found = await examine({ DATABASE_URL: empty });
    expectTrouble(found, 'migrations', /changes are missing/, /Restart/);
  });

  test('if the database is of a newer version', async () => {
    const newer = await createDatabase('sqlite');
    new BetterSqlite3(newer.slice('file:'.length))
      .exec(
        "UPDATE _prisma_migrations SET migration_name = '29990101000000_later' WHERE rowid = (SELECT max(rowid) FROM _prisma_migrations)",
      )
      .close();
    expectTrouble(
      await examine({ DATABASE_URL: newer }),
      'database',
      /newer version/,
      /DATABASE_URL/,
    );
  });

  test('if the mail server refuses', async () => {
    const port = await listen(createNetServer((socket) => socket.end('554 no service here\r\n')));
    const found = await examine({
      MAIL_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'id@example.org',
    });
    expectTrouble(found, 'mail', /does not take mail: .*554/, /127\.0\.0\.1/);
  });

  test('if the secret file is readable by others', async () => {
    const file = resolve(data, 'open-secret');
    writeFileSync(file, sharedEnv.SERVER_SECRET, { mode: 0o644 });
    chmodSync(file, 0o644);
    const found = await examine({ SERVER_SECRET: '', SERVER_SECRET_FILE: file });
    expectTrouble(found, 'file-modes', /open-secret \(mode 644\)/, /^chmod go= /);
    chmodSync(file, 0o440);
    const forGroup = await examine({ SERVER_SECRET: '', SERVER_SECRET_FILE: file });
    expect(forGroup.of('file-modes')).toEqual([expect.objectContaining({ is: 'fine' })]);
  });

  test('if a setting has an invalid value', async () => {
    const found = await examine({ PORT: 'many' });
    expectTrouble(found, 'settings', /^PORT is ".*", and has to be a whole number/, /environment/);
  });

  test.skipIf(process.platform !== 'linux')('if the database is read-only', async () => {
    const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-read-only-'));
    try {
      const file = resolve(folder, 'gatehouse.db');
      copyFileSync((await createDatabase('sqlite')).slice('file:'.length), file);
      chmodSync(file, 0o444);
      chmodSync(folder, 0o777);
      const findings = await examineAs(nobody, {
        DATABASE_URL: `file:${file}`,
        DATA_DIR: folder,
        HOME: folder,
        SETTINGS_DIR: folder,
      });
      expect(findings).toContainEqual({
        check: 'database',
        is: 'trouble',
        says: expect.stringMatching(/gatehouse\.db cannot be written by .*EACCES/),
        fix: 'Give the user of the server write access to the file and its folder.',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.skipIf(process.platform !== 'linux')('if the disk is full', async () => {
    // No file may grow, as on a full disk.
    const findings = await examineAs(['prlimit', '--fsize=4096:'], {
      DATABASE_URL: await createDatabase('sqlite'),
      DATA_DIR: data,
    });
    expect(findings).toContainEqual({
      check: expect.stringMatching(/^(database|write)$/),
      is: 'trouble',
      says: expect.any(String),
      fix: expect.stringMatching(/disk/),
    });
  });
});

test('/readyz?verbose shows backups and how a request arrived only with the pass of doctor', async () => {
  const verbose = `http://127.0.0.1:${server.port}/readyz?verbose`;
  for (const pass of ['', `${Date.now()}.AAAA`, '1.2', 'x'.repeat(5000)])
    expect(
      await (await fetch(verbose, { headers: { 'x-gatehouse-doctor': pass } })).json(),
    ).toEqual({ status: 'ok' });
  Object.assign(process.env, sharedEnv);
  const { makeDoctorPass } = await import('#lib/sealed/doctor.ts');
  const ask = async (pass: string) =>
    (await fetch(verbose, { headers: { 'x-gatehouse-doctor': pass } })).json();
  expect(await ask(makeDoctorPass(new Date()))).toMatchObject({
    backup: { scheduled: false },
    arrived: { peer: '127.0.0.1' },
  });
  expect(await ask(makeDoctorPass(new Date(Date.now() - 120_000)))).not.toHaveProperty('arrived');
});

test('doctor: a slow disk is judged by three writes, one of which may be slow', () => {
  expect(judgeWrites([900, 3, 4])).toMatchObject({ is: 'fine' });
  expect(judgeWrites([900, 3, 400])).toMatchObject({
    is: 'warning',
    says: 'Three writes were on disk after 900, 3, 400 ms.',
  });
});

test('doctor: memory used by the file cache counts as free', () => {
  const stat = 'anon 9\nfile 70\ninactive_anon 9\ninactive_file 30\nactive_file 40\nshmem 9\n';
  expect([leftWithin(5, stat), leftWithin(5, '')]).toEqual([75, 5]);
  expect(judgeMemory(100 * megabyte, 512 * megabyte)).toMatchObject({
    is: 'warning',
    says: '100 MB of 512 MB of memory are free.',
  });
  expect(judgeMemory(200 * megabyte, 512 * megabyte)).toMatchObject({ is: 'fine' });
});

test('doctor: in a container, its memory limit counts instead of the machine’s memory', async () => {
  const before = { ...process.env };
  onTestFinished(() => {
    process.env = before;
    vi.restoreAllMocks();
  });
  workOn(databaseUrl);
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(64 * megabyte);
  vi.spyOn(process, 'availableMemory').mockReturnValue(20 * megabyte);
  const found = (await examineMachine()).find(({ check }) => check === 'memory');
  await endWork();
  expect(found).toMatchObject({ is: 'warning', says: expect.stringContaining(' of 64 MB of ') });
});

test('doctor: a first backup that is still being made is fine; one that is overdue is trouble', async () => {
  const BACKUP_DIR = resolve(data, 'first');
  const now = await examine({ BACKUP_DIR });
  expect(now.of('backups')).toEqual([
    {
      check: 'backups',
      is: 'fine',
      says: `There is no backup in ${BACKUP_DIR} yet. The first one is being made.`,
    },
  ]);
  const db = new BetterSqlite3(databaseUrl.slice('file:'.length));
  const before = db.prepare('SELECT started_at FROM operator_settings').pluck().get();
  db.prepare('UPDATE operator_settings SET started_at = started_at - 1200000').run();
  const later = await examine({ BACKUP_DIR });
  db.prepare('UPDATE operator_settings SET started_at = ?').run(before);
  db.close();
  expect(later.of('backups')).toMatchObject([{ is: 'trouble' }]);
});

test('doctor: a backup with a time in the future is reported and not counted', async () => {
  const BACKUP_DIR = resolve(data, 'ahead');
  mkdirSync(BACKUP_DIR);
  const [last, ahead] = [-3_600_000, 86_400_000].map((from) =>
    backupName(new Date(Date.now() + from)),
  );
  for (const name of [last, ahead]) writeFileSync(resolve(BACKUP_DIR, String(name)), '');
  expect((await examine({ BACKUP_DIR })).of('backups')).toEqual([
    {
      check: 'backups',
      is: 'warning',
      says: `The last backup in ${BACKUP_DIR} is 1 hours old. Not counted, because a clock was ahead and their time is in the future: “${ahead}”.`,
      fix: expect.stringContaining('Check the clocks'),
    },
  ]);
});

test('doctor: apps weaker than the security profile demands are counted and named', async () => {
  expect((await examine()).of('apps')).toMatchObject([{ is: 'fine' }]);
  const db = new BetterSqlite3(databaseUrl.slice('file:'.length));
  db.prepare(
    `INSERT INTO clients (id, name, type, grants, created_at, updated_at)
     VALUES ('weak', 'Old wiki', 'confidential', 'authorization_code', $at, $at)`,
  ).run({ at: Date.now() });
  const demanding = await examine({ SECURITY_PROFILE: 'fapi' });
  db.prepare("DELETE FROM clients WHERE id = 'weak'").run();
  db.close();
  expect(demanding.of('apps')).toEqual([
    {
      check: 'apps',
      is: 'warning',
      says: '1 app cannot work, because strong clients (FAPI 2.0) are required: “Old wiki”.',
      fix: expect.stringContaining('client update ID --strong off'),
    },
  ]);
});

test('doctor: agents without an owner who may sign in are named', async () => {
  expect((await examine()).of('agents')).toMatchObject([{ is: 'fine' }]);
  const db = new BetterSqlite3(databaseUrl.slice('file:'.length));
  const at = Date.now();
  db.exec(`
    INSERT INTO users (id, username, username_key, email, email_key, password_hash, created_at, updated_at)
      VALUES ('owner', 'owner', 'owner', 'owner@example.org', 'owner@example.org', 'x', ${at}, ${at});
    INSERT INTO clients (id, name, type, grants, agent, created_at, updated_at)
      VALUES ('agent', 'Trip agent', 'confidential', 'authorization_code', 1, ${at}, ${at});
    INSERT INTO client_contacts (client_id, user_id, owner, created_at) VALUES ('agent', 'owner', 1, ${at});
  `);
  const owned = await examine();
  db.exec(`UPDATE users SET disabled_at = ${at} WHERE id = 'owner'`);
  const left = await examine();
  db.exec("DELETE FROM clients WHERE id = 'agent'; DELETE FROM users WHERE id = 'owner'");
  db.close();
  expect(owned.of('agents')).toMatchObject([{ is: 'fine' }]);
  expect(left.of('agents')).toMatchObject([
    { is: 'warning', says: expect.stringContaining('“Trip agent”') },
  ]);
});

test('doctor: apps that sign-outs do not reach are named, with what they answered', async () => {
  expect((await examine()).of('logouts')).toMatchObject([{ is: 'fine' }]);
  const db = new BetterSqlite3(databaseUrl.slice('file:'.length));
  const at = Date.now();
  db.exec(`
    INSERT INTO clients (id, name, type, grants, backchannel_logout_uri, created_at, updated_at)
      VALUES ('deaf', 'Deaf app', 'confidential', 'authorization_code', 'https://app.example/bye', ${at}, ${at});
    INSERT INTO logout_deliveries (session_hash, client_id, user_id, attempts, next_at, failure, failed_at)
      VALUES ('one', 'deaf', 'nobody', 1, ${at + 3_600_000}, '503', ${at}),
        ('two', 'deaf', 'nobody', 1, ${at + 1_800_000}, '500', ${at - 1000});
  `);
  const failing = await examine();
  db.exec("UPDATE clients SET backchannel_logout_uri = NULL WHERE id = 'deaf'");
  const without = await examine();
  db.exec("DELETE FROM logout_deliveries; DELETE FROM clients WHERE id = 'deaf'");
  db.close();
  const next = new Date(at + 1_800_000).toISOString();
  expect(failing.of('logouts')).toMatchObject([
    { is: 'warning', says: expect.stringContaining('“Deaf app” answered 503') },
  ]);
  expect(failing.of('logouts')[0]?.says).toContain(`next try ${next}`);
  expect(without.of('logouts')).toMatchObject([{ is: 'fine' }]);
});

test('doctor: passkeys of an earlier ISSUER are counted', async () => {
  const none = await examine();
  expect(none.of('issuer')).toMatchObject([{ is: 'fine' }]);
  const db = new BetterSqlite3(databaseUrl.slice('file:'.length));
  const at = Date.now() - 60_000;
  db.prepare(
    `INSERT INTO users (id, username, username_key, email, email_key, password_hash, created_at, updated_at)
     VALUES ('moved', 'moved', 'moved', 'moved@example.org', 'moved@example.org', 'x', $at, $at)`,
  ).run({ at });
  db.prepare(
    `INSERT INTO passkeys (id, user_id, name, public_key, counter, aaguid, rp_id, created_at)
     VALUES ('moved', 'moved', 'Phone', 'x', 0, 'x', 'id.old.example', $at)`,
  ).run({ at });
  const moved = await examine();
  db.prepare("DELETE FROM users WHERE id = 'moved'").run();
  db.close();
  expect(moved.of('issuer')).toEqual([
    {
      check: 'issuer',
      is: 'warning',
      says: `ISSUER is http://localhost:${proxyPort}. 1 passkey cannot work here, because browsers bind them to their host (id.old.example).`,
      fix: 'docs/change-address.md says what to do for each.',
    },
  ]);
});

test('doctor: a mail server without sign-in is not said to accept one', async () => {
  const mail = await MailServer.start();
  const MAIL_URL = `smtp://${new URL(mail.url).host}`;
  const { of } = await examine({ MAIL_URL, MAIL_FROM: 'id@example.org' });
  await mail.stop();
  expect(of('mail')).toMatchObject([
    { is: 'fine', says: expect.stringMatching(/answers\. No user name is set/) },
  ]);
});
