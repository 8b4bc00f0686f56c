import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { namedGroup } from '../support/groups.ts';
import { newLdapApp, openLdapServer } from '../support/ldap.ts';
import { newUser, password, type TestUser } from '../support/seed.ts';

const run = promisify(execFile);
const { ldap } = await openLdapServer();
const asRoot = process.getuid?.() === 0;

let app: Awaited<ReturnType<typeof newLdapApp>>;
let member: TestUser;
let other: TestUser;

beforeAll(async () => {
  app = await newLdapApp({ ldapPasswords: true });
  member = await newUser({ name: 'Anna Berg' });
  other = await newUser();
  await namedGroup('staff', member);
});

/** A folder that every user of the machine can enter. */
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-ldap-'));
  chmodSync(path, 0o755);
  return path;
}

/** Starts a program in the foreground, and ends it after the test. */
function start(program: string, args: string[]): void {
  const child = spawn(program, args, { stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await Promise.race([once(child, 'exit'), pause(5000)]);
  });
}

/** Asks until there is an answer. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      return await ask();
    } catch (error) {
      if (tries > 40) throw error;
      await pause(250);
    }
}

const modules = '/usr/lib/apache2/modules';
const apache = '/usr/sbin/apache2';

describe.runIf(asRoot && existsSync(apache) && existsSync(`${modules}/mod_authnz_ldap.so`))(
  'Apache’s mod_authnz_ldap',
  () => {
    test('lets in a member of a group by their password, and nobody else', async () => {
      const at = folder();
      const port = await freePort();
      mkdirSync(`${at}/site`);
      writeFileSync(`${at}/site/index.html`, 'inside');
      const names = 'mpm_event authn_core authz_core authz_user auth_basic ldap authnz_ldap dir';
      writeFileSync(
        `${at}/apache.conf`,
        `ServerRoot ${at}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${at}/apache.pid
ErrorLog ${at}/error.log
${names
  .split(' ')
  .map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`)
  .join('\n')}
User www-data
Group www-data
DocumentRoot ${at}/site
<Location />
  AuthType Basic
  AuthName "Private"
  AuthBasicProvider ldap
  AuthLDAPURL "${ldap.url}/ou=people,${app.dn}?uid?sub?(objectClass=inetOrgPerson)"
  AuthLDAPBindDN "${app.dn}"
  AuthLDAPBindPassword "${app.secret}"
  Require ldap-group cn=staff,ou=groups,${app.dn}
</Location>
`,
      );
      start(apache, ['-f', `${at}/apache.conf`, '-DFOREGROUND']);
      const ask = async (name: string, secret: string) => {
        const authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
        return (await fetch(`http://127.0.0.1:${port}/`, { headers: { authorization } })).status;
      };
      expect(await answered(() => ask(member.username, password))).toBe(200);
      expect(await ask(member.username, 'wrong')).toBe(401);
      expect(await ask(other.username, password)).toBe(401);
      expect(await ask('nobody', password)).toBe(401);
    });
  },
);

const dovecot = '/usr/sbin/dovecot';
const dovecotLdap = '/usr/lib/dovecot/modules/auth/libauthdb_ldap.so';

describe.runIf(asRoot && existsSync(dovecot) && existsSync(dovecotLdap))('Dovecot', () => {
  test('signs a person in by name or address, and looks up who there is', async () => {
    const at = folder();
    const conf = `${at}/dovecot.conf`;
    writeFileSync(
      `${at}/ldap.conf`,
      `uris = ${ldap.url}
dn = ${app.dn}
dnpass = ${app.secret}
base = ou=people,${app.dn}
ldap_version = 3
auth_bind = yes
pass_filter = (&(objectClass=inetOrgPerson)(|(uid=%u)(mail=%u)))
pass_attrs = uid=user
user_filter = (&(objectClass=inetOrgPerson)(|(uid=%u)(mail=%u)))
user_attrs = uid=user,mail=mail_address
`,
    );
    writeFileSync(
      conf,
      `base_dir = ${at}/run
state_dir = ${at}/state
log_path = ${at}/log
protocols =
ssl = no
passdb {
  driver = ldap
  args = ${at}/ldap.conf
}
userdb {
  driver = ldap
  args = ${at}/ldap.conf
  default_fields = uid=nobody gid=nogroup home=${at}
}
`,
    );
    start(dovecot, ['-F', '-c', conf]);
    const signIn = async (name: string, secret: string) => {
      const args = ['-c', conf, 'auth', 'test', '-a', `${at}/run/auth-client`, name, secret];
      const { stdout } = await run('doveadm', args).catch((error) => error);
      return /auth succeeded/.test(stdout)
        ? 'in'
        : /auth failed/.test(stdout)
          ? 'out'
          : 'no answer';
    };
    const first = await answered(async () => {
      const result = await signIn(member.username, password);
      if (result === 'no answer') throw new Error(result);
      return result;
    });
    expect(first).toBe('in');
    expect(await signIn(member.email, password)).toBe('in');
    expect(await signIn(member.username, 'wrong')).toBe('out');
    const user = await run('doveadm', ['-c', conf, 'user', member.email]);
    expect(user.stdout).toContain(member.email);
  });
});
