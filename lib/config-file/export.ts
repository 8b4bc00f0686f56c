import { Document, isScalar } from 'yaml';
import type { z } from 'zod';
import { config } from '../config.ts';
import { type Act, actingFreely, perform } from '../management/act.ts';
import { apiActs } from '../management/api/acts.ts';
import { apiFieldNames } from '../management/api/fields.ts';
import { brandingActs } from '../management/branding/acts.ts';
import { fieldActs } from '../management/field/acts.ts';
import { groupFieldNames } from '../management/group/fields.ts';
import { providerActs } from '../management/provider/acts.ts';
import { providerFieldNames, usualProvider } from '../management/provider/fields.ts';
import { scopeActs } from '../management/scope/acts.ts';
import { scopeFieldNames } from '../management/scope/fields.ts';
import { type ClientField, clientFieldNames, clientFields, newClient } from '../oauth/client.ts';
import { proofOf } from '../oauth/client-auth-methods.ts';
import { redirectKind } from '../oauth/redirect-uri.ts';
import { daysToThink } from '../people/terms.ts';
import { sayDuration } from '../settings/duration.ts';
import { saySetting, settingKeys, settingTable } from '../settings/table.ts';
import { type ListedUser, listedOf } from '../store/access.ts';
import { fileActor } from '../store/actor.ts';
import { findBrandPicture } from '../store/branding.ts';
import {
  type ClientRecord,
  clientList,
  findClientRecord,
  readClientNames,
} from '../store/client-list.ts';
import { contactsOf } from '../store/contacts.ts';
import { readFileOwned } from '../store/file-owned.ts';
import { groupList } from '../store/group-list.ts';
import { findLogo } from '../store/logos.ts';
import type { Provider } from '../store/providers.ts';
import { storedSettings } from '../store/settings.ts';
import { findTerms, listTerms } from '../store/terms.ts';
import { findUser, isEmailVerified } from '../store/users.ts';
import { plainLine } from './say.ts';
import { inFile } from './schema.ts';
import { SecretNames } from './secret-names.ts';

type ExportOptions = {
  /** Writes digests of secrets, instead of names of variables. */
  withHashes: boolean;
};

/** A picture that is stored beside the file, and its name there. */
type Picture = { name: string; bytes: Uint8Array };

type Exported = { text: string; pictures: Picture[] };

const schemaPath = '/docs/gatehouse.schema.json';

const head = () => `# yaml-language-server: $schema=${config().issuer}${schemaPath}
# The configuration of this server. Apply it with: npm run cli -- apply gatehouse.yaml
# It contains no secrets. Each comes from the environment, from a file, or is named by its digest.
`;

/** The present state as the text of a file that changes nothing when it is applied. */
export async function exportFile(options: ExportOptions): Promise<Exported> {
  const pictures: Picture[] = [];
  const sections = {
    settings: await settings(),
    branding: await branding(pictures),
    scopes: await scopes(),
    groups: await groups(),
    providers: await providers(),
    fields: await fields(),
    apps: await apps(options, pictures),
    apis: await apis(),
    terms: await terms(),
  };
  const all = Object.entries(sections);
  const full = all.filter(([, section]) => Object.keys(section).length > 0);
  // A file without any section is refused.
  const said = full.length > 0 ? full : all.filter(([name]) => name === 'apps');
  const names = await readClientNames();
  const text = said.map(([name, section]) => textOf({ [name]: section }, names));
  return { text: [head(), ...text].join('\n'), pictures };
}

/** Adds the name of an app as a comment after its id in a list. */
function textOf(content: Record<string, unknown>, names: ReadonlyMap<string, string>): string {
  const document = new Document(content, { aliasDuplicateObjects: false });
  for (const identifier of Object.keys(content.apis ?? {}))
    for (const list of ['asked_by', 'served_by'])
      for (let at = 0; ; at += 1) {
        const id = document.getIn(['apis', identifier, list, at], true);
        if (!isScalar(id)) break;
        id.comment = ` ${plainLine(names.get(String(id.value)) ?? '')}`;
      }
  return document.toString({ lineWidth: 0 });
}

/** What an act tells the file. */
const ask = <Takes extends z.ZodType, Tells extends z.ZodType>(
  definition: Act<Takes, Tells>,
  said: z.input<Takes>,
) => perform(definition, said, actingFreely('admin', fileActor, new Date()));

/** Leaves out values that equal their default. */
const without = <T>(values: Record<string, T>, isUsual: (value: T, name: string) => boolean) =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !isUsual(value, name)));

const isNone = (value: unknown) =>
  value === null ||
  value === undefined ||
  (typeof value === 'object' && Object.keys(value).length === 0);

async function settings(): Promise<Record<string, unknown>> {
  const stored = await storedSettings();
  const said = settingKeys.flatMap((key) => {
    const value = stored[key];
    return value === undefined
      ? []
      : [[settingTable[key].name, Array.isArray(value) ? value : saySetting(key, value)]];
  });
  return Object.fromEntries(said);
}

async function branding(pictures: Picture[]): Promise<Record<string, unknown>> {
  const { logo, dark_logo, icon, ...said } = await ask(brandingActs.show, {});
  const put = async (hash: string | null, file: string) => {
    const found = hash && (await findBrandPicture(hash));
    return found ? beside(pictures, file, found.bytes) : undefined;
  };
  const drawn = {
    logo: await put(logo, 'server.webp'),
    dark_logo: await put(dark_logo, 'server-dark.webp'),
    icon: await put(icon, 'server-icon.png'),
  };
  return without<unknown>({ ...said, ...drawn }, isNone);
}

function beside(pictures: Picture[], name: string, bytes: Uint8Array): string {
  const file = `logos/${name}`;
  pictures.push({ name: file, bytes });
  return file;
}

type Scope = z.output<typeof scopeActs.show.tells>;

/** The built-in scopes that a request without `scope` gets on a new server. */
const defaultAtFirst = ['profile', 'email'];

async function scopes(): Promise<Record<string, unknown>> {
  const kept = (await readFileOwned()).of('scope');
  const rows = (await ask(scopeActs.list, {})).scopes.filter(
    (scope) => kept.includes(scope.name) || !isAtFirst(scope),
  );
  return Object.fromEntries(rows.map((scope) => [scope.name, scopeOf(scope)]));
}

/**
 * Whether a built-in scope is as on a new server. Its description does not count, because screens
 * have their own words for it.
 */
function isAtFirst(scope: Scope): boolean {
  return (
    scope.built_in && !scope.sensitive && scope.default === defaultAtFirst.includes(scope.name)
  );
}

function scopeOf({ built_in, ...scope }: Scope) {
  if (built_in) return { default: scope.default, sensitive: scope.sensitive };
  const said = Object.fromEntries(scopeFieldNames.map((name) => [name, scope[name]]));
  return without<unknown>(said, (value) => isNone(value) || value === false);
}

async function everything<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const rows: T[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

async function groups(): Promise<Record<string, unknown>> {
  const rows = await everything(groupList.pages({ sort: 'newest' }, 200));
  const said = rows.toReversed().map((group) => {
    const fields = groupFieldNames.filter((field) => field !== 'name');
    const all = Object.fromEntries(fields.map((field) => [field, group[field]]));
    return [group.name, without(all, isNone)];
  });
  return Object.fromEntries(said);
}

async function providers(): Promise<Record<string, unknown>> {
  const said = (await ask(providerActs.list, {})).providers.map((provider, at) => [
    provider.slug,
    { kind: provider.kind, ...providerOf(provider, at) },
  ]);
  return Object.fromEntries(said);
}

/** What differs from the default of its kind. */
function providerOf(provider: z.output<typeof providerActs.show.tells>, at: number) {
  const usual: Partial<Record<string, unknown>> = usualProvider(
    provider.kind as Provider['kind'],
    at,
  );
  const variable = `PROVIDER_${provider.slug.toUpperCase().replaceAll('-', '_')}_SECRET`;
  const ofGroup = Map.groupBy(provider.groups, ({ value }) => value);
  const groups = [...ofGroup].map(([value, mapped]) => [value, mapped.map(({ name }) => name)]);
  const said = { ...provider, groups: Object.fromEntries(groups) };
  const values = providerFieldNames.flatMap((field): [string, unknown][] => {
    const value: [string, unknown] = [field, said[field]];
    // Beside the id, as at the provider.
    return field === 'client_id' && provider.secret !== 'none'
      ? [value, ['secret', { env: variable }]]
      : [value];
  });
  return without(
    Object.fromEntries(values),
    (value, name) => isNone(value) || value === usual[name],
  );
}

async function fields(): Promise<Record<string, unknown>> {
  return Object.fromEntries(
    (await ask(fieldActs.list, {})).fields.map(({ name, ...said }) => [name, said]),
  );
}

async function apps(options: ExportOptions, pictures: Picture[]): Promise<Record<string, unknown>> {
  const rows = await everything(clientList.pages({ origin: 'admin' }, 200));
  const said: [string, unknown][] = [];
  const secretNames = new SecretNames();
  for (const { id } of rows.toReversed()) {
    const client = await findClientRecord(id);
    if (client)
      said.push([id, await appOf(client, secretOf(client, options, secretNames), pictures)]);
  }
  return Object.fromEntries(said);
}

const isUsual = (client: ClientRecord) => (field: ClientField) =>
  JSON.stringify(client[field]) === JSON.stringify(newClient[field]) && field !== 'name';

async function appOf(client: ClientRecord, secret: unknown, pictures: Picture[]) {
  const fields = clientFieldNames
    .filter((field) => !isUsual(client)(field))
    .map((field) => [inFile(field), saidOf(client, field)]);
  const listed = await listedOf(client.id);
  const uris = [...client.redirectUris, ...client.postLogoutRedirectUris];
  const logo = client.logo && (await findLogo(client.id, client.logo));
  const rest = {
    secret,
    allow_insecure_redirect_uri: uris.some((uri) => redirectKind(uri) === 'http') ? true : null,
    // With lists, a missing `access` would be read as listed, so it is written.
    access: listed.groups.length + listed.people.length > 0 ? client.access : null,
    allowed_groups: listed.groups.map(({ name }) => name),
    allowed_users: await Promise.all(listed.people.map(loginOf)),
    allowed_user_ends: await endsOf(listed.people),
    owner: client.agent ? await loginOfOwner(client.id) : null,
    logo: logo ? beside(pictures, `${client.id}.webp`, logo.bytes) : null,
  };
  return { ...Object.fromEntries(fields), ...without<unknown>(rest, isNone) };
}

async function endsOf(people: readonly ListedUser[]): Promise<Record<string, string> | null> {
  const dated = people.flatMap((one) => (one.endsAt ? [{ ...one, endsAt: one.endsAt }] : []));
  const ends = dated.map(async (one) => [await loginOf(one), one.endsAt.toISOString()] as const);
  return dated.length > 0 ? Object.fromEntries(await Promise.all(ends)) : null;
}

async function loginOfOwner(clientId: string): Promise<string | null> {
  const owner = (await contactsOf(clientId)).find((contact) => contact.owner);
  return owner ? loginOf({ id: owner.userId, username: owner.username }) : null;
}

/**
 * A verified address belongs to its person for good. A user name may belong to another person on
 * another server, or later.
 */
async function loginOf({ id, username }: Pick<ListedUser, 'id' | 'username'>): Promise<string> {
  const user = (await isEmailVerified(id)) ? await findUser(id) : null;
  return user?.email ?? username;
}

function saidOf(client: ClientRecord, field: ClientField): unknown {
  if (field === 'federatedCredentials')
    return client[field].map((each) => without<unknown>(each, (value) => !value));
  const value = client[field];
  const isTime = /^seconds/.test(clientFields[field].kind);
  return isTime && typeof value === 'number' ? sayDuration(value) : value;
}

function secretOf(
  client: ClientRecord,
  { withHashes }: ExportOptions,
  names: SecretNames,
): unknown {
  if (proofOf(client) !== 'secret') return null;
  const hashes = client.secrets.map(({ hash }) => ({ hash }));
  if (withHashes && hashes.length > 0) return hashes.length === 1 ? hashes[0] : hashes;
  return { env: names.next(client) };
}

async function apis(): Promise<Record<string, unknown>> {
  const rows = (await ask(apiActs.list, {})).apis.toSorted(
    (one, other) => one.created_at.getTime() - other.created_at.getTime(),
  );
  const said = rows.map(({ identifier, clients: asked_by, served_by, ...api }) => {
    const fields = Object.fromEntries(apiFieldNames.map((name) => [name, api[name]]));
    const scopes = api.scopes.map(({ name, ...words }) => [name, without<unknown>(words, isNone)]);
    const life = api.access_token_ttl;
    const access_token_ttl = life === null ? null : sayDuration(life);
    const lists = { scopes: Object.fromEntries(scopes), asked_by, served_by };
    const values = { ...fields, access_token_ttl, ...lists };
    return [identifier, without<unknown>(values, isNone)];
  });
  return Object.fromEntries(said);
}

async function terms(): Promise<Record<string, unknown>> {
  const said: [string, unknown][] = [];
  for (const { id, name, endedAt } of await listTerms()) {
    const found = endedAt === null ? await findTerms('id', id) : null;
    if (!found) continue;
    const { clientId: client_id, texts, holdsFrom } = found;
    const from = holdsFrom.toISOString();
    said.push([
      name,
      without<unknown>({ from, days: daysToThink(found), client_id, texts }, isNone),
    ]);
  }
  return Object.fromEntries(said);
}
