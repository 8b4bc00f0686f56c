import { z } from 'zod';
import {
  type ArrivingPerson,
  jsonIn,
  maybeText,
  maybeTrue,
  type Reader,
  wholeName,
} from './arrivals.ts';
import { clientsOf, keycloakClient, realmLives } from './keycloak-clients.ts';
import { isShutOut } from './shut-out.ts';

const credential = z.looseObject({
  type: z.string(),
  secretData: maybeText,
  credentialData: maybeText,
});

const user = z.looseObject({
  id: maybeText,
  username: maybeText,
  email: maybeText,
  emailVerified: maybeTrue,
  firstName: maybeText,
  lastName: maybeText,
  attributes: z.record(z.string(), z.array(z.string())).nullish(),
  requiredActions: z.array(z.string()).nullish(),
  credentials: z.array(credential).nullish(),
  groups: z.array(z.string()).nullish(),
  serviceAccountClientId: maybeText,
});

type Group = { path?: string; name: string; subGroups?: Group[] | null };
const group: z.ZodType<Group> = z.looseObject({
  name: z.string(),
  path: z.string().optional(),
  subGroups: z.lazy(() => z.array(group)).nullish(),
});

const realm = z.looseObject({
  users: z.array(user).default([]),
  groups: z.array(group).nullish(),
  clients: z.array(keycloakClient).nullish(),
  realm: maybeText,
  ...realmLives,
});

/** A realm as `kc.sh export` writes it: the single file, or the separate file of users. */
export const readKeycloak: Reader = (text) => {
  const { users, groups: tree, clients, realm: name, ...lives } = jsonIn(text, realm);
  // Accounts of clients are not people.
  const people = users.filter(({ serviceAccountClientId }) => !serviceAccountClientId);
  const groups = (tree ?? []).flatMap((each) => pathsIn(each));
  const found = clientsOf(clients ?? [], lives, groups);
  const oldIssuer = name && `/realms/${name}`;
  return { people: people.map(arrivalOf), groups, clients: found, ...(oldIssuer && { oldIssuer }) };
};

/** Longer than any group's name. Groups below a path that long are not read. */
const longestPath = 1000;

/** A nested group keeps the names of its parents, as in Keycloak's own claim. */
const pathsIn = ({ name, subGroups }: Group, above = ''): string[] => {
  const path = (above + name).slice(0, longestPath);
  const below = path.length < longestPath ? (subGroups ?? []) : [];
  return [path, ...below.flatMap((each) => pathsIn(each, `${path}/`))];
};

function arrivalOf(said: z.output<typeof user>): ArrivingPerson {
  const { id, username, email, emailVerified, firstName, lastName } = said;
  const passwords = said.credentials?.filter(({ type }) => type === 'password') ?? [];
  const [locale] = said.attributes?.locale ?? [];
  return {
    id,
    username,
    email,
    emailVerified,
    name: wholeName(firstName, lastName),
    hash: passwords.map(hashOf).find(Boolean),
    mustChangePassword: said.requiredActions?.includes('UPDATE_PASSWORD'),
    disabled: isShutOut(said),
    claims: { given_name: firstName, family_name: lastName, locale },
    groups: said.groups?.map((path) => path.replace(/^\//, '')),
  };
}

const secretData = z.looseObject({ value: z.string(), salt: z.string().nullish() });
const credentialData = z.looseObject({
  algorithm: z.string(),
  hashIterations: z.number().nullish(),
  additionalParameters: z.record(z.string(), z.array(z.string())).nullish(),
});

/** Joins a hash and its parameters, which Keycloak keeps apart, into the scheme's usual text. */
function hashOf(said: z.output<typeof credential>): string | undefined {
  const secret = readInner(said.secretData, secretData);
  const how = readInner(said.credentialData, credentialData);
  if (!secret || !how) return undefined;
  const { value, salt } = secret;
  const { algorithm, hashIterations: rounds, additionalParameters: more } = how;
  if (algorithm.startsWith('bcrypt')) return value;
  if (algorithm === 'argon2') {
    const [type, memory, lanes] = [more?.type?.[0], more?.memory?.[0], more?.parallelism?.[0]];
    const bare = [salt ?? '', value].map((text) => text.replace(/={1,2}$/, '')).join('$');
    return `$argon2${type}$v=19$m=${memory},t=${rounds},p=${lanes}$${bare}`;
  }
  const digest = algorithm === 'pbkdf2' ? 'pbkdf2' : algorithm;
  return /^pbkdf2(-sha(256|512))?$/.test(digest)
    ? `$${digest}$${rounds}$${salt}$${value}`
    : undefined;
}

function readInner<Shape extends z.ZodType>(text: string | undefined, shape: Shape) {
  try {
    return text === undefined ? undefined : shape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
