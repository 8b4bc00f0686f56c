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
