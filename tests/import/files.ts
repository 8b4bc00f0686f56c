import type { Format } from '#lib/import/names.ts';
import { firebase, originals } from '../identity/hashes/originals.ts';

/*
 * One file for each program, in the form that its documentation or source defines. The first
 * person's hash is of `originalPassword`, made by an original implementation.
 */

const of = (name: string) => originals[name] ?? '';
const uuid = (number: number) => `0e9f${number}c1a-43c6-4d2b-9d3a-8f1e2c3b4a5d`;

/** Keycloak stores a hash, its salt and its parameters separately. */
function keycloakPassword(name: string) {
  const [, algorithm, rounds, salt, value] = of(name).split('$');
  const plain = (text = '') => text.replaceAll('.', '+');
  return {
    type: 'password',
    secretData: JSON.stringify({
      value: plain(value),
      salt: plain(salt),
      additionalParameters: {},
    }),
    credentialData: JSON.stringify({
      hashIterations: Number(rounds),
      algorithm,
      additionalParameters: {},
    }),
  };
}

function keycloakArgon2() {
  const [, , , , salt, value] = of('argon2-cffi argon2id').split('$');
  return {
    type: 'password',
    secretData: JSON.stringify({ value: `${value}=`, salt: `${salt}==`, additionalParameters: {} }),
    credentialData: JSON.stringify({
      hashIterations: 2,
      algorithm: 'argon2',
      additionalParameters: {
        hashLength: ['32'],
        memory: ['256'],
        type: ['id'],
        version: ['1.3'],
        parallelism: ['2'],
      },
    }),
  };
}

const keycloak = {
  realm: 'acme',
  groups: [{ name: 'staff', path: '/staff', subGroups: [{ name: 'board', path: '/staff/board' }] }],
  users: [
    {
      id: uuid(1),
      username: 'ada',
      email: 'ada@example.org',
      emailVerified: true,
      enabled: true,
      firstName: 'Ada',
      lastName: 'Lovelace',
      attributes: { locale: ['de'] },
      credentials: [
        { type: 'otp', secretData: '{}', credentialData: '{}' },
        keycloakPassword('passlib pbkdf2-sha512'),
      ],
      requiredActions: ['UPDATE_PASSWORD'],
      groups: ['/staff/board'],
    },
    {
      id: uuid(2),
      username: 'grace@example.org',
      email: 'grace@example.org',
      enabled: false,
      credentials: [keycloakArgon2()],
    },
    { id: uuid(3), username: 'service-account-x', serviceAccountClientId: 'x', enabled: true },
  ],
};

const firebaseHash = firebase.hash.split('$');

export const hashParameters = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: ${firebaseHash[6]},
  base64_salt_separator: ${firebaseHash[5]},
  rounds: 8,
  mem_cost: 14,
}`;

export const files: Record<Format, string> = {
  csv: `﻿Email,username,first name,last name,password_hash,email_verified,groups
ada@example.org,ada,Ada,Lovelace,"${of('passlib $6$')}",yes,staff; board
grace@example.org,grace,Grace,Hopper,,no,
`,
  json: JSON.stringify({
    people: [
      {
        id: uuid(1),
        username: 'ada',
        email: 'ada@example.org',
        email_verified: true,
        name: 'Ada Lovelace',
        password_hash: of('PHP bcrypt'),
        groups: ['staff'],
      },
      { username: 'grace', email: 'grace@example.org', disabled: true },
    ],
    groups: ['empty'],
  }),
  keycloak: JSON.stringify(keycloak),
  authentik: JSON.stringify([
    { model: 'authentik_core.group', pk: uuid(8), fields: { name: 'staff', is_superuser: false } },
    {
      model: 'authentik_core.user',
      pk: 5,
      fields: {
        username: 'ada',
        email: 'ada@example.org',
        name: 'Ada Lovelace',
        is_active: true,
        password: of('Django pbkdf2_sha256'),
        uuid: uuid(1),
        type: 'internal',
        ak_groups: [uuid(8)],
      },
    },
    {
      model: 'auth.user',
      pk: 6,
      fields: {
        username: 'grace',
        email: 'grace@example.org',
        first_name: 'Grace',
        password: '!x',
        last_name: 'Hopper',
        is_active: false,
        groups: [],
      },
    },
    {
      model: 'authentik_core.user',
      pk: 7,
      fields: { username: 'ak-outpost-1', type: 'internal_service_account' },
    },
  ]),
  authelia: `users:
  ada:
    disabled: false
    displayname: 'Ada Lovelace'
    password: '${of('argon2-cffi argon2id')}'
    email: 'ada@example.org'
    groups:
      - 'staff'
  grace:
    disabled: true
    displayname: 'Grace Hopper'
    password: '$plaintext$secret'
    email: 'grace@example.org'
`,
  auth0: `{"user_id":"auth0|60425dc43519d90068f82973","email":"ada@example.org","email_verified":true,"name":"ada@example.org","given_name":"Ada"}
{"user_id":"auth0|60425dc43519d90068f82974","email":"grace@example.org","blocked":true}
{"_id":{"$oid":"60425dc43519d90068f82973"},"email":"ada@example.org","passwordHash":"${of('passlib bcrypt')}","connection":"Username-Password-Authentication"}
`,
  wordpress: JSON.stringify([
    {
      ID: 1,
      user_login: 'ada',
      user_email: 'ada@example.org',
      display_name: 'Ada Lovelace',
      user_pass: of('PHP, the lines of WordPress 6.8'),
      roles: 'administrator',
    },
    {
      ID: 2,
      user_login: 'Grace Hopper',
      user_email: 'grace@example.org',
      user_pass: of('passlib phpass $P$'),
    },
  ]),
  'pocket-id': JSON.stringify({
    provider: 'sqlite',
    version: 20260101000000,
    tables: {
      users: [
        {
          id: uuid(1),
          username: 'ada',
          email: 'ada@example.org',
          first_name: 'Ada',
          last_name: 'Lovelace',
          display_name: 'Ada Lovelace',
          is_admin: true,
          disabled: false,
        },
        {
          id: uuid(2),
          username: 'grace',
          email: 'grace@example.org',
          first_name: 'Grace',
          disabled: 1,
        },
      ],
      user_groups: [{ id: uuid(8), name: 'staff', friendly_name: 'Staff' }],
      user_groups_users: [{ user_id: uuid(1), user_group_id: uuid(8) }],
      oidc_clients: [],
    },
  }),
  firebase: JSON.stringify({
    users: [
      {
        localId: 'x1',
        email: 'ada@example.org',
        emailVerified: true,
        displayName: 'Ada Lovelace',
        passwordHash: firebaseHash[4],
        salt: firebaseHash[3],
      },
      {
        localId: 'x2',
        email: 'grace@example.org',
        disabled: true,
        providerUserInfo: [{ providerId: 'google.com' }],
      },
    ],
  }),
  ldif: `version: 1

dn: uid=ada,ou=People,dc=example,dc=org
objectClass: inetOrgPerson
uid: ada
cn: Ada Lovelace
sn: Lovelace
givenName: Ada
mail: ada@exam
 ple.org
userPassword:: ${Buffer.from(of('passlib {SSHA512}')).toString('base64')}
entryUUID: ${uuid(1)}

# Somebody without a password
dn: uid=grace, ou=People, dc=example, dc=org
objectClass: inetOrgPerson
uid: grace
cn: Grace Hopper
sn: Hopper
mail: grace@example.org

dn: cn=staff,ou=Groups,dc=example,dc=org
objectClass: groupOfNames
cn: staff
member: uid=ada,ou=People,dc=example,dc=org
`,
};
