import type { Format } from '#lib/import/names.ts';
import { originals } from '../identity/hashes/originals.ts';

/*
 * Files as other programs, spreadsheets and people write them, each as small as it can be, with
 * what has to come of it.
 */

type Person = {
  email: string;
  username?: string;
  name?: string | null;
  password?: boolean;
  groups?: string[];
  disabled?: boolean;
};
type App = {
  id: string;
  secret?: boolean;
  scopes?: unknown;
  name?: string;
  uris?: string[];
  notes?: unknown;
};
type WorldFile = {
  from: Format;
  what: string;
  source: string;
  bytes: string | Buffer;
  realm?: string;
  people: Person[];
  apps?: App[];
};

const ann = { username: 'ann', email: 'ann@example.org' };
const realm = (...users: object[]) =>
  JSON.stringify({ realm: 'staff', users: users.map((each) => ({ enabled: true, ...each })) });
const client = (more: object) => ({
  clientId: 'portal',
  protocol: 'openid-connect',
  redirectUris: ['https://app.example.org/cb'],
  ...more,
});
const apps = (...clients: object[]) => JSON.stringify({ realm: 'staff', clients });
const good = { secret: 'q8Jd02hfKs83hGhw73hs' };
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const [, , iterations, salt, hash] = (originals['passlib pbkdf2-sha256'] ?? '').split('$');
const plus = (text = '') => text.replaceAll('.', '+');
const usual = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'];

const keycloak: Omit<WorldFile, 'from'>[] = [
  {
    what: 'a text for a list, and null in a list, in attributes',
    source: 'Keycloak’s own test realms (testrealm.json, testrealm-user-null-attr.json)',
    bytes: realm({
      ...ann,
      attributes: { phone: '+49 1', 'old-email': ['a', null], locale: 'de' },
    }),
    people: [ann],
  },
  {
    what: 'texts for booleans',
    source: 'files written by hand; Jackson coerces',
    bytes: realm({ ...ann, enabled: 'false', emailVerified: 'true' }),
    people: [{ ...ann, disabled: true }],
  },
  ...[undefined, null, ''].map((enabled) => ({
    what: `enabled: ${JSON.stringify(enabled)}, whom Keycloak lets in nowhere`,
    source: 'RepresentationToModel of Keycloak: isEnabled() != null && isEnabled()',
    bytes: realm({ ...ann, enabled }),
    people: [{ ...ann, disabled: true }],
  })),
  {
    what: 'members of any shape that nobody reads',
    source: 'extensions of Keycloak',
    bytes: realm({ ...ann, attributes: [1], credentials: 7, disableableCredentialTypes: { a: 1 } }),
    people: [ann],
  },
  {
    what: 'several realms with master among them',
    source: 'kc.sh export without --realm; migration-realm-*.json of Keycloak',
    bytes: JSON.stringify([
      { realm: 'master', users: [{ ...ann, email: 'root@example.org', username: 'root' }] },
      { realm: 'staff', users: [{ ...ann, enabled: true }] },
    ]),
    people: [ann],
  },
  {
    what: 'several realms, one of them asked for',
    source: 'kc.sh export without --realm',
    realm: 'b',
    bytes: JSON.stringify([{ realm: 'a' }, { realm: 'b', users: [{ ...ann, enabled: true }] }]),
    people: [ann],
  },
  {
    what: 'a list of users',
    source: 'kcadm.sh get users',
    bytes: JSON.stringify([{ ...ann, enabled: true, totp: false }]),
    people: [ann],
  },
  {
    what: 'hashes of Keycloak before 9',
    source: 'antarus/jhipster-traefik-oauth2 (6.0.1)',
    bytes: realm({
      ...ann,
      credentials: [
        {
          type: 'password',
          hashedSaltedValue: `${plus(hash)}=`,
          salt: `${plus(salt)}==`,
          hashIterations: Number(iterations),
          algorithm: 'pbkdf2-sha256',
          counter: 0,
        },
      ],
    }),
    people: [{ ...ann, password: true }],
  },
  {
    what: 'a password as it is',
    source: 'realm files written by hand (Yandex-Practicum/architecture-sprint-8)',
    bytes: realm({
      ...ann,
      credentials: [{ type: 'password', value: 'secret word 1', temporary: 'false' }],
    }),
    people: [{ ...ann, password: true }],
  },
  {
    what: 'placeholders for a password, a name and a group',
    source: 'keycloak-config-cli, Helm charts',
    bytes: realm({
      ...ann,
      firstName: '${FIRST_NAME}',
      groups: ['/{{ group }}', '/staff'],
      credentials: [{ type: 'password', value: '$(env:ANN_PASSWORD)' }],
    }),
    people: [{ ...ann, name: null, password: false, groups: ['staff'] }],
  },
  {
    what: 'numbers and booleans for texts of a client, and a text for a list',
    source: 'files written by hand',
    bytes: apps(
      client({
        ...good,
        redirectUris: 'https://app.example.org/cb',
        attributes: { 'access.token.lifespan': 300, 'x.y': { z: 1 } },
        protocolMappers: [{ name: 'aud', config: { 'id.token.claim': false, n: 1 } }],
      }),
    ),
    people: [],
    apps: [{ id: 'portal', secret: true, uris: ['https://app.example.org/cb'] }],
  },
  {
    what: 'a client without lists of scopes',
    source: 'Keycloak before 4; files written by hand',
    bytes: apps(client(good)),
    people: [],
    apps: [{ id: 'portal', scopes: usual, notes: ['moved.noConsent', 'moved.scopes.usual'] }],
  },
  ...['${PORTAL_CLIENT_SECRET}', '$(env:SHOP_CLIENT_SECRET)', '{{ blog_client_secret }}']
    .concat(['?UUID?', 'CHANGE_ME_BEFORE_PRODUCTION', '**********', '<your-client-secret>'])
    .concat(['REPLACE_WITH_A_REAL_SECRET', '$CLIENT_SECRET', '%PORTAL_SECRET%', '__SECRET_VALUE__'])
    .map((secret) => ({
      what: `the secret ${secret}`,
      source: 'CQEN-QDCE/ceai-cqen-keycloak, keycloak-config-cli, Ansible, Terraform templates',
      bytes: apps(client({ secret })),
      people: [],
      apps: [{ id: 'portal', secret: false, notes: expect_(['moved.secret.none']) }],
    })),
  ...[
    'summer24',
    'your-client-secret-change-in-production',
    'my-super-secret-client-secret',
    'portal-portal-portal-secret',
    '0123456789abcdef0123456789abcdef',
    'secret-abcdefghijklmnopqrstuvwxyz',
    'qwertyuiopasdfghjkl',
  ].map((secret) => ({
    what: `the secret ${secret}, which is easy to guess`,
    source: 'realm files of examples',
    bytes: apps(client({ secret })),
    people: [],
    apps: [{ id: 'portal', secret: false, notes: expect_(['moved.secret.weak']) }],
  })),
  {
    what: 'variables in addresses and names of a client',
    source: 'keycloak-config-cli',
    bytes: apps(
      client({
        ...good,
        name: '${client_portal}',
        description: '{{ description }}',
        redirectUris: ['https://app.example.org/cb', 'https://${HOST}/cb', '{{ url }}/*'],
      }),
    ),
    people: [],
    apps: [
      {
        id: 'portal',
        name: 'portal',
        uris: ['https://app.example.org/cb'],
        notes: expect_(['moved.address.variable', 'moved.address.variable']),
      },
    ],
  },
];

/** Matches a list that begins with these. */
function expect_(first: string[]): unknown {
  return { asymmetricMatch: (all: string[]) => first.every((each, at) => all[at] === each) };
}

const entry = (more: string) =>
  `dn: uid=ann,ou=people,dc=example,dc=org\nobjectClass: inetOrgPerson\nuid: ann\nmail: ann@example.org\n${more}`;
const group = (member: string) =>
  `\n\ndn: cn=staff,dc=example,dc=org\nobjectClass: groupOfNames\ncn: staff\n${member}\n`;

const ldif: Omit<WorldFile, 'from'>[] = [
  {
    what: 'a locked account with its hash',
    source: 'OpenLDAP with ppolicy',
    bytes: entry(
      `userPassword: ${originals['passlib {SSHA}']}\npwdAccountLockedTime: 000001010000Z\n`,
    ),
    people: [{ ...ann, password: true, disabled: true }],
  },
  {
    what: 'a member list in portions',
    source: 'Active Directory, groups of more than 1,500',
    bytes: entry('') + group('member;range=0-1499: uid=ann,ou=people,dc=example,dc=org'),
    people: [{ ...ann, groups: ['staff'] }],
  },
  {
    what: 'names that are OIDs, languages, values at addresses, binary values',
    source: 'RFC 2849, RFC 4512 2.5',
    bytes: entry(
      'cn;lang-de: Änne\ncn: Ann Lee\n2.16.840.1.113730.3.1.241: Ann\njpegPhoto:< file:///nowhere/a.jpg\nuserCertificate;binary:: AAAA\n',
    ),
    people: [{ ...ann, name: 'Ann Lee' }],
  },
  ...[
    'UID = Ann , OU=People,DC=example, DC=org',
    'uid=\\41nn,ou=people,dc=example,dc=org',
    '0.9.2342.19200300.100.1.1=ann,ou=people,dc=example,dc=org',
    'uid="ann";ou=people;dc=example;dc=org',
    'userid=ann,organizationalUnitName=people,domainComponent=example,dc=org',
  ].map((dn) => ({
    what: `a member spelt ${dn}`,
    source: 'RFC 4514, RFC 2253 4',
    bytes: entry('') + group(`member: ${dn}`),
    people: [{ ...ann, groups: ['staff'] }],
  })),
  {
    what: 'CRLF, folded lines, folded comments and base64',
    source: 'ldifde on Windows',
    bytes: `version: 1\r\n\r\n# a comment that\r\n  goes on\r\n${entry('displayName:: QW5u\r\n IExlZQ==\r\n').replaceAll(/(?<!\r)\n/g, '\r\n')}`,
    people: [{ ...ann, name: 'Ann Lee' }],
  },
  {
    what: 'UTF-16',
    source: 'ldifde -u',
    bytes: utf16(entry('cn: Ånn\n')),
    people: [{ ...ann, name: 'Ånn' }],
  },
  {
    what: 'machines, and references to other domains',
    source: 'ldapsearch and ldifde on Active Directory and Samba',
    bytes: `# search reference\nref: ldap://dns.example.org/DC=dns\n\n${entry('')}\ndn: CN=PC,dc=example\nobjectClass: person\nobjectClass: computer\nsAMAccountName: PC$\n\n# search result\nsearch: 2\nresult: 0 Success\n`,
    people: [ann],
  },
  {
    what: 'changetype: add',
    source: 'ldifde, entries to be added',
    bytes: entry('').replace('\n', '\nchangetype: add\n'),
    people: [ann],
  },
];

const lee = { ...ann, name: 'Ann Lee' };
const table = (first: string, ...lines: string[]) => [first, ...lines, ''].join('\r\n');

/** Tables, which are imported and are lists of people to invite. */
export const tables: Omit<WorldFile, 'from'>[] = [
  {
    what: 'semicolons',
    source: 'Excel in German, French and others',
    bytes: table('email;username;name', 'ann@example.org;ann;Ann Lee'),
    people: [lee],
  },
  {
    what: 'UTF-16 with tabs',
    source: 'Excel’s “Unicode text”',
    bytes: utf16(table('email\tfirst name\tlast name', 'ann@example.org\tAnn\tGroß')),
    people: [{ ...ann, name: 'Ann Groß' }],
  },
  {
    what: 'sep=;',
    source: 'Excel',
    bytes: table('sep=;', 'email;name', 'ann@example.org;Ann Lee'),
    people: [lee],
  },
  {
    what: 'sep=,',
    source: 'Excel',
    bytes: table('sep=,', 'email,name', 'ann@example.org,Ann Lee'),
    people: [lee],
  },
  {
    what: 'a comma at the end of every line',
    source: 'spreadsheets with an empty column',
    bytes: table('email,name,', 'ann@example.org,Ann Lee,'),
    people: [lee],
  },
  {
    what: 'a byte order mark, CR alone and a quoted line end',
    source: 'Excel for Mac',
    bytes: '\uFEFFemail,name,note\rann@example.org,"Ann Lee","two\rlines"\r',
    people: [lee],
  },
  {
    what: 'Windows-1252',
    source: 'Moodle',
    bytes: Buffer.from(
      'username;firstname;lastname;email;cohort1\nann;J\xf6rg;Lee;ann@example.org;a\n',
      'latin1',
    ),
    people: [{ ...ann, name: 'Jörg Lee' }],
  },
  {
    what: 'addresses of a mail system beside the one to sign in with',
    source: 'Microsoft 365 admin centre',
    bytes: table(
      'Block credential,City,Display name,First name,Last name,Proxy addresses,State,User principal name,When created',
      'False,,Ann Lee,Ann,Lee,SMTP:ann@example.org+smtp:a@example.org,Bavaria,ann@example.org,2020',
    ),
    people: [lee],
  },
  {
    what: 'a login that is an address',
    source: 'Okta',
    bytes: table(
      '"id","status","activated","login","firstName","lastName","email","secondEmail"',
      '"00u1","ACTIVE","2020-01-01","ann@corp.example","Ann","Lee","ann@example.org",""',
    ),
    people: [lee],
  },
  {
    what: 'words in brackets',
    source: 'Google Workspace',
    bytes: table(
      'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Status [READ ONLY],Recovery Email',
      'Ann,Lee,ann@example.org,****,Active,ann@home.example',
    ),
    people: [lee],
  },
  {
    what: 'mail beside the principal name',
    source: 'Entra ID, “Download users”',
    bytes: `\uFEFF${table('id,userPrincipalName,displayName,mail,accountEnabled', '7,ann@corp.example,Ann Lee,ann@example.org,True')}`,
    people: [lee],
  },
  {
    what: 'display names with an underscore',
    source: 'Nextcloud',
    bytes: table('user_id,display_name,email,enabled', 'ann,Ann Lee,ann@example.org,true'),
    people: [lee],
  },
  {
    what: 'two columns that say the same',
    source: 'csvde',
    bytes: table('name,displayName,mail', 'Ann Lee,Ann Lee,ann@example.org'),
    people: [lee],
  },
  {
    what: 'a primary address beside a personal one',
    source: 'scripts around Google’s Admin SDK',
    bytes: table(
      'primary_email,first_name,last_name,org_unit,personal_email',
      'ann@example.org,Ann,Lee,/Students,ann@home.example',
    ),
    people: [lee],
  },
  {
    what: 'a version above the head, and what has to be filled in',
    source: 'Entra ID’s template to create users (MicrosoftDocs/azure-docs)',
    bytes: table(
      'version:v1.0,,,,,',
      'Name [displayName] Required,User name [userPrincipalName] Required,Initial password [passwordProfile] Required,Block sign in (Yes/No) [accountEnabled] Required,First name [givenName],Last name [surname]',
      'Ann Lee,ann@example.org,x,No,Ann,Lee',
    ),
    people: [lee],
  },
  {
    what: 'the type above the head',
    source: 'Export-Csv of Windows PowerShell 5.1 without -NoTypeInformation',
    bytes: table(
      '#TYPE Microsoft.ActiveDirectory.Management.ADUser',
      '"Enabled","GivenName","Name","SamAccountName","Surname","UserPrincipalName","DisplayName"',
      '"True","Ann","alee","ann","Lee","ann@example.org","Ann Lee"',
    ),
    people: [lee],
  },
  {
    what: 'a title and an empty line above the head',
    source: 'exports of CRM programs in German',
    bytes: table(
      'Kundenexport 2026-01-01',
      '',
      'Vorname;Nachname;E-Mail',
      'Ann;Lee;ann@example.org',
    ),
    people: [lee],
  },
  {
    what: 'a full name beside the name to show',
    source: 'Slack, “Export member list”',
    bytes: table(
      'username,email,status,billing-active,has-2fa,userid,fullname,displayname',
      'ann,ann@example.org,Member,1,0,U1,Ann Lee,annie',
    ),
    people: [lee],
  },
  {
    what: 'a full name that is called a user name',
    source: 'Atlassian, “Export users”',
    bytes: table(
      'User id,User name,email,User status,Added to org,Org role',
      '5f,Ann Lee,ann@example.org,Active,2020,None',
    ),
    people: [{ email: ann.email, name: 'Ann Lee' }],
  },
  ...['Name;Vorname;E-Mail', 'NOM;Prénom;Courriel', 'Cognome;Nome;Indirizzo e-mail']
    .concat(['Apellidos;Nombre;Correo electrónico', 'Achternaam;Voornaam;E-mailadres'])
    .concat(['Nazwisko;Imię;Adres e-mail', 'Фамилия;Имя;Почта', 'Příjmení;Jméno;E-mail'])
    .concat(['Efternamn;Förnamn;E-post', 'Soyad;Ad;E-posta', '姓;名;メールアドレス'])
    .map((head) => ({
      what: `the family name apart: ${head}`,
      source: 'schools and clubs',
      bytes: table(head, 'Lee;Ann;ann@example.org'),
      people: [lee],
    })),
  {
    what: 'claims as heads',
    source: 'Cognito, GetCSVHeader',
    bytes: table(
      'name,given_name,family_name,preferred_username,email,email_verified,locale,phone_number,cognito:mfa_enabled,cognito:username',
      'Ann Lee,,,,ann@example.org,TRUE,,,FALSE,ann',
    ),
    people: [lee],
  },
  {
    what: 'more than one address',
    source: 'Outlook’s contacts',
    bytes: table(
      'First Name,Middle Name,Last Name,E-mail Address,E-mail Type,E-mail Display Name,E-mail 2 Address',
      'Ann,,Lee,ann@example.org,SMTP,Ann Lee (ann@example.org),ann@home.example',
    ),
    people: [lee],
  },
  ...['氏名,メール', '姓名,邮箱', 'ФИО,Почта'].map((head) => ({
    what: `the whole name: ${head}`,
    source: 'spreadsheets in Japanese, Chinese and Russian',
    bytes: table(head, 'Ann Lee,ann@example.org'),
    people: [{ email: ann.email, name: 'Ann Lee' }],
  })),
  {
    what: 'bars',
    source: 'psql -A, and German exports of payroll programs',
    bytes: table('username|email|name', 'ann|ann@example.org|Lee, Ann'),
    people: [{ ...ann, name: 'Lee, Ann' }],
  },
  {
    what: 'formulas that are texts',
    source: 'exports for Excel: ="0049"',
    bytes: table('email,name,phone', '="ann@example.org",="Ann ""A"" Lee",="0049"'),
    people: [{ email: ann.email, name: 'Ann "A" Lee' }],
  },
  { what: 'no head', source: 'lists made by hand', bytes: 'Ann,ann@example.org\n', people: [ann] },
];

/** Of the same programs, people who were shut out. */
export const shutOutLines = [
  table(
    '"id","status","login","email"',
    '"00u2","DEPROVISIONED","ann@example.org","ann@example.org"',
  ),
  table('Block credential,User principal name', 'True,ann@example.org'),
  table('userPrincipalName,accountEnabled', 'ann@example.org,False'),
  table('Email Address [Required],Status [READ ONLY]', 'ann@example.org,Suspended'),
  table('username;email;suspended', 'ann;ann@example.org;1'),
  table('user_id,email,enabled', 'ann,ann@example.org,false'),
  table(
    'version:v1.0',
    'User name [userPrincipalName] Required,Block sign in (Yes/No) [accountEnabled] Required',
    'ann@example.org,Yes',
  ),
  table('#TYPE Selected.ADUser', '"mail","Enabled"', '"ann@example.org","False"'),
  table('sourcedId,status,enabledUser,username,email', 'u1,active,false,ann,ann@example.org'),
  table('sourcedId,status,enabledUser,username,email', 'u1,tobedeleted,true,ann,ann@example.org'),
  table('FirstName,Username,Email,State', 'Ann,ann,ann@example.org,SUSPENDED'),
  table('username,email,status', 'ann,ann@example.org,Deactivated'),
];

const others: WorldFile[] = [
  {
    from: 'auth0',
    what: 'the default columns of Auth0’s extension',
    source: 'auth0-extensions/auth0-user-import-export-extension',
    bytes:
      '{"Id":"auth0|60425dc43519d90068f82973","Email":"ann@example.org","Email Verified":true,"Given Name":"Ann","Name":"Ann Lee","Blocked":true}\r\n',
    people: [{ email: ann.email, name: 'Ann Lee', disabled: true }],
  },
  {
    from: 'auth0',
    what: 'a list',
    source: 'Auth0’s Management API',
    bytes: JSON.stringify([{ user_id: 'auth0|60425dc43519d90068f82973', ...ann }]),
    people: [ann],
  },
  {
    from: 'wordpress',
    what: 'phpMyAdmin’s JSON',
    source: 'ivanramos242/new-encuentratucoach',
    bytes: JSON.stringify([
      { type: 'header', version: '5.2.1', comment: 'Export to JSON plugin' },
      { type: 'database', name: 'wp' },
      {
        type: 'table',
        name: 'wp_users',
        database: 'wp',
        data: [{ ID: '1', user_login: 'ann', user_email: ann.email, user_status: '1' }],
      },
    ]),
    people: [{ ...ann, disabled: true }],
  },
  {
    from: 'authentik',
    what: 'natural keys',
    source: 'Django’s dumpdata --natural-foreign --natural-primary',
    bytes: JSON.stringify([
      { model: 'auth.group', fields: { name: 'staff', permissions: [['add_x', 'app', 'x']] } },
      {
        model: 'auth.user',
        fields: { ...ann, password: '!', is_active: true, groups: [['staff']] },
      },
    ]),
    people: [{ ...ann, groups: ['staff'] }],
  },
  {
    from: 'authentik',
    what: 'a user model of the program’s own, beside rows of any shape',
    source: 'Django’s AUTH_USER_MODEL',
    bytes: JSON.stringify([
      {
        model: 'accounts.user',
        pk: 1,
        fields: { ...ann, password: '!', is_active: 0, groups: [] },
      },
      { model: 'shop.order', pk: { a: 1 }, fields: { groups: { a: 1 }, name: [1] } },
    ]),
    people: [{ ...ann, disabled: true }],
  },
  {
    from: 'authelia',
    what: 'one group as a text, and a name that is a number',
    source: 'users_database.yml written by hand',
    bytes:
      'users:\n  ann:\n    displayname: 123\n    email: ann@example.org\n    groups: staff\n    disabled: yes\n',
    people: [{ ...ann, name: '123', groups: ['staff'], disabled: true }],
  },
];

export const readable: WorldFile[] = [
  ...keycloak.map((file) => ({ from: 'keycloak' as const, ...file })),
  ...ldif.map((file) => ({ from: 'ldif' as const, ...file })),
  ...tables.map((file) => ({ from: 'csv' as const, ...file })),
  ...others,
];

export const unreadable: { from: Format; what: string; text: string; says: RegExp }[] = [
  {
    from: 'keycloak',
    what: 'a list of several realms',
    text: JSON.stringify([{ realm: 'master' }, { realm: 'a' }, { realm: 'b' }]),
    says: /master, a, b.*--realm/,
  },
  {
    from: 'ldif',
    what: 'a file of changes',
    text: 'dn: cn=staff,dc=example,dc=org\nchangetype: modify\nadd: memberUid\nmemberUid: ann\n-\n',
    says: /line 2: the file holds changes/,
  },
  {
    from: 'ldif',
    what: 'a bad line behind folded ones',
    text: `dn: uid=ann,dc=example,dc=org\njpegPhoto:: QUJD\n ${'QUJD\n '.repeat(9)}QUJD\nno attribute\n`,
    says: /line 13:/,
  },
  {
    from: 'csv',
    what: 'two columns of one meaning',
    text: 'email,mail,name\nann@example.org,other@example.org,Lee\n',
    says: /email, mail/,
  },
  { from: 'csv', what: 'no column of addresses', text: 'name\nAda\n', says: /email/ },
  { from: 'firebase', what: 'CSV', text: 'abc,ann@example.org,true', says: /position 0/ },
  {
    from: 'json',
    what: 'a missing comma',
    text: '{"people": [] "groups": []}',
    says: /position 14/,
  },
  { from: 'json', what: 'a cut end', text: '{"people": [', says: /position 12/ },
];
