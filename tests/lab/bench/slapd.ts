import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import type { Crowded } from './ldap.ts';

const base = 'dc=example,dc=org';
const secret = 'reads';
const program = '/usr/sbin/slapd';

type Crowd = { folder: string; people: number; groupsOfEach: number; owners: number };

/** OpenLDAP with the people and groups of `crowd`; null: it is not installed. */
export async function startCrowdedSlapd({
  folder,
  people,
  groupsOfEach,
  owners,
}: Crowd): Promise<Crowded | null> {
  if (!existsSync(program)) return null;
  const at = join(folder, 'slapd');
  mkdirSync(join(at, 'data'), { recursive: true });
  writeFileSync(join(at, 'slapd.conf'), configuration(at));
  const ldif = join(at, 'crowd.ldif');
  const file = createWriteStream(ldif);
  file.write(tree);
  for (let number = 1; number <= people; number++)
    if (!file.write(person(number, groupsOfEach, number <= owners))) await once(file, 'drain');
  file.end();
  await once(file, 'finish');
  execFileSync('/usr/sbin/slapadd', ['-q', '-f', join(at, 'slapd.conf'), '-l', ldif]);
  const port = await freePort();
  const args = [
    '-c',
    '0',
    program,
    '-d',
    '0',
    '-h',
    `ldap://127.0.0.1:${port}`,
    '-f',
    join(at, 'slapd.conf'),
  ];
  const child = spawn('taskset', args, { stdio: 'ignore' });
  process.once('exit', () => child.kill());
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const came = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (came) break;
  }
  return {
    name: 'OpenLDAP',
    port,
    pid: child.pid ?? 0,
    base,
    reader: { dn: `cn=admin,${base}`, password: secret },
    passwordOf: (number) => `password ${number}`,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const configuration = (folder: string) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
pidfile ${folder}/pid
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
sizelimit unlimited
database mdb
maxsize 4294967296
suffix "${base}"
rootdn "cn=admin,${base}"
rootpw "${secret}"
directory ${folder}/data
index objectClass,uid,mail,cn,memberOf eq
overlay memberof
`;

const tree = `
dn: ${base}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ou=people,${base}
objectClass: organizationalUnit
ou: people
`;

function person(number: number, groupsOfEach: number, hasPassword: boolean): string {
  const groups = Array.from(
    { length: groupsOfEach },
    (_, nth) => `group-${(number + 83 * nth) % 100}`,
  );
  return `
dn: uid=crowd${number},ou=people,${base}
objectClass: inetOrgPerson
uid: crowd${number}
cn: Crowd ${number}
sn: ${number}
mail: crowd${number}@example.com
${hasPassword ? `userPassword: password ${number}\n` : ''}${['everybody', ...groups].map((name) => `memberOf: cn=${name},ou=groups,${base}\n`).join('')}`;
}
