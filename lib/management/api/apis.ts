import { setTimeout as pause } from 'node:timers/promises';
import { config } from '../../config.ts';
import { offeredLocales } from '../../messages/locales.ts';
import { sentence } from '../../messages/sentence.ts';
import { type ApiScope, apiCalled } from '../../oauth/api.ts';
import { byName } from '../../people/sort-key.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/api-changes.ts';
import { type ApiCount, countOfApi } from '../../store/api-endings.ts';
import { type ApiRecord, apisAt, listApis as listStored } from '../../store/apis.ts';
import { clientAt } from '../../store/clients.ts';
import { readRevision } from '../../store/engine/revision.ts';
import { scopesAt } from '../../store/scopes.ts';
import { readSettings } from '../../store/settings.ts';
import { difference } from '../difference.ts';
import type { Editing } from '../editing.ts';
import { checkNotKept } from '../kept.ts';
import { checkSeen, refuseAdmin, refuseConflict, refuseFaults } from '../refusal.ts';
import { recorded } from '../told.ts';
import { apiFaults, apiLoosens, checkListed } from './api-rules.ts';
import { usualApi } from './fields.ts';
import { ownIdentifier } from './own-api.ts';

export type { ApiCount, ApiRecord };

/** `search`: a part of the name or identifier; `identifier`: all of it, however spelled. */
export async function listApis(search = '', identifier?: string): Promise<ApiRecord[]> {
  const plain = (text: string) => text.normalize('NFKC').toLowerCase();
  const sought = plain(search.trim().slice(0, 500));
  return (await listStored())
    .filter((api) => [api.name, api.identifier].some((text) => plain(text).includes(sought)))
    .filter((api) => identifier === undefined || apiCalled(identifier, [api]) !== undefined)
    .toSorted(byName);
}

/** The API with this identifier, in any spelling, or with this id. @throws AdminRefusal */
export async function showApi(key: string): Promise<ApiRecord> {
  return findIn(await listStored(), key);
}

function findIn(apis: readonly ApiRecord[], key: string): ApiRecord {
  const said = key.trim();
  const found = apis.find(({ id }) => id === said) ?? apiCalled(said, apis);
  return found ?? refuseMissingApi(said.slice(0, 80));
}

/** @throws AdminRefusal always */
export const refuseMissingApi = (name: string): never =>
  refuseAdmin('api', sentence('refused.api.missing', { name }), 'missing');

/** What would end with an API, or with one of its scopes. */
export function countApiUse(api: ApiRecord, scope: string | null, now: Date): Promise<ApiCount> {
  return countOfApi(api, scope, now);
}

/** A scope as it is sent: translations may be left out. */
type SaidScope = Pick<ApiScope, 'name' | 'description'> & Partial<ApiScope>;

export type ApiChange = Partial<
  Omit<store.ApiSettings, 'identifier' | 'scopes' | 'askedBy' | 'servedBy'>
> & { scopes?: readonly SaidScope[] };

export type NewApi = ApiChange & {
  identifier: string;
  name: string;
  /** `client_id`s: of clients that may ask for its tokens, and of those that are the API itself. */
  askedBy?: readonly string[];
  servedBy?: readonly string[];
};

/** Creates an API. @throws AdminRefusal */
export async function createApi(input: NewApi, actor: Actor, now: Date): Promise<ApiRecord> {
  const { identifier, askedBy, servedBy, ...change } = input;
  const api = {
    ...merged(newApi, change),
    identifier: identifier.trim(),
    askedBy: tidyIds(askedBy),
    servedBy: tidyIds(servedBy),
  };
  await checkListed('asks', api.askedBy, 'clients');
  await checkListed('serves', api.servedBy, 'servedBy');
  const event = (id: string) => eventBy(actor, 'api.created', { detail: { id, ...flat(api) } });
  return whileUnchanged(async (revision) => {
    const apis = await apisAt(revision);
    const serverScopes = (await scopesAt(revision)).map(({ name }) => name);
    const isClient = (await clientAt(revision, api.identifier)) !== null;
    refuseFaults(apiFaults(api, { issuer: config().issuer, apis, serverScopes, isClient }));
    if (apis.length >= store.mostApis)
      refuseAdmin(null, sentence('refused.api.full', { most: String(store.mostApis) }), 'full');
    const stored = await store.storeApi(api, revision, event, now);
    return stored === 'changed-meanwhile' ? null : showApi(stored.id);
  });
}

const newApi: store.ApiSettings = {
  identifier: '',
  name: '',
  ...recorded(usualApi),
  askedBy: [],
  servedBy: [],
};

/**
 * Changes an API; its identifier stays. With `seen` (`updatedAt` of the edited record) a concurrent
 * change is refused. If the change loosens anything or removes a scope, `onLoosening` is called
 * first and may throw. Whatever was issued for a removed scope ends.
 * @throws AdminRefusal
 */
export async function updateApi(
  key: string,
  change: ApiChange,
  { actor, now, seen, onLoosening }: Editing,
): Promise<ApiRecord> {
  const { accessTokenTtl: usual } = await readSettings();
  return whileUnchanged(async (revision) => {
    const apis = await apisAt(revision);
    const before = findIn(apis, key);
    await checkNotKept({ kind: 'api', key: before.id }, actor);
    checkSeen('api', before.updatedAt, seen);
    const after = merged(before, change);
    const others = apis.filter(({ id }) => id !== before.id);
    const serverScopes = (await scopesAt(revision)).map(({ name }) => name);
    const isClient = (await clientAt(revision, after.identifier)) !== null;
    const around = { issuer: config().issuer, apis: others, serverScopes, isClient };
    refuseFaults(apiFaults(after, around));
    const changes = differenceOf(before, after);
    if (Object.keys(changes).length === 0) return before;
    const loosens = apiLoosens(before, after, usual) || losesScope(before, after);
    if (loosens || givesRights(before, after)) onLoosening?.();
    const { id, identifier } = before;
    const detail = { id, ...changes, name: after.name, identifier };
    const event = eventBy(actor, 'api.updated', { detail });
    const outcome = await store.changeApi({ before, revision }, after, event, now);
    return outcome === 'done' ? showApi(id) : null;
  });
}

/**
 * Deletes an API, with everything that people allowed at it and that was issued for it. `seen` as
 * in `updateApi`.
 * @throws AdminRefusal
 */
export async function deleteApi(
  key: string,
  actor: Actor,
  now: Date,
  seen?: Date,
): Promise<ApiRecord & ApiCount> {
  const api = await showApi(key);
  const { id, name, identifier } = api;
  await checkNotKept({ kind: 'api', key: id }, actor);
  checkSeen('api', api.updatedAt, seen);
  const count = await countOfApi(api, null, now);
  const event = eventBy(actor, 'api.deleted', { detail: { id, name, identifier, ...count } });
  if (!(await store.removeApi(api, event, now, seen))) {
    await showApi(id);
    refuseConflict('api');
  }
  return { ...api, ...count };
}

/** Scopes of this server's own API are rights on it: any app it lists could ask for a new one. */
const givesRights = (before: ApiRecord, after: store.ApiSettings) =>
  before.identifier === ownIdentifier() && losesScope(after, before);

const losesScope = (before: store.ApiSettings, after: store.ApiSettings) =>
  before.scopes.some(({ name }) => !after.scopes.some((scope) => scope.name === name));

const tries = 12;
/** The longest pause before the first retry, in milliseconds. Each further one may add as much. */
const longestPause = 10;

/** Checks and writes against one revision, and starts again if something changed in between. */
async function whileUnchanged<T>(work: (revision: number) => Promise<T | null>): Promise<T> {
  for (let left = tries; left > 0; left -= 1) {
    const done = await work(await readRevision());
    if (done !== null) return done;
    await pause(Math.random() * longestPause * (tries - left + 1));
  }
  return refuseAdmin(null, sentence('refused.api.busy'), 'conflict');
}

const tidyIds = (ids: readonly string[] = []) => [
  ...new Set(ids.map((id) => id.trim()).filter(Boolean)),
];

function merged<A extends store.ApiSettings>(before: A, change: ApiChange): A {
  const { name, description, scopes, ...rest } = change;
  const said = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...before,
    ...Object.fromEntries(said),
    name: name?.trim() ?? before.name,
    description: description === undefined ? before.description : description?.trim() || null,
    scopes: scopes ? scopes.map(tidyScope) : before.scopes,
  };
}

/** Texts in the order of the languages, so that equal texts are stored identically. */
function tidyScope({ name, description, translations = {} }: SaidScope): ApiScope {
  const known: readonly string[] = offeredLocales;
  const unknown = Object.keys(translations).filter((tag) => !known.includes(tag));
  const texts = [...known, ...unknown].map((tag) => [tag, (translations[tag] ?? '').trim()]);
  return {
    name: name.trim(),
    description: description.trim(),
    translations: Object.fromEntries(texts.filter(([, text]) => text !== '')),
  };
}

const { scopes: _scopes, askedBy: _asked, servedBy: _served, ...plain } = newApi;
const plainFields = Object.keys(plain);

/** An API with a separate field for each scope, for the audit log. */
function flat({ scopes, ...api }: store.ApiSettings): Record<string, unknown> {
  const texts = scopes.flatMap(({ name, description, translations }) => [
    [`scope ${name}`, description],
    ...Object.entries(translations).map(([tag, text]) => [`scope ${name}.${tag}`, text]),
  ]);
  return { ...api, ...Object.fromEntries(texts) };
}

function differenceOf(before: store.ApiSettings, after: store.ApiSettings) {
  const [was, is] = [flat(before), flat(after)];
  const scopes = [...Object.keys(was), ...Object.keys(is)].filter((field) =>
    field.startsWith('scope '),
  );
  const order = ({ scopes }: store.ApiSettings) => scopes.map(({ name }) => name).join(' ');
  return {
    ...difference(was, is, [...plainFields, ...new Set(scopes)]),
    ...(order(before) !== order(after) && {
      scopes: { before: order(before), after: order(after) },
    }),
  };
}
