import type { Text } from '../messages/text.ts';
import { may, type Role } from '../people/roles.ts';
import { findTrace } from '../store/trace-list.ts';
import { type ApiRecord, listApis } from './api/apis.ts';
import { traceOfRequest } from './attempt/traces.ts';
import { type ClientSummary, listClients } from './client/clients.ts';
import { type ListedGroup, listGroups } from './group/groups.ts';
import { listScopes, type Scope } from './scope/scopes.ts';
import { listSettings, type SettingRecord } from './setting/settings.ts';
import { listUsers, type UserRecord } from './user/users.ts';

type Few<T> = { rows: T[]; more: boolean };

export type Found = {
  apps: Few<ClientSummary>;
  people: Few<UserRecord>;
  groups: Few<ListedGroup>;
  scopes: Few<Scope>;
  apis: Few<ApiRecord>;
  settings: Few<SettingRecord>;
};

const most = 6;
/** Longer texts can't be names. */
const longest = 200;

/**
 * What a search text may mean to an admin: apps by part of their name, description or client id;
 * people by the beginning of their username, email address, name or last name; groups by the
 * beginning of their name; scopes, APIs and settings by part of their names or texts. A role that
 * only sees people finds only people. At most a few of each are read, and people only through
 * indexes.
 * @param text the language in which settings have names
 */
export async function searchAll(q: string, role: Role, text: Text): Promise<Found> {
  const search = q.slice(0, longest);
  if (!may(role, 'see-everything')) return { ...nothing, people: await findPeople(search) };
  const [apps, people, groups, scopes, apis, settings] = await Promise.all([
    listClients({ search, sort: 'name', limit: most }),
    findPeople(search),
    listGroups({ search, limit: most }),
    listScopes(),
    listApis(search),
    listSettings(),
  ]);
  const sought = plain(search);
  const isMeant = (...names: string[]) => names.some((name) => plain(name).includes(sought));
  return {
    apps: { rows: apps.rows, more: apps.next !== null },
    people,
    groups: { rows: groups.rows, more: groups.next !== null },
    scopes: few(scopes.filter(({ name, description }) => isMeant(name, description))),
    apis: few(apis),
    settings: few(
      settings.filter(({ key, name }) =>
        isMeant(name, text(`settings.names.${key}`), text(`settings.hints.${key}`)),
      ),
    ),
  };
}

const none = { rows: [], more: false };
const nothing: Found = {
  apps: none,
  people: none,
  groups: none,
  scopes: none,
  apis: none,
  settings: none,
};

async function findPeople(search: string): Promise<Few<UserRecord>> {
  const { rows, next } = await listUsers({ search, limit: most });
  return { rows, more: next !== null };
}

/** The attempt with this id, or with a request that has this id, or null. */
export async function attemptOf(text: string): Promise<string | null> {
  if (!/^[\w-]{8,100}$/.test(text)) return null;
  return (await traceOfRequest(text)) ?? (await findTrace(text))?.id ?? null;
}

function few<T>(found: T[]): Few<T> {
  return { rows: found.slice(0, most), more: found.length > most };
}

/** Lets "require pkce" find "REQUIRE_PKCE". */
const plain = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll('_', ' ');
