import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newAppPasswordOf } from '../support/app-passwords.ts';
import { selfSigned } from '../support/certificate.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { freePort } from '../support/free-port.ts';
import { namedGroup } from '../support/groups.ts';
import { newLdapApp, openLdapServer } from '../support/ldap.ts';
import { newUser, type TestUser } from '../support/seed.ts';

/*
 * Accounts of a Linux machine, and RADIUS, which come from this server. Each program sees files of
 * its own at the places that it has for them, in a mount namespace.
 */

const run = promisify(execFile);
const tls = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'));
chmodSync(tls, 0o755);
// OpenLDAP’s library takes localhost for the name of the machine.
const { key, cert } = selfSigned(hostname());
writeFileSync(join(tls, 'key.pem'), key);
writeFileSync(join(tls, 'cert.pem'), cert);
const securePort = await freePort();
await openLdapServer({
  LDAP_POSIX: 'on',
  LDAP_HOST: 'localhost',
  LDAPS_PORT: String(securePort),
  LDAP_CERTIFICATE: join(tls, 'cert.pem'),
  LDAP_KEY: join(tls, 'key.pem'),
});
const uri = `ldaps://localhost:${securePort}`;
/** A container may be root and still not allowed to. */
const mayMount =
  process.getuid?.() === 0 &&
  (await run('unshare', ['--mount', 'true']).then(
    () => true,
    () => false,
  ));

let app: Awaited<ReturnType<typeof newLdapApp>>;
let member: TestUser;
let appPassword = '';

beforeAll(async () => {
  app = await newLdapApp({ appPasswords: true });
  member = await newUser({ name: 'Anna Berg' });
  await namedGroup('staff', member);
  appPassword = await newAppPasswordOf(member, app);
});

/** The answers of commands in a mount namespace, where a daemon of these files runs meanwhile. */
async function onMachine(files: Record<string, string>, script: string): Promise<string> {
  const at = mkdtempSync(join(tmpdir(), 'gatehouse-machine-'));
  chmodSync(at, 0o755);
  const mounts: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const own = join(at, path.replaceAll('/', '_'));
    writeFileSync(own, text, { mode: /sssd|nslcd/.test(path) ? 0o600 : 0o644 });
    mounts.push(`[ -e ${path} ] || touch ${path}`, `mount --bind ${own} ${path}`);
  }
  const begin = [
    'set -e',
    'mkdir -p /run/nslcd /var/lib/sss /etc/sssd',
    'mount -t tmpfs tmpfs /etc/pam.d && mount -t tmpfs tmpfs /etc/sssd && mount -t tmpfs tmpfs /run/nslcd && mount -t tmpfs tmpfs /var/lib/sss',
    'mkdir -p /var/lib/sss/db /var/lib/sss/mc /var/lib/sss/pipes/private /var/lib/sss/pubconf/krb5.include.d /var/lib/sss/secrets /var/lib/sss/keytabs',
    ...mounts,
    'set +e',
  ];
  const whole = `${begin.join('\n')}\n${script}`;
  const args = ['--mount', '--propagation', 'private', 'bash', '-c', whole];
  const { stdout } = await run('unshare', args, { timeout: 60_000 });
  return stdout;
}

/** Waits for a person, then signs in with a right and a wrong password, as \`login\` would. */
const logIn = (login: string, secret: string) => `
for try in $(seq 100); do getent passwd ${login} > /dev/null && break; sleep 0.2; done
getent passwd ${login} | cut -d: -f1,5,6,7
id -nG ${login}
for password in '${secret}' 'wrong password'; do
  echo "$password" | pamtester gatehouse ${login} authenticate acct_mgmt open_session 2>&1 | tail -1
done
su ${login} -s /bin/sh -c 'whoami' 2> /dev/null
`;

const names = (module: string) =>
  `passwd: files ${module}\ngroup: files ${module}\nshadow: files\nhosts: files dns\n`;
const pam = (module: string) =>
  `auth required ${module}\naccount required ${module}\npassword required ${module}\nsession required pam_permit.so\n`;
const su =
  'auth sufficient pam_rootok.so\naccount required pam_permit.so\nsession required pam_permit.so\n';

const answered = () => [
  `${member.username}:Anna Berg:/home/${member.username}:/bin/bash`,
  expect.stringContaining('staff'),
  expect.stringMatching(/successfully/),
  expect.stringMatching(/Authentication failure/),
  member.username,
];

describe.runIf(
  mayMount && (await haveDebianPackages('sssd', 'libnss-sss', 'libpam-sss', 'pamtester')),
)('sssd', () => {
  test('knows people and groups, and logs a person in by their app password', async () => {
    const conf = `[sssd]
services = nss, pam
domains = gatehouse
[nss]
[pam]
[domain/gatehouse]
id_provider = ldap
auth_provider = ldap
access_provider = permit
ldap_uri = ${uri}
ldap_tls_cacert = ${tls}/cert.pem
ldap_search_base = ${app.dn}
ldap_default_bind_dn = ${app.dn}
ldap_default_authtok = ${app.secret}
ldap_schema = rfc2307bis
ldap_group_object_class = posixGroup
ldap_group_member = member
ldap_user_uuid = entryUUID
ldap_group_uuid = entryUUID
auto_private_groups = true
cache_credentials = false
`;
    const files = {
      '/etc/nsswitch.conf': names('sss'),
      '/etc/pam.d/gatehouse': pam('pam_sss.so'),
      '/etc/pam.d/su': su,
      '/etc/sssd/sssd.conf': conf,
    };
    const script = `sssd -i --logger=stderr 2> /dev/null & daemon=$!\n${logIn(member.username, appPassword)}\nkill $daemon; wait $daemon 2> /dev/null; exit 0`;
    const lines = (await onMachine(files, script)).trim().split('\n');
    expect(lines).toEqual(answered());
  });
});

describe.runIf(
  mayMount && (await haveDebianPackages('nslcd', 'libnss-ldapd', 'libpam-ldapd', 'pamtester')),
)('nslcd with libnss-ldapd and libpam-ldapd', () => {
  test('knows people and groups, and logs a person in by their app password', async () => {
    const conf = `uid nslcd
gid nslcd
uri ${uri}
base ${app.dn}
binddn ${app.dn}
bindpw ${app.secret}
tls_reqcert demand
tls_cacertfile ${tls}/cert.pem
nss_min_uid 1000
`;
    const files = {
      '/etc/nsswitch.conf': names('ldap'),
      '/etc/pam.d/gatehouse': pam('pam_ldap.so'),
      '/etc/pam.d/su': su,
      '/etc/nslcd.conf': conf,
    };
    const script = `chown nslcd /run/nslcd; nslcd -n 2> /dev/null & daemon=$!\n${logIn(member.username, appPassword)}\nkill $daemon; wait $daemon 2> /dev/null; exit 0`;
    const lines = (await onMachine(files, script)).trim().split('\n');
    expect(lines).toEqual(answered());
  });
});

describe.runIf(await haveDebianPackages('freeradius', 'freeradius-ldap', 'freeradius-utils'))(
  'FreeRADIUS',
  () => {
    test('answers RADIUS for people with an app password', async () => {
      const at = mkdtempSync(join(tmpdir(), 'gatehouse-radius-'));
      const port = await freePort();
      mkdirSync(join(at, 'run'));
      writeFileSync(join(at, 'dictionary'), '');
      writeFileSync(
        join(at, 'radiusd.conf'),
        `prefix = /usr
name = radiusd
raddbdir = ${at}
logdir = ${at}
run_dir = ${at}/run
db_dir = ${at}
libdir = /usr/lib/freeradius
pidfile = ${at}/run/pid
modules {
  ldap {
    server = '${uri}'
    identity = '${app.dn}'
    password = ${app.secret}
    base_dn = '${app.dn}'
    user {
      base_dn = "ou=people,${app.dn}"
      filter = "(uid=%{%{Stripped-User-Name}:-%{User-Name}})"
    }
    tls {
      ca_file = ${tls}/cert.pem
      require_cert = 'demand'
    }
    pool {
      start = 1
      min = 1
      max = 4
      spare = 1
    }
  }
}
client here {
  ipaddr = 127.0.0.1
  secret = testing
}
server default {
  listen {
    type = auth
    ipaddr = 127.0.0.1
    port = ${port}
  }
  authorize {
    ldap
    if (ok || updated) {
      update control {
        Auth-Type := ldap
      }
    }
  }
  authenticate {
    Auth-Type ldap {
      ldap
    }
  }
}
`,
      );
      const daemon = execFile('freeradius', [
        '-f',
        '-l',
        join(at, 'log'),
        '-d',
        at,
        '-n',
        'radiusd',
      ]);
      onTestFinished(() => void daemon.kill());
      const ask = async (login: string, secret: string) => {
        const input = `User-Name = "${login}", User-Password = "${secret}"`;
        const asked = run('radclient', [
          '-r',
          '20',
          '-t',
          '1',
          `127.0.0.1:${port}`,
          'auth',
          'testing',
        ]);
        asked.child.stdin?.end(input);
        const { stdout, stderr } = await asked.catch((error) => error);
        return /Access-(Accept|Reject)/.exec(stdout + stderr)?.[1] ?? stdout + stderr;
      };
      expect(await ask(member.username, appPassword)).toBe('Accept');
      expect(await ask(member.username, 'wrong')).toBe('Reject');
      expect(await ask('nobody', appPassword)).toBe('Reject');
    });
  },
);

describe.runIf(await haveDebianPackages('postfix', 'postfix-ldap'))('Postfix', () => {
  test('looks up whose an address is', async () => {
    const at = mkdtempSync(join(tmpdir(), 'gatehouse-postfix-'));
    writeFileSync(join(at, 'main.cf'), 'compatibility_level = 3.6\n');
    writeFileSync(
      join(at, 'people.cf'),
      `server_host = ${uri}
version = 3
bind = yes
bind_dn = ${app.dn}
bind_pw = ${app.secret}
tls_ca_cert_file = ${tls}/cert.pem
tls_require_cert = yes
search_base = ou=people,${app.dn}
query_filter = (mail=%s)
result_attribute = uid
`,
    );
    const ask = async (address: string) => {
      const args = ['-c', at, '-q', address, `ldap:${at}/people.cf`];
      const { stdout } = await run('/usr/sbin/postmap', args).catch((error) => error);
      return stdout.trim();
    };
    expect(await ask(member.email)).toBe(member.username);
    expect(await ask('nobody@example.com')).toBe('');
  });
});
