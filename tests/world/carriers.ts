import type { Format } from '#lib/import/names.ts';

/** What every format can say about a person. */
type Person = { username: string; email: string; hash?: string };

/** Writes a file with these people, as short as the program's own. */
type Carrier = (people: readonly Person[]) => string;

const eachJson = (people: readonly Person[], of: (person: Person, at: number) => object) =>
  JSON.stringify(people.map(of));

/** The formats that carry hashes as they are; Firebase splits them, Pocket ID has none. */
export const carriers: Record<Exclude<Format, 'firebase' | 'pocket-id'>, Carrier> = {
  csv: (people) =>
    [
      'email,username,password_hash',
      ...people.map((each) => `${each.email},${each.username},"${each.hash ?? ''}"`),
    ].join('\n'),
  json: (people) =>
    JSON.stringify({
      people: people.map(({ hash, ...said }) => ({ ...said, password_hash: hash })),
    }),
  keycloak: (people) =>
    JSON.stringify({
      realm: 'world',
      users: people.map(({ hash, ...said }) => ({
        ...said,
        enabled: true,
        credentials: [
          {
            type: 'password',
            secretData: JSON.stringify({ value: hash }),
            credentialData: JSON.stringify({ algorithm: 'bcrypt' }),
          },
        ],
      })),
    }),
  authentik: (people) =>
    eachJson(people, ({ hash, ...said }, at) => ({
      model: 'authentik_core.user',
      pk: at,
      fields: { ...said, password: hash },
    })),
  authelia: (people) =>
    `users:\n${people
      .map(
        ({ username, email, hash }) =>
          `  ${username}:\n    displayname: '${username}'\n    email: '${email}'\n    password: '${hash ?? ''}'\n`,
      )
      .join('')}`,
  auth0: (people) =>
    people
      .map(({ username, email, hash }) => JSON.stringify({ username, email, passwordHash: hash }))
      .join('\n'),
  wordpress: (people) =>
    eachJson(people, ({ username, email, hash }) => ({
      user_login: username,
      user_email: email,
      user_pass: hash,
    })),
  ldif: (people) =>
    people
      .map(
        ({ username, email, hash = '' }) =>
          `dn: uid=${username},ou=people,dc=example,dc=org\nobjectClass: inetOrgPerson\nuid: ${username}\ncn: ${username}\nmail: ${email}\nuserPassword:: ${Buffer.from(hash).toString('base64')}\n`,
      )
      .join('\n'),
};
export type Carrying = keyof typeof carriers;
export const carrying = Object.keys(carriers) as Carrying[];
