import { z } from 'zod';
import { isShutOut } from '../../identity/shut-out.ts';
import { sentence } from '../../messages/sentence.ts';
import { mostGroups } from '../../store/groups.ts';
import {
  type ArrivingPerson,
  maybeText,
  maybeTrue,
  parseJson,
  type Reader,
  scalar,
  shaped,
  texts,
  UnreadableFile,
  wholeName,
} from '../arrivals.ts';
import { clientsOf, keycloakClient, realmSaid } from './keycloak-clients.ts';

/**
 * Everything is read as Keycloak's own reader does: a text for a list, numbers and booleans for
 * texts and the other way round. A member that is not needed never refuses the file.
 */
const soft = maybeText.catch(undefined);

const credential = z.looseObject({
  type: soft,
  secretData: soft,
  credentialData: soft,
  // As Keycloak wrote them before version 9.
  hashedSaltedValue: soft,
  salt: soft,
  hashIterations: soft,
  algorithm: soft,
  // As somebody wrote it by hand.
  value: scalar.nullish().catch(undefined),
  temporary: maybeTrue.catch(undefined),
});

const user = z.looseObject({
  id: soft,
  username: maybeText,
  email: maybeText,
  emailVerified: maybeTrue,
  firstName: soft,
  lastName: soft,
  attributes: z
    .looseObject({ locale: texts.catch([]) })
    .nullish()
    .catch(null),
  requiredActions: texts.catch([]),
  credentials: z.array(credential).nullish().catch(null),
  groups: texts,
  serviceAccountClientId: soft,
});

type Group = { name: string; subGroups?: Group[] | null };
const group: z.ZodType<Group> = z.looseObject({
  name: scalar,
  subGroups: z.lazy(() => z.array(group)).nullish(),
});

const realm = z.looseObject({
  users: z.array(user).nullish(),
  groups: z.array(group).nullish(),
  clients: z.array(keycloakClient).nullish(),
  realm: soft,
  ...realmSaid,
});

/**
 * A realm as `kc.sh export` writes it: the single file, the separate file of users, or several
 * realms in a list; also a list of users or clients as the admin API returns it.
 */
export const readKeycloak: Reader = (text, { realm: asked } = {}) => {
  const said = shaped(theRealm(parseJson(text), asked), realm);
  const { users, groups: tree, clients, realm: name, ...decided } = said;
  // Accounts of clients are not people.
  const people = (users ?? []).filter(({ serviceAccountClientId }) => !serviceAccountClientId);
  const groups: string[] = [];
  for (const each of tree ?? []) addPaths(groups, each);
  const found = clientsOf(clients ?? [], decided, groups);
  const oldIssuer = name && `/realms/${name}`;
  return { people: people.map(arrivalOf), groups, clients: found, ...(oldIssuer && { oldIssuer }) };
};

/** The one realm that is meant. @throws UnreadableFile that names them, if that is not clear */
function theRealm(said: unknown, asked: string | undefined): unknown {
  const has = (each: unknown, member: string) =>
    typeof each === 'object' && each !== null && Object.hasOwn(each, member);
  const list = Array.isArray(said) ? said : [said];
  if (list.every((each) => !has(each, 'realm')) && asked === undefined) {
    if (!Array.isArray(said)) return said;
    return list.some((each) => has(each, 'clientId')) ? { clients: said } : { users: said };
  }
  const realms = list.filter((each) => has(each, 'realm')) as { realm: unknown }[];
  const meant = asked
    ? realms.filter((each) => each.realm === asked)
    : realms.filter((each) => realms.length === 1 || each.realm !== 'master');
  if (meant.length === 1) return meant[0];
  const names = realms.map((each) => String(each.realm).slice(0, 80));
  throw new UnreadableFile(
    sentence('refused.unreadable.realms', { names: names.slice(0, 50).join(', ') }),
  );
}

/** Longer than any group's name. Groups below a path that long are not read. */
const longestPath = 1000;

/**
 * A nested group keeps the names of its parents, as in Keycloak's own claim. Of more groups than
 * there can be, only the first are read: they are refused anyway.
 */
function addPaths(paths: string[], { name, subGroups }: Group, above = ''): void {
  const path = (above + name).slice(0, longestPath);
  paths.push(path);
  if (path.length === longestPath) return;
  for (const each of subGroups ?? [])
    if (paths.length <= mostGroups) addPaths(paths, each, `${path}/`);
}

function arrivalOf(said: z.output<typeof user>): ArrivingPerson {
  const { id, username, email, emailVerified, firstName, lastName } = said;
  const passwords = said.credentials?.filter(({ type }) => type === 'password') ?? [];
  const [locale] = said.attributes?.locale ?? [];
  const plain = passwords.find(({ value }) => value);
  return {
    id,
    username,
    email,
    emailVerified,
    name: wholeName(firstName, lastName),
    hash: passwords.map(hashOf).find(Boolean),
    password: plain?.value ?? undefined,
    mustChangePassword: said.requiredActions.includes('UPDATE_PASSWORD') || plain?.temporary,
    // Keycloak takes a user of whom it is not said for disabled.
    disabled: isShutOut(said) || (said.enabled ?? '') === '',
    claims: { given_name: firstName, family_name: lastName, locale },
    groups: said.groups.map((path) => path.replace(/^\//, '')),
  };
}

const secretData = z.looseObject({ value: z.string(), salt: z.string().nullish() });
const credentialData = z.looseObject({
  algorithm: z.string(),
  hashIterations: scalar.nullish(),
  additionalParameters: z.record(z.string(), texts).nullish().catch(null),
});

/** Joins a hash and its parameters, which Keycloak keeps apart, into the scheme's usual text. */
function hashOf(said: z.output<typeof credential>): string | undefined {
  if (said.hashedSaltedValue)
    return hashText({
      value: said.hashedSaltedValue,
      salt: said.salt,
      algorithm: said.algorithm ?? 'pbkdf2',
      rounds: said.hashIterations,
    });
  const secret = readInner(said.secretData, secretData);
  const how = readInner(said.credentialData, credentialData);
  if (!secret || !how) return undefined;
  const { algorithm, hashIterations: rounds, additionalParameters: more } = how;
  return hashText({ ...secret, algorithm, rounds, more });
}

type SaidHash = {
  value: string;
  salt?: string | null;
  algorithm: string;
  rounds?: string | null;
  more?: Record<string, string[]> | null;
};

function hashText({ value, salt, algorithm, rounds, more }: SaidHash): string {
  if (algorithm.startsWith('bcrypt')) return value;
  if (algorithm === 'argon2') {
    const [type, memory, lanes] = [more?.type?.[0], more?.memory?.[0], more?.parallelism?.[0]];
    const bare = [salt ?? '', value].map((text) => text.replace(/={1,2}$/, '')).join('$');
    return `$argon2${type}$v=19$m=${memory},t=${rounds},p=${lanes}$${bare}`;
  }
  return `$${algorithm}$${rounds}$${salt}$${value}`;
}

function readInner<Shape extends z.ZodType>(text: string | undefined, shape: Shape) {
  try {
    return text === undefined ? undefined : shape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
