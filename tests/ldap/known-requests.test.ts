import { beforeAll, expect, test } from 'vitest';
import { namedGroup } from '../support/groups.ts';
import { connect, newLdapApp, openLdapServer } from '../support/ldap.ts';
import { newUser, type TestUser } from '../support/seed.ts';

/*
 * What programs are known to ask that cannot be run in tests, from their source and documentation.
 * APP is the base DN of the app, NAME and MAIL are a person's, GROUP is the DN of a group of theirs.
 */

const { ldap } = await openLdapServer({ LDAP_POSIX: 'on' });

let app: Awaited<ReturnType<typeof newLdapApp>>;
let person: TestUser;

beforeAll(async () => {
  app = await newLdapApp();
  person = await newUser({
    name: 'Anna Berg',
    claims: { given_name: 'Anna', family_name: 'Berg', phone_number: '+49 30 123456' },
  });
  await newUser();
  await namedGroup('media', person);
  await namedGroup('others');
});

type Known = {
  base?: string;
  scope?: 'base' | 'one' | 'sub';
  filter: string;
  attributes?: string[];
  /** The DNs that are found, in the same words. */
  finds: string[];
};

const them = 'uid=NAME,ou=people,APP';
const posix = 'uid uidNumber gidNumber cn homeDirectory loginShell gecos';
const trueNas =
  'objectClass uid userPassword uidNumber gidNumber gecos homeDirectory loginShell krbPrincipalName cn memberOf entryUUID objectSID modifyTimestamp entryUSN shadowLastChange shadowMin shadowMax shadowWarning shadowInactive shadowExpire shadowFlag krbLastPwdChange krbPasswordExpiration pwdAttribute authorizedService accountExpires userAccountControl nsAccountLock host rhost loginDisabled loginExpirationTime loginAllowedTimeMap sshPublicKey userCertificate;binary mail';

const known: Record<string, Known> = {
  'Jellyfin: who signs in': {
    base: 'ou=people,APP',
    filter: '(&(memberOf=GROUP)(|(uid=NAME)(mail=NAME)))',
    attributes: ['uid', 'mail'],
    finds: [them],
  },
  'Jellyfin: whether they are an admin': {
    base: them,
    scope: 'base',
    filter: '(memberOf=cn=media-admins,ou=groups,APP)',
    finds: [],
  },
  'Nextcloud: who signs in': {
    filter: '(&(objectclass=inetOrgPerson)(|(uid=NAME)(mail=MAIL)))',
    attributes: [
      'entryuuid',
      'nsuniqueid',
      'objectguid',
      'guid',
      'ipauniqueid',
      'dn',
      'uid',
      'samaccountname',
      'memberof',
      'mail',
      'displayname',
      'jpegphoto',
      'thumbnailphoto',
    ],
    finds: [them],
  },
  'Nextcloud: whether there is memberOf': {
    filter: '(&(|(objectclass=person))(|(memberof=*)))',
    finds: [them],
  },
  'Nextcloud: groups': {
    base: 'ou=groups,APP',
    filter: '(&(|(objectclass=groupOfUniqueNames))(|(cn=media)(cn=family)))',
    attributes: ['cn', 'dn', 'uniquemember'],
    finds: ['GROUP'],
  },
  'Nextcloud: groups of a person': {
    filter: '(&(objectClass=groupOfNames)(member=uid=NAME,ou=people,APP))',
    finds: ['GROUP'],
  },
  'Synology: an account': {
    filter: '(&(objectClass=posixAccount)(uid=NAME))',
    attributes: posix.split(' '),
    finds: [them],
  },
  'Synology: members by name': {
    filter: '(&(objectClass=posixGroup)(memberUid=NAME))',
    attributes: ['cn', 'gidNumber', 'memberUid'],
    finds: ['GROUP'],
  },
  'TrueNAS: an account, with 35 attributes': {
    filter: '(&(uid=NAME)(objectclass=posixAccount)(&(uidNumber=*)(!(uidNumber=0))))',
    attributes: trueNas.split(' '),
    finds: [them],
  },
  'UniFi: people': {
    base: 'ou=people,APP',
    filter: '(&(objectClass=person)(mail=MAIL))',
    attributes: ['entryUUID', 'mail', 'givenName', 'sn', 'memberOf'],
    finds: [them],
  },
  'UniFi: groups': {
    base: 'ou=groups,APP',
    filter: '(&(objectClass=groupOfUniqueNames)(member=uid=NAME,ou=people,APP))',
    attributes: ['entryUUID', 'cn', 'member'],
    finds: ['GROUP'],
  },
  'pfSense: the containers to choose from': {
    filter: '(|(ou=*)(cn=Users))',
    attributes: ['dn', 'ou', 'cn'],
    finds: ['ou=people,APP', 'ou=groups,APP'],
  },
  'pfSense: who signs in, with a query of its own': {
    base: 'ou=people,APP',
    filter:
      '(&(uid=NAME)(&(objectClass=person)(|(memberof=GROUP)(memberof=cn=guests,ou=groups,APP))))',
    attributes: ['dn', 'memberof'],
    finds: [them],
  },
  'OPNsense: who signs in': {
    base: 'ou=people,APP',
    scope: 'one',
    filter: '(&(uid=NAME)(&(objectClass=person)(memberof=GROUP)))',
    attributes: ['cn', 'displayName', 'mail', 'memberOf', 'userPrincipalName'],
    finds: [them],
  },
  'Proxmox: people of a sync': {
    base: 'ou=people,APP',
    filter: '(&(|(objectclass=inetOrgPerson)(objectclass=posixAccount))(uid=NAME))',
    attributes: ['uid', 'mail', 'givenName', 'sn'],
    finds: [them],
  },
  'Zabbix: who signs in, and their groups': {
    filter: '(&(objectClass=groupOfNames)(member=uid=NAME,ou=people,APP))',
    attributes: ['cn'],
    finds: ['GROUP'],
  },
  'Grafana: who signs in': {
    base: 'ou=people,APP',
    filter: '(uid=NAME)',
    attributes: ['uid', 'mail', 'givenName', 'sn', 'memberOf', 'dn'],
    finds: [them],
  },
  'GitLab: who signs in': {
    filter: '(&(uid=NAME)(memberOf=GROUP))',
    attributes: ['dn', 'uid', 'cn', 'mail', 'email', 'userPrincipalName', 'userAccountControl'],
    finds: [them],
  },
  'Prosody: who there is': {
    filter: '(&(objectClass=person)(uid=NAME))',
    attributes: ['uid', 'displayName', 'jpegPhoto'],
    finds: [them],
  },
  'ejabberd: the directory of people': {
    filter: '(&(objectClass=person)(uid=*)(displayName=ann*))',
    attributes: ['uid', 'displayName', 'givenName', 'sn', 'mail', 'l', 'o', 'bday'],
    finds: [them],
  },
  'Postfix: where a letter goes': {
    base: 'ou=people,APP',
    filter: '(mail=MAIL)',
    attributes: ['uid'],
    finds: [them],
  },
  'OpenVPN: a member of a group': {
    base: 'GROUP',
    scope: 'base',
    filter: '(|(member=uid=NAME,ou=people,APP))',
    finds: ['GROUP'],
  },
  'a printer’s address book': {
    filter: '(&(objectClass=*)(mail=*)(|(cn=*berg*)(sn=berg*)(givenName=*berg*)))',
    attributes: ['cn', 'mail', 'facsimileTelephoneNumber'],
    finds: [them],
  },
  'a management board: who signs in': {
    filter: '(&(objectclass=*)(uid=NAME))',
    attributes: ['1.1'],
    finds: [them],
  },
  'Keycloak: who has changed': {
    base: 'ou=people,APP',
    filter: '(&(objectclass=inetOrgPerson)(modifyTimestamp>=20200101000000.0Z)(uid=NAME))',
    attributes: ['entryUUID', 'createTimestamp', 'modifyTimestamp'],
    finds: [them],
  },
  'Active Directory’s chain of groups': {
    filter: '(&(objectClass=person)(memberOf:1.2.840.113556.1.4.1941:=GROUP))',
    finds: [them],
  },
  'everybody below people, by a part of the DN': {
    filter: '(&(ou:dn:=people)(uid=NAME))',
    finds: [them],
  },
};

test.each(Object.entries(known))('%s', async (_, { base = 'APP', scope = 'sub', ...asked }) => {
  const filled = (text: string) =>
    text
      .replaceAll('GROUP', 'cn=media,ou=groups,APP')
      .replaceAll('APP', app.dn)
      .replaceAll('NAME', person.username)
      .replaceAll('MAIL', person.email);
  const client = await connect(ldap.url, app);
  const { searchEntries } = await client.search(filled(base), {
    scope,
    filter: filled(asked.filter),
    attributes: asked.attributes,
  });
  expect(searchEntries.map(({ dn }) => dn)).toEqual(asked.finds.map(filled));
});

test('attributes come in the spelling of the schema, however they are asked for', async () => {
  const client = await connect(ldap.url, app);
  const { searchEntries } = await client.search(app.dn, {
    filter: `(uid=${person.username})`,
    attributes: ['ENTRYUUID', 'displayname', 'telephonenumber', 'memberof'],
  });
  expect(Object.keys(searchEntries[0] ?? {}).sort()).toEqual(
    ['dn', 'displayName', 'entryUUID', 'memberOf', 'telephoneNumber'].sort(),
  );
});
