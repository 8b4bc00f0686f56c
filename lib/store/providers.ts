import { newId } from '../oauth/secrets.ts';
import { once } from '../once.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { allColumns } from './engine/all-columns.ts';
import { type Columns, laterThan, orTaken, read, write, writeTogether } from './engine/database.ts';
import { wordsIn } from './engine/parameters.ts';
import { RevisionCache, raising } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';

/**
 * How each kind is asked, and which of its statements count, is in
 * lib/identity/upstream/provider-kinds.ts.
 */
type ProviderKind = 'google' | 'microsoft' | 'github' | 'gitlab' | 'discord' | 'apple' | 'openid';

/** People for whom the provider's groups include `value` are in this group of ours. */
type GroupOfProvider = { value: string; groupId: string };

/**
 * A service elsewhere that people can use to sign in here. The schema says what each field means.
 */
export type Provider = {
  id: string;
  /** It is part of the redirect URI, and never changes. */
  slug: string;
  kind: ProviderKind;
  name: string;
  buttonWords: string | null;
  mark: string | null;
  issuer: string;
  clientId: string;
  /** Opened by lib/identity/upstream/secret.ts. */
  sealedSecret: string | null;
  appleTeamId: string | null;
  appleKeyId: string | null;
  scopes: readonly string[];
  position: number;
  enabled: boolean;
  maySignIn: boolean;
  mayRegister: boolean;
  domains: readonly string[];
  groupsClaim: string | null;
  groups: readonly GroupOfProvider[];
  trustsSecondFactor: boolean;
  acceptsAssertions: boolean;
  matchesAddresses: boolean;
  createdAt: Date;
  updatedAt: Date;
};

/** What an admin decides about an existing provider. */
type ProviderSettings = Omit<Provider, 'id' | 'slug' | 'kind' | 'createdAt' | 'updatedAt'>;
export type NewProvider = Omit<Provider, 'id' | 'createdAt' | 'updatedAt'>;

/** The maximum number of providers, and of claim values that each maps. */
export const mostProviders = 50;
export const mostGroupsOfProvider = 200;

const cache = () => once('cache.providers', () => new RevisionCache<Provider[]>(1));

/** All providers as of a revision, in the order of their buttons. */
export function providersAt(revision: number): Promise<Provider[]> {
  return cache().get('all', revision, listProviders);
}

export async function listProviders(): Promise<Provider[]> {
  const [rows, groups] = await Promise.all([
    read<Columns<'providers'>>(
      `SELECT ${allColumns('providers')} FROM providers ORDER BY position, id`,
      {},
    ),
    read<Columns<'provider_groups'>>(
      `SELECT ${allColumns('provider_groups')} FROM provider_groups ORDER BY value, group_id`,
      {},
    ),
  ]);
  return rows.map((row) => toProvider(row, groups));
}

function toProvider(
  row: Columns<'providers'>,
  groups: readonly Columns<'provider_groups'>[],
): Provider {
  return {
    ...row,
    kind: row.kind as ProviderKind,
    scopes: wordsIn(row.scopes),
    domains: wordsIn(row.domains),
    groups: groups
      .filter(({ providerId }) => providerId === row.id)
      .map(({ value, groupId }) => ({ value, groupId })),
  };
}

/** The provider with this id, or null. */
export async function findProvider(id: string): Promise<Provider | null> {
  return (await listProviders()).find((provider) => provider.id === id) ?? null;
}

/**
 * What is stored of a provider: each column with the value that a statement gives it. A field
 * missing here does not compile.
 */
const columnOf: Record<keyof Omit<ProviderSettings, 'groups'>, [column: string, value: string]> = {
  name: ['name', ':name'],
  buttonWords: ['button_words', ':buttonWords'],
  mark: ['mark', ':mark'],
  issuer: ['issuer', ':issuer'],
  clientId: ['client_id', ':clientId'],
  sealedSecret: ['sealed_secret', ':sealedSecret'],
  appleTeamId: ['apple_team_id', ':appleTeamId'],
  appleKeyId: ['apple_key_id', ':appleKeyId'],
  scopes: ['scopes', ':scopes'],
  position: ['position', 'CAST(:position AS INTEGER)'],
  enabled: ['enabled', 'CAST(:enabled AS BOOLEAN)'],
  maySignIn: ['may_sign_in', 'CAST(:maySignIn AS BOOLEAN)'],
  mayRegister: ['may_register', 'CAST(:mayRegister AS BOOLEAN)'],
  domains: ['domains', ':domains'],
  groupsClaim: ['groups_claim', ':groupsClaim'],
  trustsSecondFactor: ['trusts_second_factor', 'CAST(:trustsSecondFactor AS BOOLEAN)'],
  acceptsAssertions: ['accepts_assertions', 'CAST(:acceptsAssertions AS BOOLEAN)'],
  matchesAddresses: ['matches_addresses', 'CAST(:matchesAddresses AS BOOLEAN)'],
};
const columns = Object.values(columnOf);

function paramsOf({ groups: _, scopes, domains, ...plain }: ProviderSettings) {
  return { ...plain, scopes: scopes.join(' '), domains: domains.join(' ') };
}

/** Stores a new provider, unless its slug is taken or there are too many. */
export async function storeProvider(
  { slug, kind, ...settings }: NewProvider,
  eventOf: (id: string) => AuditEntry,
  now: Date,
): Promise<{ id: string } | 'taken' | 'full'> {
  const id = newId(now);
  const sql = `INSERT INTO providers (id, slug, kind, ${columns.map(([column]) => column).join(', ')}, created_at, updated_at)
    SELECT :id, :slug, :kind, ${columns.map(([, value]) => value).join(', ')}, CAST(:now AS TIMESTAMPTZ), CAST(:now AS TIMESTAMPTZ)
    WHERE (SELECT COUNT(*) FROM providers) < ${mostProviders} RETURNING id`;
  const first = { sql, params: { ...paramsOf(settings), id, slug, kind, now } };
  const then = [...mapping(id, settings.groups), raising(), auditing(eventOf(id), now)];
  const rows = await writeTogether(first, then).catch(orTaken);
  return rows === 'taken' ? rows : rows.length > 0 ? { id } : 'full';
}

/** Changes a provider, unless it has changed since it was read. */
export async function changeProvider(
  { id, updatedAt: seen }: Pick<Provider, 'id' | 'updatedAt'>,
  settings: ProviderSettings,
  event: AuditEntry,
  now: Date,
): Promise<'done' | 'changed-meanwhile'> {
  const sets = columns.map(([column, value]) => `${column} = ${value}`);
  const sql = `UPDATE providers SET ${sets.join(', ')}, updated_at = ${laterThan('updated_at', ':now')}
    WHERE id = :id AND updated_at = :seen RETURNING id`;
  const first = { sql, params: { ...paramsOf(settings), id, seen, now } };
  const none = { sql: 'DELETE FROM provider_groups WHERE provider_id = :id', params: { id } };
  const then = [none, ...mapping(id, settings.groups), raising(), auditing(event, now)];
  return (await writeTogether(first, then)).length > 0 ? 'done' : 'changed-meanwhile';
}

/** Maps claim values to groups. A group that has been deleted since is left out. */
function mapping(providerId: string, groups: readonly GroupOfProvider[]): Statement[] {
  const sql = `INSERT INTO provider_groups (provider_id, value, group_id)
    SELECT :providerId, :value, id FROM user_groups WHERE id = :groupId ON CONFLICT DO NOTHING`;
  return groups.map(({ value, groupId }) => ({ sql, params: { providerId, value, groupId } }));
}

/**
 * Deletes a provider; those who linked it can no longer sign in with it. False: it is gone, or has
 * changed since `seen`.
 */
export async function removeProvider(
  id: string,
  event: AuditEntry,
  now: Date,
  seen?: Date,
): Promise<boolean> {
  const sql = `DELETE FROM providers
    WHERE id = :id AND updated_at = COALESCE(CAST(:seen AS TIMESTAMPTZ), updated_at) RETURNING id`;
  const first = { sql, params: { id, seen: seen ?? null } };
  return (await writeTogether(first, [raising(), auditing(event, now)])).length > 0;
}

/** Seals a secret again, unless it has been replaced. */
export async function resealProvider(id: string, before: string, after: string): Promise<void> {
  const sql =
    'UPDATE providers SET sealed_secret = :after WHERE id = :id AND sealed_secret = :before';
  await write(sql, { id, before, after });
}
