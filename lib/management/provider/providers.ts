import { kinds } from '../../identity/upstream/provider-kinds.ts';
import { openProviderSecret, sealedProviderSecret } from '../../identity/upstream/secret.ts';
import { sentence } from '../../messages/sentence.ts';
import { readDomain } from '../../people/email.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { findGroupById } from '../../store/groups.ts';
import { type ProviderUse, readProviderUse } from '../../store/provider-use.ts';
import * as store from '../../store/providers.ts';
import { difference } from '../difference.ts';
import type { Editing } from '../editing.ts';
import { checkNotKept } from '../kept.ts';
import { checkSeen, type Faults, refuseAdmin, refuseConflict, refuseFaults } from '../refusal.ts';
import { recorded } from '../told.ts';
import { type ProviderSaid, usualProvider } from './fields.ts';
import { type Judged, providerFaults, providerLoosens } from './rules.ts';

type Provider = store.Provider;

/** A provider with its use, and the state of its secret. */
export type ListedProvider = Provider & {
  use: ProviderUse;
  secret: 'none' | 'kept' | 'lost';
  groupNames: ReadonlyMap<string, string>;
};

const recently = 30 * 24 * 3600_000;
const unused: ProviderUse = { people: 0, recent: 0, only: 0 };

/** All providers in the order of their buttons. */
export async function listProviders(now: Date): Promise<ListedProvider[]> {
  const [providers, use] = await Promise.all([
    store.listProviders(),
    readProviderUse(new Date(now.getTime() - recently)),
  ]);
  return Promise.all(
    providers.map(async (provider) => ({
      ...provider,
      use: use.get(provider.id) ?? unused,
      secret: await stateOfSecret(provider),
      groupNames: await namesOf(provider.groups.map(({ groupId }) => groupId)),
    })),
  );
}

async function stateOfSecret(provider: Provider): Promise<ListedProvider['secret']> {
  const opened = await openProviderSecret(provider);
  if (opened === 'lost') return 'lost';
  return opened.secret === null ? 'none' : 'kept';
}

async function namesOf(ids: readonly string[]): Promise<Map<string, string>> {
  const found = await Promise.all([...new Set(ids)].map(findGroupById));
  return new Map(found.flatMap((group) => (group ? [[group.id, group.name]] : [])));
}

/** The provider with exactly this id. @throws AdminRefusal */
export async function providerWithId(id: string, now: Date): Promise<ListedProvider> {
  return (await listProviders(now)).find((provider) => provider.id === id) ?? refuseGone();
}

/** The id of the provider with this slug or id. @throws AdminRefusal */
export async function providerCalled(key: string): Promise<string> {
  const called = key.trim().toLowerCase();
  const found = (await store.listProviders()).find(({ id, slug }) => id === key || slug === called);
  return found?.id ?? refuseGone();
}

const refuseGone = (): never =>
  refuseAdmin('provider', sentence('refused.provider.gone'), 'missing');

type Made = ProviderSaid & { kind: Provider['kind']; slug?: string };

/** Creates a provider, with the defaults of its kind. Returns its id. @throws AdminRefusal */
export async function createProvider(said: Made, actor: Actor, now: Date): Promise<string> {
  const { kind, slug = kind } = said;
  const judged = withSaid(newOf(kind, slug), said, 'none');
  const names = await namesOf(judged.groups.map(({ groupId }) => groupId));
  refuseFaults({ ...providerFaults(judged), ...unknownGroups(judged, names) });
  const { secret, ...plain } = judged;
  const eventOf = (id: string) =>
    eventBy(actor, 'provider.created', { detail: { id, ...factsOf(judged, names) } });
  const provider = { ...plain, sealedSecret: await sealedOf(secret, null) };
  const stored = await store.storeProvider(provider, eventOf, now);
  if (stored === 'taken')
    refuseAdmin('slug', sentence('refused.provider.taken', { slug }), 'conflict');
  if (stored === 'full')
    refuseAdmin(null, sentence('refused.provider.full', { most: store.mostProviders }), 'full');
  return stored.id;
}

/** The defaults of a new provider of a kind. */
const newOf = (kind: Provider['kind'], slug: string): Omit<Judged, 'secret'> => ({
  slug,
  kind,
  ...recorded(usualProvider(kind, 0)),
});

/** The stored provider with the given changes; fields that are absent stay. */
function withSaid(
  before: Omit<Judged, 'secret'>,
  said: Partial<ProviderSaid>,
  secret: 'none' | 'kept',
): Judged {
  const cleaned = (text: string | null | undefined, usual: string | null) =>
    text === undefined ? usual : text?.trim() || null;
  return {
    ...before,
    name: said.name?.trim() || (said.name === undefined ? before.name : kinds[before.kind].name),
    buttonWords: cleaned(said.button_words, before.buttonWords),
    mark: cleaned(said.mark, before.mark),
    issuer: said.issuer?.trim() ?? before.issuer,
    clientId: said.client_id?.trim() ?? before.clientId,
    appleTeamId: cleaned(said.apple_team_id, before.appleTeamId),
    appleKeyId: cleaned(said.apple_key_id, before.appleKeyId),
    scopes: each(said.scopes) ?? before.scopes,
    position: said.position ?? before.position,
    enabled: said.enabled ?? before.enabled,
    maySignIn: said.may_sign_in ?? before.maySignIn,
    mayRegister: said.may_register ?? before.mayRegister,
    domains:
      each(said.domains)?.map((each) => readDomain(each) ?? each.toLowerCase()) ?? before.domains,
    groupsClaim: cleaned(said.groups_claim, before.groupsClaim),
    groups:
      said.groups?.map(({ value, group_id }) => ({ value, groupId: group_id })) ?? before.groups,
    trustsSecondFactor: said.trusts_second_factor ?? before.trustsSecondFactor,
    acceptsAssertions: said.accepts_assertions ?? before.acceptsAssertions,
    matchesAddresses: said.matches_addresses ?? before.matchesAddresses,
    secret: secretSaid(said.secret, secret),
  };
}

function secretSaid(said: string | null | undefined, before: 'none' | 'kept'): Judged['secret'] {
  if (said === undefined) return before;
  const text = said?.trim() ?? '';
  return text === '' ? 'none' : { said: text };
}

/** Splits at white space and drops duplicates. */
const each = (said: readonly string[] | undefined) =>
  said && [...new Set(said.flatMap((text) => text.trim().split(/\s+/)).filter(Boolean))];

type Names = ReadonlyMap<string, string>;

function unknownGroups({ groups }: Judged, known: Names): Faults {
  return groups.every(({ groupId }) => known.has(groupId))
    ? {}
    : { groups: sentence('refused.provider.groupGone') };
}

async function sealedOf(secret: Judged['secret'], before: string | null): Promise<string | null> {
  if (secret === 'kept') return before;
  return secret === 'none' ? null : sealedProviderSecret.seal(secret.said);
}

/** The facts about a provider in the audit log. Of its secret, only whether there is one. */
function factsOf({ secret, groups, ...plain }: Judged, names: Names): Record<string, unknown> {
  return {
    ...plain,
    secret: secret === 'none' ? 'none' : 'sealed',
    groups: groups.map(({ value, groupId }) => `${value}: ${names.get(groupId) ?? groupId}`),
  };
}

/**
 * Changes the provider with this id. With `seen` (`updatedAt` of the edited record) a concurrent
 * change is refused. `onLoosening` is called before a change that lets in more people or gives them
 * more.
 * @throws AdminRefusal
 */
export async function updateProvider(
  id: string,
  said: Partial<ProviderSaid>,
  { actor, now, seen, onLoosening }: Editing,
): Promise<void> {
  const found = await providerWithId(id, now);
  await checkNotKept({ kind: 'provider', key: id }, actor);
  const held = found.sealedSecret === null ? 'none' : 'kept';
  const before = judgedOf(found, held);
  const after = withSaid(before, said, held);
  const names = await namesOf([...before.groups, ...after.groups].map(({ groupId }) => groupId));
  refuseFaults({
    ...providerFaults(after),
    ...unknownGroups(after, names),
    ...(secretMoves(before, after) ? { secret: sentence('refused.provider.secret.moves') } : {}),
  });
  checkSeen('provider', found.updatedAt, seen);
  const isReplaced = typeof after.secret === 'object';
  const facts = [factsOf(before, names), factsOf(after, names)] as const;
  const changes = difference(...facts, Object.keys(facts[0]));
  if (Object.keys(changes).length === 0 && !isReplaced) return;
  if (providerLoosens(before, after)) onLoosening?.(after.groups.length > 0 ? 'group' : undefined);
  const replaced = isReplaced && { secret: { before: facts[0].secret, after: 'another one' } };
  const detail = { id, ...changes, ...replaced, slug: found.slug, name: after.name };
  const { secret, slug: _slug, kind: _kind, ...settings } = after;
  const sealedSecret = await sealedOf(secret, found.sealedSecret);
  const event = eventBy(actor, 'provider.updated', { detail });
  const changed = { ...settings, sealedSecret };
  if ((await store.changeProvider(found, changed, event, now)) !== 'done')
    refuseConflict('provider');
}

function judgedOf(provider: ListedProvider, secret: 'none' | 'kept'): Judged {
  const { id: _id, sealedSecret: _sealed, createdAt: _at, updatedAt: _last, ...rest } = provider;
  const { use: _use, groupNames: _names, ...plain } = rest;
  return { ...plain, secret };
}

/** It is sent to the issuer: who changes the issuer enters it again, or could read it. */
const secretMoves = (before: Judged, after: Judged) =>
  before.issuer !== after.issuer && after.secret === 'kept';

/**
 * Deletes the provider with this id. People who linked it can no longer sign in with it. Returns
 * its last record. `seen` as in `updateProvider`.
 * @throws AdminRefusal
 */
export async function deleteProvider(
  id: string,
  actor: Actor,
  now: Date,
  seen?: Date,
): Promise<ListedProvider> {
  const provider = await providerWithId(id, now);
  await checkNotKept({ kind: 'provider', key: id }, actor);
  checkSeen('provider', provider.updatedAt, seen);
  const { slug, name, use } = provider;
  const detail = { id, slug, name, people: use.people, lockedOut: use.only };
  const event = eventBy(actor, 'provider.deleted', { detail });
  if (!(await store.removeProvider(id, event, now, seen))) {
    await providerWithId(id, now);
    refuseConflict('provider');
  }
  return provider;
}
