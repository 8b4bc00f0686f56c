import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

export const base = 'dc=example,dc=org';
export const people = `ou=people,${base}`;
export const readerDn = `cn=gatehouse,${base}`;
const adminDn = `cn=admin,${base}`;
const secret = 'reads and writes';

/** An OpenLDAP server with TLS from its own certificate authority, nested groups and `memberOf`. */
export type Slapd = {
  /** The address that starts without TLS. */
  plain: string;
  tls: string;
  /** The certificate authority's file. */
  caFile: string;
  readerPasswordFile: string;
  folder: string;
  /** Adds, changes or deletes entries (LDIF). */
  modify: (ldif: string) => Promise<void>;
  idOf: (dn: string) => Promise<string>;
  stop: () => Promise<void>;
};

/** Starts an OpenLDAP server. @param name the host name in its certificate */
export async function startSlapd(name = 'localhost'): Promise<Slapd> {
  const folder = mkdtempSync(join(tmpdir(), 'slapd-'));
  await makeCertificates(folder, name);
  const port = await freePort();
  const tlsPort = await freePort();
  const plain = `ldap://localhost:${port}`;
  const tls = `ldaps://localhost:${tlsPort}`;
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'windows.schema'), windowsSchema);
  writeFileSync(join(folder, 'slapd.conf'), configuration(folder));
  const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${tlsPort}`;
  const child = spawn('slapd', ['-d', '0', '-h', urls, '-f', join(folder, 'slapd.conf')], {
    stdio: 'ignore',
  });
  await untilItListens(port, child);
  const modify = async (ldif: string) => {
    const file = join(folder, 'change.ldif');
    writeFileSync(file, ldif);
    await run('ldapmodify', [
      '-x',
      '-H',
      `ldap://127.0.0.1:${port}`,
      '-D',
      adminDn,
      '-w',
      secret,
      '-a',
      '-f',
      file,
    ]);
  };
  const readerPasswordFile = join(folder, 'reader-password');
  writeFileSync(readerPasswordFile, `${secret}\n`);
  await modify(tree);
  const asAdmin = ['-x', '-LLL', '-H', `ldap://127.0.0.1:${port}`, '-D', adminDn, '-w', secret];
  return {
    plain,
    tls,
    caFile: join(folder, 'ca.pem'),
    readerPasswordFile,
    folder,
    modify,
    idOf: async (dn) => {
      const { stdout } = await run('ldapsearch', [...asAdmin, '-b', dn, '-s', 'base', 'entryUUID']);
      return /entryUUID: (\S+)/.exec(stdout)?.[1] ?? '';
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilItListens(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`slapd ended with ${child.exitCode}.`);
    const socket = connect(port, '127.0.0.1');
    const came = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (came) return;
  }
}

async function makeCertificates(folder: string, name: string): Promise<void> {
  const at = (file: string) => join(folder, file);
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await run('openssl', [
    'req',
    '-x509',
    ...ec,
    '-days',
    '2',
    '-subj',
    '/CN=Test CA',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
  ]);
  await run('openssl', [
    'req',
    ...ec,
    '-subj',
    `/CN=${name}`,
    '-keyout',
    at('server.key'),
    '-out',
    at('server.csr'),
  ]);
  writeFileSync(at('san'), `subjectAltName=DNS:${name}\n`);
  await run('openssl', [
    'x509',
    '-req',
    '-in',
    at('server.csr'),
    '-CA',
    at('ca.pem'),
    '-CAkey',
    at('ca.key'),
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    at('san'),
    '-out',
    at('server.pem'),
  ]);
}

const configuration = (folder: string) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
include ${folder}/windows.schema
pidfile ${folder}/pid
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
TLSCACertificateFile ${folder}/ca.pem
TLSCertificateFile ${folder}/server.pem
TLSCertificateKeyFile ${folder}/server.key
# As careless as a server can be: it says yes to a name without a password.
allow bind_anon_cred bind_anon_dn
database mdb
maxsize 268435456
suffix "${base}"
rootdn "${adminDn}"
rootpw "${secret}"
directory ${folder}/data
overlay memberof
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${readerDn}" read by dn.exact="${adminDn}" write by * none
`;

/** The part of Active Directory's schema for people that is needed here. */
const windowsSchema = `
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.656 NAME 'userPrincipalName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.782 NAME 'objectCategory' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
objectclass ( 1.2.840.113556.1.5.9 NAME 'user' SUP inetOrgPerson STRUCTURAL MUST ( objectGUID $ sAMAccountName ) MAY ( userAccountControl $ userPrincipalName $ objectCategory ) )
`;

/** The password of everybody in this directory. */
export const ldapPassword = 'kept in the directory 1';

const person = (uid: string, more = '') => `
dn: uid=${uid},${people}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid} of the directory
sn: ${uid}
mail: ${uid}@people.example.org
userPassword: ${ldapPassword}
${more}`;

/** The LDIF of another person. */
export const personLdif = person;

/** The LDIF of a person in Active Directory; `control` says whether the account is disabled (2). */
export const windowsPersonLdif = (name: string, control: number) => `
dn: cn=${name},${people}
objectClass: user
objectCategory: person
objectGUID:: ${randomBytes(16).toString('base64')}
sAMAccountName: ${name}
userAccountControl: ${control}
cn: ${name}
sn: ${name}
displayName: ${name} of Windows
mail: ${name}@people.example.org
userPassword: ${ldapPassword}
`;

const group = (name: string, member: string) => `
dn: cn=${name},ou=groups,${base}
objectClass: groupOfNames
cn: ${name}
member: ${member}
`;

const tree = `
dn: ${base}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ${readerDn}
objectClass: applicationProcess
objectClass: simpleSecurityObject
cn: gatehouse
userPassword: ${secret}

dn: ${people}
objectClass: organizationalUnit
ou: people

dn: ou=groups,${base}
objectClass: organizationalUnit
ou: groups
${['ada', 'bea', 'cleo', 'dora', 'emma'].map((uid) => person(uid)).join('\n')}
${person('odd', 'departmentNumber: R&D')}
${person('twin-1', 'mail: twin@people.example.org')}
${person('twin-2', 'mail: twin@people.example.org')}
${group('inner', `uid=ada,${people}`)}
${group('outer', `cn=inner,ou=groups,${base}`)}
${group('round', `cn=outer,ou=groups,${base}`)}
dn: cn=outer,ou=groups,${base}
changetype: modify
add: member
member: cn=round,ou=groups,${base}

dn: uid=elsewhere,${people}
changetype: add
objectClass: referral
objectClass: extensibleObject
uid: elsewhere
ref: ldap://127.0.0.1:1/uid=elsewhere,${people}
`;

/** Writes a directories file, in the folder of the server. */
export function directoriesFile(slapd: Slapd, servers: readonly string[], more = ''): string {
  const file = join(slapd.folder, `directories-${Math.random().toString(36).slice(2)}.yaml`);
  writeFileSync(file, directoriesYaml(slapd, servers, more));
  return file;
}

export const directoriesYaml = (slapd: Slapd, servers: readonly string[], more = '') => `
directories:
  - id: staff
    name: Example AG
    servers: [${servers.join(', ')}]
    ca_file: ${slapd.caFile}
    bind_dn: ${readerDn}
    bind_password_file: ${slapd.readerPasswordFile}
    people:
      base: ${people}
      verified_domains: [people.example.org]
    groups:
      map:
        "cn=inner,ou=groups,${base}": Inner
        "cn=outer,ou=groups, ${base.toUpperCase()}": [Outer]
${more}`;
