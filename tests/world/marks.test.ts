import { describe, expect, test } from 'vitest';
import { isShutOut } from '#lib/identity/shut-out.ts';
import { readArrivals } from '#lib/import/move.ts';
import type { Format } from '#lib/import/names.ts';
import { filesThatUse } from './doors.ts';
import { marks } from './marks.ts';

const person = { username: 'gone', email: 'gone@example.org' };

/** A name that an attribute can have (RFC 4512 section 1.4). */
const plain = (name: string) => name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\W/g, '-');

/** A file of each format with one person, of whom it says this besides. */
const fileWith: Record<
  Exclude<Format, 'csv' | 'json'>,
  (name: string, value: unknown) => string
> = {
  keycloak: (name, value) =>
    JSON.stringify({ users: [{ ...person, enabled: true, [name]: value }] }),
  authentik: (name, value) =>
    JSON.stringify([{ model: 'auth.user', pk: 1, fields: { ...person, [name]: value } }]),
  authelia: (name, value) =>
    `users:\n  gone:\n    email: gone@example.org\n    '${name}': ${JSON.stringify(value)}\n`,
  auth0: (name, value) => JSON.stringify({ ...person, [name]: value }),
  wordpress: (name, value) =>
    JSON.stringify([{ user_login: 'gone', user_email: 'gone@example.org', [name]: value }]),
  'pocket-id': (name, value) =>
    JSON.stringify({ tables: { users: [{ id: '1', ...person, [name]: value }] } }),
  firebase: (name, value) => JSON.stringify({ users: [{ email: person.email, [name]: value }] }),
  ldif: (name, value) =>
    `dn: uid=gone,dc=example,dc=org\nobjectClass: inetOrgPerson\nuid: gone\nmail: gone@example.org\n${plain(name)}: ${value}\n`,
};
const formats = Object.keys(fileWith) as (keyof typeof fileWith)[];
const isOut = (from: Format, text: string) =>
  readArrivals({ from, text }).people[0]?.disabled === true;

test('every reader of people asks for marks, and the lists of people to invite', () => {
  const places = ['isShutOut', 'shutOutBy'].flatMap((name) =>
    filesThatUse(name, 'lib/identity/shut-out.ts'),
  );
  const of = (...names: string[]) => names.map((name) => `lib/import/${name}.ts`);
  const readers = ['auth0', 'authelia', 'authentik', 'csv', 'firebase', 'json', 'keycloak', 'ldif'];
  const further = ['pocket-id', 'wordpress'];
  // Directories that are asked are tried in directories.test.ts.
  expect(places.sort()).toEqual([
    'lib/identity/directory/entry.ts',
    ...of(...[...readers, ...further].map((name) => `formats/${name}`), 'judge').sort(),
  ]);
});

describe.each(formats)('a mark in a file of %s', (from) => {
  test.each(marks)('$name ($source) shuts out, or does not', ({ name, ...values }) => {
    for (const value of values.out)
      expect(isOut(from, fileWith[from](name, value)), value).toBe(true);
    for (const value of values.in)
      expect(isOut(from, fileWith[from](name, value)), value).toBe(false);
  });

  test('a mark may be a boolean or a number', () => {
    expect(isOut(from, fileWith[from]('disabled', true))).toBe(true);
    expect(isOut(from, fileWith[from]('disabled', 1))).toBe(true);
    expect(isOut(from, fileWith[from]('disabled', false))).toBe(false);
    expect(isOut(from, fileWith[from]('disabled', 0))).toBe(false);
  });
});

test.each([true, 1, 'yes', 'on', 'TRUE', 'maybe'])('our own JSON with disabled: %j', (disabled) => {
  const text = JSON.stringify({ people: [{ ...person, disabled }] });
  expect(isOut('json', text)).toBe(true);
});

test('members that only look like marks shut nobody out', () => {
  const looks = {
    state: 'Bavaria',
    lastLogin: '2020-01-01',
    statusChanged: '2020-01-01',
    activated: '2020-01-01',
    passwordLastSet: '132539328000000000',
    emailVerified: false,
    mailEnabled: false,
    totp: false,
    mfa_enabled: 'false',
  };
  for (const [name, value] of Object.entries(looks))
    expect(isShutOut({ [name]: value }), name).toBe(false);
});
