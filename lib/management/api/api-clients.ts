import { type Api, mayAskFor } from '../../oauth/api.ts';
import { nameForAdmins } from '../../oauth/self-given-name.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/api-changes.ts';
import type { ApiRecord } from '../../store/apis.ts';
import { findClient } from '../../store/clients.ts';
import type { Editing } from '../editing.ts';
import { checkNotKept } from '../kept.ts';
import { checkListed } from './api-rules.ts';
import { listApis, refuseMissingApi, showApi } from './apis.ts';

export type ApiClientKind = store.ApiClientKind;

/**
 * Lists clients at an API: as clients that may ask for its tokens, or as the API itself, which may
 * introspect them. If this gives them anything new, `onLoosening` is called first and may throw.
 * @throws AdminRefusal
 */
export async function addApiClients(
  key: string,
  kind: ApiClientKind,
  clientIds: readonly string[],
  { actor, now, onLoosening }: Omit<Editing, 'seen'>,
): Promise<ApiRecord> {
  const api = await showApi(key);
  await checkNotKept({ kind: 'api', key: api.id }, actor);
  const listed = listOf(api, kind);
  const added = tidy(clientIds).filter((id) => !listed.includes(id));
  await checkListed(kind, [...listed, ...added]);
  if (added.length === 0) return api;
  onLoosening?.();
  const events = added.map(eventFor('api.client-added', api, kind, actor));
  if (!(await store.addClients(api.id, { kind, clientIds: added }, events, now))) refuseGone(api);
  return showApi(api.id);
}

/**
 * Takes clients off a list. Whatever was issued to clients that may no longer ask in any other way
 * ends immediately.
 * @throws AdminRefusal
 */
export async function removeApiClients(
  key: string,
  kind: ApiClientKind,
  clientIds: readonly string[],
  { actor, now }: Pick<Editing, 'actor' | 'now'>,
): Promise<ApiRecord> {
  const api = await showApi(key);
  await checkNotKept({ kind: 'api', key: api.id }, actor);
  const gone = tidy(clientIds).filter((id) => listOf(api, kind).includes(id));
  if (gone.length === 0) return api;
  const events = gone.map(eventFor('api.client-removed', api, kind, actor));
  if (!(await store.removeClients(api, { kind, clientIds: gone }, events, now))) refuseGone(api);
  return showApi(api.id);
}

/** The whole lists of an API, by kind. What is undefined stays as it is. */
type Lists = Partial<Record<ApiClientKind, readonly string[] | undefined>>;

const kinds = ['asks', 'serves'] as const;
const namesInJson = { asks: 'clients', serves: 'served_by' };

/**
 * Checks new lists of an API, before anything is changed. If one gives a client anything new,
 * `onLoosening` is called, and may throw.
 * @throws AdminRefusal
 */
export async function checkLists(
  key: string,
  lists: Lists,
  onLoosening: () => void,
): Promise<void> {
  const api = await showApi(key);
  for (const kind of kinds) {
    const wanted = tidy(lists[kind] ?? []);
    if (wanted.some((id) => !listOf(api, kind).includes(id))) onLoosening();
    await checkListed(kind, wanted, namesInJson[kind]);
  }
}

/** Replaces the lists of an API. @throws AdminRefusal */
export async function setApiClients(
  key: string,
  lists: Lists,
  editing: Omit<Editing, 'seen'>,
): Promise<ApiRecord> {
  for (const kind of kinds) {
    const wanted = lists[kind];
    if (wanted === undefined) continue;
    const gone = listOf(await showApi(key), kind).filter((id) => !tidy(wanted).includes(id));
    await removeApiClients(key, kind, gone, editing);
    await addApiClients(key, kind, wanted, editing);
  }
  return showApi(key);
}

const listOf = (api: Api, kind: ApiClientKind) => (kind === 'asks' ? api.askedBy : api.servedBy);
const tidy = (ids: readonly string[]) => [...new Set(ids.map((id) => id.trim()).filter(Boolean))];

const refuseGone = ({ identifier }: Api): never => refuseMissingApi(identifier);

function eventFor(
  type: 'api.client-added' | 'api.client-removed',
  { id, name, identifier }: Api,
  kind: ApiClientKind,
  actor: Actor,
) {
  const detail = { id, name, identifier, kind };
  return (clientId: string) => eventBy(actor, type, { clientId, detail });
}

/** How a client is related to an API. */
type ApiOfClient = { api: ApiRecord; asks: boolean; serves: boolean };

/** The APIs whose tokens a client may ask for, and the APIs that it is, by name. */
export async function apisOfClient(clientId: string): Promise<ApiOfClient[]> {
  const [apis, client] = await Promise.all([listApis(), findClient(clientId)]);
  if (!client) return [];
  return apis
    .map((api) => ({
      api,
      asks: mayAskFor(api, client),
      serves: api.servedBy.includes(clientId),
    }))
    .filter(({ asks, serves }) => asks || serves);
}

/** The names of clients by id, in the given order. Clients deleted meanwhile are left out. */
export async function namesOfClients(
  ids: readonly string[],
): Promise<{ id: string; label: string }[]> {
  const found = await Promise.all(ids.map(findClient));
  return found.flatMap((client) => (client ? { id: client.id, label: nameForAdmins(client) } : []));
}
