import { originalPassword, originals } from '../identity/hashes/originals.ts';

/*
 * Hashes as other programs write them, by what becomes of a person who has one. `original` is a
 * hash of `originalPassword` in the spelling of an original implementation.
 */

type WorldHash = { source: string; text: string };
const original = (name: string) => originals[name] ?? '';

export { originalPassword };

/** Spellings of hashes that sign in. */
export const spellings: WorldHash[] = [
  {
    source: 'RFC 2307 5.3: names of schemes in any case; MigrationTools writes {crypt}',
    text: `{crypt}${original('passlib $6$')}`,
  },
  { source: 'OpenLDAP’s slappasswd', text: `{CRYPT}${original('passlib $5$')}` },
  { source: 'a directory’s {crypt} with bcrypt', text: `{Crypt}${original('passlib bcrypt')}` },
  { source: 'ApacheDS writes {ssha}', text: original('passlib {SSHA}').replace('SSHA', 'ssha') },
  {
    source: 'ApacheDS writes {ssha512}',
    text: original('passlib {SSHA512}').replace('SSHA', 'ssha'),
  },
  { source: 'OpenLDAP’s pw-argon2', text: `{argon2}${original('argon2-cffi argon2id')}` },
  { source: 'slappasswd -h {SHA}', text: '{SHA}lLr5yrzQSQgSR3rJyhISUOCk7mU=' },
  { source: 'phpLDAPadmin, in small letters', text: '{md5}mXqjTMUCXpf0rZcD0qR/ig==' },
  { source: 'slappasswd -h {SMD5}', text: '{SMD5}2Iw8Y6cj81OoxVpwzbQrdgFMS7s=' },
  {
    source: 'Dovecot: PBKDF2, its salt and key as texts',
    text: '{PBKDF2}$1$bUnT4Pl7yFtYX0KU$5000$dbbea702365aad52b1ff601b627ad062fc6b7cd3',
  },
  { source: 'Drupal 7 to 10.0', text: '$S$7gatehous/GI0Drplg1nvgyrFBc1zQs7U2ci.b0AtoXajgmMwlrR' },
  {
    source: 'OpenLDAP’s pw-pbkdf2, in small letters',
    text: original('passlib ldap pbkdf2-sha256').replace('PBKDF2-SHA', 'pbkdf2-sha'),
  },
  {
    source: 'Authelia before 4.36: one pass is not written',
    text: '$argon2id$v=19$m=1024,p=8$c2FsdHNhbHRzYWx0$Q1iD9/bIj31eM3mJMXGJer5AWomQZVKK7DP8HCwP+Rg',
  },
  {
    source: 'Nextcloud: a version before it',
    text: `3|${original('argon2-cffi argon2id')}`,
  },
  { source: 'Nextcloud, older', text: `1|${original('PHP bcrypt')}` },
  {
    source: 'Auth0, Ory Kratos, Discourse: the PHC string format',
    text: original('passlib pbkdf2-sha256')
      .replace(/\$(\d+)\$/, '$$i=$1,l=32$$')
      .replaceAll('.', '+'),
  },
  {
    source: 'RustCrypto: no length',
    text: original('passlib pbkdf2-sha512').replace(/\$(?=\d+\$)/, '$$i='),
  },
  { source: 'Dovecot, Mailcow', text: `{BLF-CRYPT}${original('PHP bcrypt')}` },
  { source: 'Dovecot, Mailu', text: `{SHA512-CRYPT}${original('passlib $6$')}` },
  { source: 'Dovecot', text: `{ARGON2ID}${original('argon2-cffi argon2id')}` },
  {
    source: 'Spring Security’s delegating encoder',
    text: `{argon2@SpringSecurity_v5_8}${original('argon2-cffi argon2id')}`,
  },
  {
    source: '389 Directory Server and FreeIPA: iterations, salt and key as one (pbkdf2_pwd.c)',
    text: '{PBKDF2_SHA256}AAAIADM4OSBzYWx0IDM4OSBzYWx0IDM4OSBzYWx0IDM4OSBzYWx0IDM4OSBzYWx0IDM4OSBzYWx0IDM4OSBzYWx0IDPKaAXwF5bfYv3/zr1XXiITtyT893B1hTBxr03mIm0UKpBVYzheSaK+KhMeNI02Zs6SQ6sIXBma8CSebV/kvgpMQzIp4dFt+GVeXhpbi3t2EYQCA10a5uicVrOj3nWwBsee/ZPc/WvKmSwZYKo+KOZ8Q2d4EWD7PCrsldhhAjDEp5oJ5yk2QmJqsd87H01qt50HSl4Rx29cwCW0uCgKIDvgtFohvgjHYgn5bzM5DekG98bHxGDF0fDWh6jAE3EU09BUecNSEWR2MMyOS8GNF6Hl99HnpazzBmtF43B9Kj34gDHShakB+HKjnqxAQtd0DXlhNF/qGadac7jDhgW3lUCh',
  },
  {
    source: 'ASP.NET Core Identity, version 3, computed with Python’s hashlib',
    text: 'AQAAAAIAAAPoAAAAEGdhdGVob3VzZSB0YWJsZXM+oLDZVV11Y9fe77PFg3cwvHJ4JZvh+qPAFsXWsGkZNQ==',
  },
  {
    source: 'ASP.NET Identity, version 2, computed with Python’s hashlib',
    text: 'AGdhdGVob3VzZSB0YWJsZXM99aCcH1aXHQlNdKVKU0Lu2pBs/UKVw2f3D+4f9oOqjg==',
  },
  {
    source: 'Atlassian’s Crowd and Confluence, computed with Python’s hashlib',
    text: '{PKCS5S2}Z2F0ZWhvdXNlIHRhYmxlc3p2G6A2KrcmZJJI1vc4tPJ8W+Bb3DrIJukPw0zRF3fX',
  },
  {
    source: 'Spring Security since 5.8, computed with Python’s hashlib',
    text: '{pbkdf2@SpringSecurity_v5_8}67617465686f757365207461626c6573eda35405eb8daac2afaf8f55e91fc39fcbc53a197d31d1ea3372119efc86423a',
  },
  {
    source: 'Spring Security before, computed with Python’s hashlib',
    text: '{pbkdf2}67617465686f757334be4416461890728d390146ce592416237cb910c3b5441f9ddbb250c4c3e739',
  },
  {
    source: 'Mattermost 11, computed with Python’s hashlib',
    text: '$pbkdf2$f=SHA256,w=1000,l=32$Z2F0ZWhvdXNlIHRhYmxlcw$GV5GldwgCUTFCSVkvbHklzFcAtdPZqmh1j1nzEPwDQU',
  },
];

/** Hashes that projects publish for their own tests and samples, with the passwords. */
export const published: (WorldHash & { password: string })[] = [
  ...[
    '{SHA1}qUqP5cyxm6YcTAhz05Hph5gvu9M=',
    '{SMD5}JTu1KRwptKZJg/RLd+6Vn5GUd0M=',
    '{LDAP-MD5}CY9rzUYh03PK3k6DJie09g==',
    '{SHA256}n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
    '{SHA512}7iaw3Ur350mqGo7jwQrpkj9hiYB3Lkc/iBml1JQODbJ6wYX4oOHV+E+IvIh/1nsUNzLDBMxfqa2Ob1f1ACio/w==',
    '{SSHA}H/zrDv8FXUu1JmwvVYijfrYEF34jVZcO',
    '{PBKDF2}$1$bUnT4Pl7yFtYX0KU$5000$50a83cafdc517b9f46519415e53c6a858908680a',
    '{BLF-CRYPT}$2y$05$11ipvo5dR6CwkzwmhwM26OXgzXwhV2PyPuLV.Qi31ILcRcThQpEiW',
    '{ARGON2I}$argon2i$v=19$m=32768,t=4,p=1$f2iuP4aUeNMrgu34fhOkkg$1XSZZMWlIs0zmE+snlUIcLADO3GXbA2O/hsQmmc317k',
    '{ARGON2ID}$argon2id$v=19$m=65536,t=3,p=1$vBb99oJ12p3WAdYlaMHz1A$jtFOtbo/sYV9OSlTxDo/nVNq3uArHd5GJSEx0ty85Cc',
  ].map((text) => ({ source: 'Dovecot', text, password: 'test' })),
  {
    source: 'SOGo',
    text: '{PBKDF2}$1$xbhnwhLxltdS9L5M$5001$f1699047a6132383490817d6e58a5284f13339f0',
    password: '123456',
  },
  {
    source: 'OpenLDAP’s pw-sha2',
    text: '{SHA384}WKd1ukESvjAFrkQHznV9iP2nHUBJe7gCbsrFTU4//HIyzo3jq1rLMK45dg/ufFPt',
    password: 'secret',
  },
  {
    source: 'Spring Security’s guide to LDAP',
    text: '{SHA}nFCebWjxfaLbHHG1Qk5UU4trbvQ=',
    password: 'benspassword',
  },
  {
    source: 'a phpLDAPadmin of a course',
    text: '{MD5}F5GWLq3q3NkAHOiIFWmDcA==',
    password: 'Teste@123',
  },
  {
    source: 'WordPress 6.8',
    text: '$wp$2y$10$Q1xinFjrZeLWJBvxviIL6u834Fu.evIEFHAUVisQ5O.w9Dm0sMdES',
    password: 'admin',
  },
  {
    source: 'Django 5.2',
    text: 'pbkdf2_sha256$1000000$0MPV2emWd8hNlQ4iNxpcJ5$d/3Z9Uyo3XGMjcVlM+cNSTeuWI6gum/2loTqvlzM2ZA=',
    password: 'admin123',
  },
  {
    source: 'Drupal 7',
    text: '$S$DXZrp425p2VN9LXpDWxiBeqSZSPexyZNNPUo80fTTN2e/W15a97G',
    password: 'huan',
  },
  {
    source: 'Drupal 7',
    text: '$S$Dr3Hm8Od9X0Ux/olZ.B8Uwh6./3E1l4nPfXebovKVvMB9zcmjkTn',
    password: 'Cookies1',
  },
];

/** What is not checked here, with the name of the scheme that the plan gives. */
export const unread: (WorldHash & { scheme: string | null })[] = [
  {
    source: 'Debian 11 and later, Fedora 35 and later',
    text: '$y$j9T$abcdefgh$9WNEpu8Mx2S4KNGvbVWKM6clOSoY6.YEl7AYF4DGV04',
    scheme: '$y$',
  },
  {
    source: 'a directory of such machines',
    text: '{CRYPT}$y$j9T$abcdefgh$9WNEpu8Mx2S4KNGvbVWKM6clOSoY6.YEl7AYF4DGV04',
    scheme: '{CRYPT}$y$',
  },
  { source: 'Unix until 1999', text: '{CRYPT}//EsnG9FLTKjo', scheme: '{CRYPT}' },
  {
    source: 'Unix, MD5-crypt',
    text: '{crypt}$1$wmyrgRuV$kImF6.9MAFQNHe23kq5vI/',
    scheme: '{crypt}$1$',
  },
  { source: 'Apache', text: '$apr1$A7lJPWbr$4VO3DXCAD/1U2bOX/fj6a/', scheme: '$apr1$' },
  { source: 'bcrypt of cost 16', text: `$2b$16$${'a'.repeat(53)}`, scheme: '$2b$' },
  {
    source: 'Dovecot',
    text: '{SCRAM-SHA-1}4096,GetyLXdBuHzf1FWf8SLz2Q==,NA/OqmF4hhrsrB9KR7po+dliTGM=,QBiURvQaE6H6qYTmeghDHLANBFQ=',
    scheme: '{SCRAM-SHA-1}',
  },
  { source: 'OpenLDAP: it is elsewhere', text: '{SASL}ada@EXAMPLE.ORG', scheme: '{SASL}' },
  { source: 'Samba, Windows', text: '{NTLM}0cb6948805f797bf2a82807973b89537', scheme: '{NTLM}' },
  {
    source: 'Django',
    text: 'md5$c2FsdHNhbHQ$0cb6948805f797bf2a82807973b89537',
    scheme: 'md5',
  },
  { source: 'phpBB 2, osCommerce', text: '098f6bcd4621d373cade4e832627b4f6', scheme: null },
  { source: 'a password itself', text: 'hunter2$secret', scheme: null },
  { source: 'a mark of /etc/shadow', text: '*', scheme: null },
];

/** Parameters that a family reads, and its primitive refuses: OpenSSL wants N < 2^(16 r). */
const [salt, key] = ['c29tZXNhbHQ', 'A'.repeat(43)];
export const refused: WorldHash[] = [
  { source: 'passlib, Authelia', text: `$scrypt$ln=16,r=1,p=1$${salt}$${key}` },
  { source: 'passlib, of a larger N', text: `$scrypt$ln=20,r=1,p=2$${salt}$${key}` },
  { source: 'Django', text: `scrypt$65536$${salt}$1$1$${key}=` },
  { source: 'Werkzeug', text: `scrypt:131072:1:1$${salt}$${'ab'.repeat(32)}` },
  {
    source: 'Firebase',
    text: `$firescrypt$ln=16,r=1,p=1$${salt}=$${key}=$Bw==$${key}=`,
  },
];

/** Each within its family's bounds, all of them together far above a second. */
export const dear: WorldHash[] = [
  {
    source: 'argon2id of 256 MiB',
    text: `$argon2id$v=19$m=262144,t=4,p=1$c2FsdHNhbHRzYWx0$${key}`,
  },
  { source: 'bcrypt of cost 15', text: `$2b$15$${'a'.repeat(53)}` },
  { source: 'SHA-crypt of a million rounds', text: `$6$rounds=1000000$salt$${'a'.repeat(86)}` },
  {
    source: 'PBKDF2 of 2,500,000 rounds',
    text: `$pbkdf2-sha512$2500000$${salt}$${'A'.repeat(86)}`,
  },
];
